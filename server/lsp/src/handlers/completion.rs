//! `textDocument/completion`: completions at the cursor.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use crate::workers::Lane;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn completion(
    session: &Session,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>> {
    let at = params.text_document_position;
    let Some(snapshot) = session.state.documents.snapshot(&at.text_document.uri) else {
        return Ok(None);
    };
    let client = session.capabilities().clone();
    let workspace = session.state.workspace_samples();
    let task = "textDocument/completion";
    session
        .analyze(Lane::Request, task, &snapshot, move |it| {
            if it.is_excluded() {
                return None;
            }
            let file = it.file();
            let offset = from_lsp::offset(file, at.position, client.encoding);
            let (samples, resources) = workspace.manifests_and_kinds();
            let items = it.analysis().completion(file, offset, &samples, &resources);
            Some(to_lsp::completion(file, &items, &client))
        })
        .await
}
