//! `textDocument/hover`: what the thing under the cursor is.

use crate::analysis::Lane;
use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn hover(
    session: &Session,
    params: lsp::HoverParams,
) -> Result<Option<lsp::Hover>> {
    let at = params.text_document_position_params;
    let Some(snapshot) = session.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let task = "textDocument/hover";
    session
        .analyse(Lane::Request, task, &snapshot, move |analysis, it| {
            if it.governing().excluded {
                return None;
            }
            let file = it.file(analysis);
            let offset = from_lsp::offset(file, at.position, client.encoding);
            let hover = analysis.hover(file, offset)?;
            Some(to_lsp::hover(file, &hover, &client))
        })
        .await
}
