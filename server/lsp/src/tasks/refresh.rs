//! Asking the client to request lenses, values and findings again.

use crate::session::Session;
use std::time::Duration;

/// Limit: how long a response may take before the next request is sent anyway.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the client to request inlay hints again.
pub(crate) async fn hints(session: &Session) {
    // A client that fails requests them again after the next change.
    let _ = tokio::time::timeout(PATIENCE, session.client.inlay_hint_refresh()).await;
}

/// Asks the client to request code lenses again.
pub(crate) async fn lenses(session: &Session) {
    let _ = tokio::time::timeout(PATIENCE, session.client.code_lens_refresh()).await;
}

/// Asks the client to request semantic tokens again.
pub(crate) async fn semantic_tokens(session: &Session) {
    let _ = tokio::time::timeout(PATIENCE, session.client.semantic_tokens_refresh()).await;
}

/// Asks the client to request findings again.
pub(crate) async fn diagnostics(session: &Session) {
    let _ = session.client.workspace_diagnostic_refresh().await;
}
