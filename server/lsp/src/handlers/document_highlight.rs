//! `textDocument/documentHighlight`: every occurrence of a name in the document.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn document_highlight(
    session: &Session,
    params: lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let encoding = session.capabilities().encoding;
    let task = "textDocument/documentHighlight";
    session
        .answer(task, &at.text_document.uri, move |it| {
            let file = it.included_file()?;
            let offset = from_lsp::offset(file, at.position, encoding);
            let name = ide::name_at(file, offset)?;
            let found: Vec<_> = ide::occurrences(file, &name.definition).collect();
            Some(to_lsp::highlights(file, &found, encoding))
        })
        .await
}
