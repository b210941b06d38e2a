//! `textDocument/foldingRange`: the ranges that an editor can fold.

use crate::convert::to_lsp;
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn folding_range(
    session: &Session,
    params: lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let task = "textDocument/foldingRange";
    session
        .answer(task, &params.text_document.uri, move |it| {
            let file = it.file();
            Some(to_lsp::folding_ranges(file, &ide::folding_ranges(file)))
        })
        .await
}
