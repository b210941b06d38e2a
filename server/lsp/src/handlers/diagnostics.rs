//! `textDocument/diagnostic`: findings, when the client asks for them.
//!
//! The answer has no version, so the client takes it for the text that it shows. It is
//! therefore never that of an older version: when a change comes meanwhile, the new text is
//! analysed as well, and several requests that wait get one answer.

use crate::analysis::{Analysis, Lane};
use crate::convert::to_lsp;
use crate::documents::Snapshot;
use crate::handlers::configuration::report_problems;
use crate::inputs;
use crate::samples;
use crate::session::Session;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn diagnostics(
    session: &Arc<Session>,
    params: lsp::DocumentDiagnosticParams,
) -> Result<lsp::DocumentDiagnosticReportResult> {
    let uri = params.text_document.uri;
    session.sources.settled().await;
    loop {
        let Some(snapshot) = session.documents.snapshot(&uri) else {
            return Ok(full(None, Vec::new()));
        };
        let result_id = snapshot.revision.to_string();
        if params.previous_result_id.as_deref() == Some(&*result_id) {
            return Ok(unchanged(result_id));
        }
        let items = of(session, Lane::Request, &snapshot).await;
        if session.documents.is_newest(&snapshot) {
            let configuration = snapshot.configuration();
            report_problems(session, configuration).await;
            return Ok(full(Some(result_id), items?));
        }
    }
}

/// The findings of a snapshot as the client understands them.
pub(crate) async fn of(
    session: &Arc<Session>,
    lane: Lane,
    snapshot: &Arc<Snapshot>,
) -> Result<Vec<lsp::Diagnostic>> {
    let client = session.capabilities().clone();
    let shared = Arc::clone(&session.inputs);
    let generation = shared.generation();
    let manifests = samples::view(session);
    let work = move |analysis: &dyn Analysis, it: &Snapshot| {
        let findings = it.findings(analysis);
        let mistakes = shared.mistakes(it, analysis, manifests.open());
        shared.tell(it, &mistakes);
        if findings.is_empty() && mistakes.is_empty() {
            return Vec::new();
        }
        let file = it.file(analysis);
        let mut shown = to_lsp::diagnostics(file, &it.uri, findings, &client);
        shown.extend(to_lsp::input_mistakes(file, &mistakes, &client));
        shown
    };
    let task = "textDocument/diagnostic";
    let found = session.analyse(lane, task, snapshot, work).await;
    if session.inputs.generation() != generation {
        // A change that came meanwhile has not seen what is shown now.
        inputs::look_again(session);
    }
    found
}

fn full(
    result_id: Option<String>,
    items: Vec<lsp::Diagnostic>,
) -> lsp::DocumentDiagnosticReportResult {
    lsp::DocumentDiagnosticReportResult::Report(lsp::DocumentDiagnosticReport::Full(
        lsp::RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id, items },
        },
    ))
}

fn unchanged(result_id: String) -> lsp::DocumentDiagnosticReportResult {
    lsp::DocumentDiagnosticReportResult::Report(lsp::DocumentDiagnosticReport::Unchanged(
        lsp::RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: lsp::UnchangedDocumentDiagnosticReport {
                result_id,
            },
        },
    ))
}
