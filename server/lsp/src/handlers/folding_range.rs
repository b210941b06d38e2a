//! `textDocument/foldingRange`: what an editor can fold.

use crate::convert::to_lsp;
use crate::session::Session;
use crate::workers::Lane;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn folding_range(
    session: &Session,
    params: lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let Some(snapshot) = session.state.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let task = "textDocument/foldingRange";
    session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            let file = it.file();
            Some(to_lsp::folding_ranges(
                file,
                &it.analysis().folding_ranges(file),
            ))
        })
        .await
}
