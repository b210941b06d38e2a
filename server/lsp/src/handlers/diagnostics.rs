//! `textDocument/diagnostic`: findings, requested by the client.
//!
//! The response has no version, so the client applies it to the text that it shows. It therefore
//! never describes an older version: if the text changes meanwhile, the new text is analyzed too,
//! and several waiting requests share the result.

use crate::events;
use crate::session::Session;
use crate::tasks::findings::findings;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

pub(crate) async fn diagnostics(
    session: &Arc<Session>,
    params: lsp::DocumentDiagnosticParams,
) -> Result<lsp::DocumentDiagnosticReportResult> {
    let uri = params.text_document.uri;
    session.state.settings.settled().await;
    loop {
        let Some(snapshot) = session.state.documents.snapshot(&uri) else {
            return Ok(full(None, Vec::new()));
        };
        let result_id = snapshot.revision.to_string();
        if params.previous_result_id.as_deref() == Some(&*result_id) {
            return Ok(unchanged(result_id));
        }
        let found = findings(session, &snapshot).await;
        if found.may_be_outdated {
            events::check_inputs(session);
        }
        if session.state.documents.is_newest(&snapshot) {
            events::findings_requested(session, &snapshot);
            return Ok(full(Some(result_id), found.diagnostics?));
        }
    }
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
