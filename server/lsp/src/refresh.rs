//! Asking the client to look at its lenses and values again.
//!
//! The client knows nothing of what they depend on. It is told whenever something has changed
//! that is not in the text of the document, and in live mode after every change. Never more
//! than one request of each kind is on its way: while the client answers, further wishes mean
//! one more request afterwards. Values do not wait for lenses.

use crate::coalescer::Coalescer;
use crate::session::Session;
use std::sync::Arc;
use std::time::Duration;
use tower_lsp_server::ls_types as lsp;

/// Limit: how long an answer may take before the next request is sent all the same.
const PATIENCE: Duration = Duration::from_secs(5);

/// The requests that are on their way.
#[derive(Default)]
pub(crate) struct Refreshes {
    lenses: Coalescer<()>,
    hints: Coalescer<()>,
}

/// Asks the client to look at its lenses and values again.
pub(crate) fn refresh(session: &Arc<Session>) {
    let client = session.capabilities().evaluation;
    if client.refreshes_hints && session.refreshes.hints.start(&()) {
        let task = Arc::clone(session);
        tokio::spawn(async move {
            loop {
                // A client that refuses asks again with the next change.
                let request = task.client.inlay_hint_refresh();
                let _ = tokio::time::timeout(PATIENCE, request).await;
                if !task.refreshes.hints.again(&()) {
                    return;
                }
            }
        });
    }
    if client.refreshes_lenses && session.refreshes.lenses.start(&()) {
        let task = Arc::clone(session);
        tokio::spawn(async move {
            loop {
                let request = task.client.code_lens_refresh();
                let _ = tokio::time::timeout(PATIENCE, request).await;
                if !task.refreshes.lenses.again(&()) {
                    return;
                }
            }
        });
    }
}

/// A document has changed. In live mode its values follow.
pub(crate) fn document_changed(session: &Arc<Session>, uri: &lsp::Uri) {
    if session.is_live(uri) {
        refresh(session);
    }
}
