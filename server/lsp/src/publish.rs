//! Findings, pushed to the client.
//!
//! One task per document analyses its newest snapshot and publishes, again and again while
//! newer ones come, and ends when there is none. So findings are published in the order of
//! their versions, a version that is outdated before it is ready is skipped, and a fast
//! typist costs one analysis at a time and no delay.

use crate::analysis::Lane;
use crate::documents::Snapshot;
use crate::handlers::{configuration, diagnostics};
use crate::session::Session;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tower_lsp_server::ls_types as lsp;

/// What the client shows now of each document, with the version that it was found in.
/// `None` for one that is closed, of which it shows nothing.
#[derive(Default)]
pub(crate) struct Published(Mutex<HashMap<lsp::Uri, Option<Shown>>>);

/// The version of a document and its findings.
type Shown = (i32, Vec<lsp::Diagnostic>);

impl Published {
    /// Notes what is sent. False when the client has it already.
    fn note(&self, uri: &lsp::Uri, diagnostics: &[lsp::Diagnostic], version: Option<i32>) -> bool {
        // An entry is replaced as a whole.
        let mut published = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = version.map(|version| (version, diagnostics.to_vec()));
        if published.get(uri) == Some(&shown) {
            return false;
        }
        published.insert(uri.clone(), shown);
        true
    }
}

/// Sees to it that the client gets the findings of a document as it is now; none, when it is
/// closed. A client that asks for findings gets nothing pushed.
pub(crate) fn publish(session: &Arc<Session>, uri: &lsp::Uri) {
    if session.capabilities().diagnostics.pull || !session.publishing.start(uri) {
        return;
    }
    let (session, uri) = (Arc::clone(session), uri.clone());
    let task = session.clone();
    session.tasks.spawn(async move {
        task.sources.settled().await;
        let mut published = None;
        loop {
            match task.documents.snapshot(&uri) {
                None => send(&task, &uri, Vec::new(), None).await,
                // A wish that came between a change and its snapshot is fulfilled already.
                Some(newest) if published == Some(newest.revision) => {}
                Some(newest) => {
                    published = Some(newest.revision);
                    publish_snapshot(&task, newest).await;
                }
            }
            if !task.publishing.again(&uri) {
                break;
            }
        }
    });
}

async fn publish_snapshot(session: &Arc<Session>, snapshot: Arc<Snapshot>) {
    let started = Instant::now();
    let uri = &snapshot.uri;
    let diagnostics = diagnostics::of(session, Lane::Publish, &snapshot).await;
    if !session.documents.is_newest(&snapshot) {
        // The change that made it old has asked for another run.
        return;
    }
    // Findings of a version that could not be analysed would stand at wrong places.
    let diagnostics = match diagnostics {
        Ok(diagnostics) => diagnostics,
        Err(error) => {
            session.log.tell_once(error.message.into_owned()).await;
            Vec::new()
        }
    };
    let count = diagnostics.len();
    send(session, uri, diagnostics, Some(snapshot.version)).await;
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    session
        .log
        .trace(|| {
            let version = snapshot.version;
            let uri = uri.as_str();
            format!("{count} findings in version {version} of {uri}, {milliseconds:.1} ms")
        })
        .await;
    configuration::report_problems(session, snapshot.configuration()).await;
}

async fn send(
    session: &Session,
    uri: &lsp::Uri,
    diagnostics: Vec<lsp::Diagnostic>,
    version: Option<i32>,
) {
    if !session.published.note(uri, &diagnostics, version) {
        return;
    }
    let uri = uri.clone();
    session
        .client
        .publish_diagnostics(uri, diagnostics, version)
        .await;
}
