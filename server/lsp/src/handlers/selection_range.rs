//! `textDocument/selectionRange`: the parts around each cursor.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn selection_range(
    session: &Session,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>> {
    let encoding = session.capabilities().encoding;
    let task = "textDocument/selectionRange";
    session
        .answer(task, &params.text_document.uri, move |it| {
            let file = it.file();
            let ranges = params.positions.into_iter().map(|position| {
                let offset = from_lsp::offset(file, position, encoding);
                let parts = ide::selection_ranges(file, offset);
                to_lsp::selection_range(file, &parts, encoding)
            });
            Some(ranges.collect())
        })
        .await
}
