//! `textDocument/completion` and `completionItem/resolve`: completions at the cursor, and the
//! documentation of one of them.

use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use ide::CompletionKind;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn completion(
    session: &Session,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>> {
    let at = params.text_document_position;
    let client = session.capabilities().clone();
    let workspace = session.state.workspace_samples();
    let state = Arc::clone(&session.state);
    let task = "textDocument/completion";
    session
        .answer(task, &at.text_document.uri, move |it| {
            let file = it.included_file()?;
            let offset = from_lsp::offset(file, at.position, client.encoding);
            let (samples, resources) = workspace.manifests_and_kinds();
            let mut items = ide::completion(file, offset, &samples, &resources);
            if !it.configuration().completes_manifest_keys(&it.uri) {
                items.retain(|it| it.kind != CompletionKind::Key);
            }
            let list = client.answers.resolved_documentation.then(|| {
                let documentation = items.iter().map(|it| it.documentation.clone());
                state.completions.keep(documentation.collect())
            });
            Some(to_lsp::completion(file, &items, list, &client))
        })
        .await
}

/// Adds the documentation of an item.
pub(crate) fn resolve(session: &Session, mut item: lsp::CompletionItem) -> lsp::CompletionItem {
    if let Some(text) = session.state.completions.description(item.data.as_ref()) {
        item.documentation = Some(to_lsp::documentation(&text, session.capabilities()));
    }
    item
}
