//! Publishing the findings of a document.

use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::tasks::config_problems;
use crate::tasks::findings::findings;
use std::sync::Arc;
use std::time::Instant;
use tower_lsp_server::ls_types as lsp;

/// Takes back the findings of a document that is closed, or whose text is not known.
pub(crate) async fn publish_none(session: &Session, uri: &lsp::Uri) {
    send(session, uri, Vec::new(), None).await;
    if session.state.documents.newest(uri).is_none() {
        session.state.published.forget(uri);
    }
}

/// Publishes the findings of a snapshot, unless it is outdated by then. Returns whether the
/// findings about inputs may be outdated.
pub(crate) async fn publish(session: &Session, snapshot: &Arc<Snapshot>) -> bool {
    let started = Instant::now();
    let found = findings(session, snapshot).await;
    if !session.state.documents.is_newest(snapshot) {
        // The change that outdated it has started another run.
        return found.may_be_outdated;
    }
    // The findings of an older version would be at wrong positions.
    let diagnostics = match found.diagnostics {
        Ok(diagnostics) => diagnostics,
        Err(error) => {
            session.log.show_once(error.message.into_owned()).await;
            Vec::new()
        }
    };
    let count = diagnostics.len();
    let (uri, version) = (&snapshot.uri, snapshot.version);
    send(session, uri, diagnostics, Some(version)).await;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    session
        .log
        .trace(|| {
            let uri = uri.as_str();
            format!("{count} findings in version {version} of {uri}, {milliseconds:.1} ms")
        })
        .await;
    config_problems::publish(session, snapshot.configuration()).await;
    found.may_be_outdated
}

async fn send(
    session: &Session,
    uri: &lsp::Uri,
    diagnostics: Vec<lsp::Diagnostic>,
    version: Option<i32>,
) {
    let published = &session.state.published;
    if published.record(uri, &diagnostics, version) {
        let client = &session.client;
        client
            .publish_diagnostics(uri.clone(), diagnostics, version)
            .await;
    }
}
