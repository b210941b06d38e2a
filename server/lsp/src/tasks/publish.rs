//! Publishing the findings of a document.

use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::tasks::findings::findings;
use std::sync::Arc;
use std::time::Instant;
use tower_lsp_server::ls_types as lsp;

/// Removes the findings of a document that is closed, or whose text is not known. The file of a
/// document in the workspace is checked next, and its findings replace those of the document.
pub(crate) async fn publish_none(session: &Session, uri: &lsp::Uri) {
    let is_closed = session.state.documents.newest(uri).is_none();
    let closed_files = &session.state.closed_files;
    if is_closed && from_lsp::path(uri).is_some_and(|path| closed_files.contains(&path)) {
        return;
    }
    send(session, uri, Vec::new(), None).await;
    if is_closed {
        session.state.published.forget(uri);
    }
}

/// Publishes the findings of a file that is not open.
pub(crate) async fn publish_closed(
    session: &Session,
    uri: &lsp::Uri,
    diagnostics: &[lsp::Diagnostic],
) {
    let published = &session.state.published;
    if !diagnostics.is_empty() || published.contains(uri) {
        send(session, uri, diagnostics.to_vec(), None).await;
    }
    if diagnostics.is_empty() {
        published.forget(uri);
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
