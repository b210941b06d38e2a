//! Requests to the client to refresh lenses, values and findings.

use crate::session::Session;
use std::time::Duration;

/// Limit: how long a response may take before the next request is sent anyway.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sends a request to refresh inlay hints.
pub(crate) async fn hints(session: &Session) {
    // A client that fails requests them again after the next change.
    let _ = tokio::time::timeout(PATIENCE, session.client.inlay_hint_refresh()).await;
}

/// Sends a request to refresh code lenses.
pub(crate) async fn lenses(session: &Session) {
    let _ = tokio::time::timeout(PATIENCE, session.client.code_lens_refresh()).await;
}

/// Sends a request to refresh semantic tokens.
pub(crate) async fn semantic_tokens(session: &Session) {
    let _ = tokio::time::timeout(PATIENCE, session.client.semantic_tokens_refresh()).await;
}

/// Sends a request to refresh findings.
pub(crate) async fn diagnostics(session: &Session) {
    let _ = session.client.workspace_diagnostic_refresh().await;
}
