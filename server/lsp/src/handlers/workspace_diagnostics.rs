//! `workspace/diagnostic`: findings in files that are not open, requested by the client.
//!
//! The response only has what changed since the client's last request. Without a change it waits
//! for one, so that a client which sends the next request at once does not send thousands.

use crate::convert::from_lsp;
use crate::events;
use crate::session::Session;
use crate::state::State;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// How long a response waits for further changes after the first: a check of all files changes many
/// of them.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) async fn workspace_diagnostics(
    session: &Arc<Session>,
    params: lsp::WorkspaceDiagnosticParams,
) -> Result<lsp::WorkspaceDiagnosticReportResult> {
    let previous = params.previous_result_ids.into_iter();
    let previous: HashMap<lsp::Uri, String> = previous.map(|it| (it.uri, it.value)).collect();
    let mut changes = session.state.closed_files.changes();
    events::workspace_diagnostics_requested(session);
    loop {
        let items = reports(&session.state, &previous);
        if !items.is_empty() || session.ended.is_cancelled() {
            let report = lsp::WorkspaceDiagnosticReport { items };
            return Ok(lsp::WorkspaceDiagnosticReportResult::Report(report));
        }
        tokio::select! {
            _ = changes.changed() => tokio::time::sleep(PAUSE).await,
            () = session.ended.cancelled() => {}
        }
        changes.mark_unchanged();
    }
}

/// Returns the reports that differ from those that the client already has.
fn reports(
    state: &State,
    previous: &HashMap<lsp::Uri, String>,
) -> Vec<lsp::WorkspaceDocumentDiagnosticReport> {
    let is_open = |uri: &lsp::Uri| state.documents.newest(uri).is_some();
    let mut reports = Vec::new();
    for (path, report) in state.closed_files.reports() {
        let Some(uri) = lsp::Uri::from_file_path(&path).filter(|uri| !is_open(uri)) else {
            continue;
        };
        let result_id = report.revision.to_string();
        let is_known = match previous.get(&uri) {
            Some(previous) => *previous == result_id,
            None => report.diagnostics.is_empty(),
        };
        if !is_known {
            reports.push(full(uri, Some(result_id), report.diagnostics.to_vec()));
        }
    }
    // Deleted files.
    let is_gone = |uri: &&lsp::Uri| {
        let path = from_lsp::path(uri);
        !is_open(uri) && !path.is_some_and(|path| state.closed_files.contains(&path))
    };
    let gone = previous.keys().filter(is_gone);
    reports.extend(gone.map(|uri| full(uri.clone(), None, Vec::new())));
    reports
}

fn full(
    uri: lsp::Uri,
    result_id: Option<String>,
    items: Vec<lsp::Diagnostic>,
) -> lsp::WorkspaceDocumentDiagnosticReport {
    lsp::WorkspaceDocumentDiagnosticReport::Full(lsp::WorkspaceFullDocumentDiagnosticReport {
        uri,
        version: None,
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id, items },
    })
}
