//! The findings of a document, for the client.

use crate::convert::to_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// The findings of a snapshot.
pub(crate) struct Findings {
    pub(crate) diagnostics: Result<Vec<lsp::Diagnostic>>,
    /// Whether the findings about inputs may be outdated, because something has changed
    /// meanwhile.
    pub(crate) may_be_outdated: bool,
}

/// Returns the findings of a snapshot.
pub(crate) async fn findings(session: &Session, snapshot: &Arc<Snapshot>) -> Findings {
    let client = session.capabilities().clone();
    let state = Arc::clone(&session.state);
    let generation = state.inputs.generation();
    let samples = state.workspace_samples();
    let work = move |it: &Snapshot| {
        let inputs = state.inputs.for_document(it, samples.open());
        state.inputs.record_shown(it, &inputs);
        let findings = it.findings(inputs);
        if findings.is_empty() {
            return Vec::new();
        }
        to_lsp::diagnostics(it.file(), &it.uri, &findings, &client)
    };
    let task = "textDocument/diagnostic";
    let diagnostics = session
        .analyze(Lane::Background, task, snapshot, work)
        .await;
    Findings {
        diagnostics,
        may_be_outdated: session.state.inputs.generation() != generation,
    }
}
