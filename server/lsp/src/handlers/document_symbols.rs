//! `textDocument/documentSymbol`: the outline.

use crate::analysis::Lane;
use crate::convert::to_lsp;
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn document_symbols(
    session: &Session,
    params: lsp::DocumentSymbolParams,
) -> Result<Option<lsp::DocumentSymbolResponse>> {
    let Some(snapshot) = session.documents.snapshot(&params.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let task = "textDocument/documentSymbol";
    session
        .analyse(Lane::Request, task, &snapshot, move |analysis, it| {
            let file = it.file(analysis);
            let symbols = analysis.document_symbols(file);
            Some(to_lsp::document_symbols(file, &it.uri, &symbols, &client))
        })
        .await
}
