//! `textDocument/selectionRange`: the parts around each cursor.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use crate::workers::Lane;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn selection_range(
    session: &Session,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>> {
    let Some(snapshot) = session.state.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let encoding = session.capabilities().encoding;
    let task = "textDocument/selectionRange";
    session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            let file = it.file();
            let positions = params.positions.into_iter();
            let ranges = positions.map(|position| {
                let offset = from_lsp::offset(file, position, encoding);
                let parts = it.analysis().selection_ranges(file, offset);
                to_lsp::selection_range(file, &parts, encoding)
            });
            Some(ranges.collect())
        })
        .await
}
