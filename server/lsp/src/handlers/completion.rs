//! `textDocument/completion`: what could be written at the cursor.

use crate::analysis::Lane;
use crate::convert::{from_lsp, to_lsp};
use crate::samples;
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn completion(
    session: &Session,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>> {
    let at = params.text_document_position;
    let Some(snapshot) = session.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let samples = samples::view(session);
    let task = "textDocument/completion";
    session
        .analyse(Lane::Request, task, &snapshot, move |analysis, it| {
            if it.governing().excluded {
                return None;
            }
            let file = it.file(analysis);
            let offset = from_lsp::offset(file, at.position, client.encoding);
            let (samples, resources) = samples.gather(analysis);
            let items = analysis.completion(file, offset, &samples, &resources);
            Some(to_lsp::completion(file, &items, &client))
        })
        .await
}
