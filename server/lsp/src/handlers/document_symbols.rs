//! `textDocument/documentSymbol`: the outline.

use crate::convert::to_lsp;
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn document_symbols(
    session: &Session,
    params: lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>> {
    let client = session.capabilities().clone();
    let task = "textDocument/documentSymbol";
    session
        .answer(task, &params.text_document.uri, move |it| {
            let file = it.file();
            let symbols = it.analysis().document_symbols(file);
            Some(to_lsp::document_symbols(file, &it.uri, &symbols, &client))
        })
        .await
}
