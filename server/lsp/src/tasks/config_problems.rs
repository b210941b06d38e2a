//! Publishing the problems of configuration files.
//!
//! An error in `admissible.toml` changes findings silently, so it is shown as a finding in that
//! file. The file is usually not open, so it is published even to a client that requests the
//! findings of its documents.

use crate::convert::to_lsp;
use crate::session::Session;
use crate::state::configuration::Configuration;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;

/// Publishes the problems of the configuration files that were read so far, and clears those
/// that are solved. Does nothing for an outdated configuration.
pub(crate) async fn publish(session: &Session, configuration: &Arc<Configuration>) {
    let mut published = session.state.published.configs.lock().await;
    if !Arc::ptr_eq(&session.state.documents.configuration(), configuration) {
        return;
    }
    let configs = configuration.files.with_problems();
    if configs.is_empty() && published.is_empty() {
        return;
    }
    let mut current = BTreeMap::new();
    for config in &configs {
        let Some(path) = config.path() else {
            continue;
        };
        current.insert(path.to_path_buf(), config.problems().to_vec());
        if published.get(path).map(Vec::as_slice) == Some(config.problems()) {
            continue;
        }
        let encoding = session.capabilities().encoding;
        let findings = to_lsp::config_problems(config.text(), config.problems(), encoding);
        send(session, path.to_path_buf(), findings).await;
    }
    for path in published.keys().filter(|path| !current.contains_key(*path)) {
        send(session, path.clone(), Vec::new()).await;
    }
    *published = current;
}

async fn send(session: &Session, path: PathBuf, findings: Vec<lsp::Diagnostic>) {
    if let Some(uri) = lsp::Uri::from_file_path(path) {
        session
            .client
            .publish_diagnostics(uri, findings, None)
            .await;
    }
}
