//! Mistakes in configuration files, shown at their places.
//!
//! A mistake in `admissible.toml` changes findings silently, so it is shown where it is,
//! as a finding in that file. The file is mostly not open, so its findings are pushed, also
//! to a client that asks for those of its documents.

use crate::configuration::Configuration;
use crate::convert::to_lsp;
use crate::session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Mutex;
use tower_lsp_server::ls_types as lsp;
use workspace::ConfigProblem;

/// The problems that the client shows now, by file.
pub(super) type Reported = Mutex<BTreeMap<PathBuf, Vec<ConfigProblem>>>;

/// Shows the problems of the configuration files that were read so far, and takes back what
/// is no longer true. Does nothing for an old configuration.
pub(crate) async fn report_problems(session: &Session, configuration: &Arc<Configuration>) {
    let mut reported = session.sources.reported.lock().await;
    if !Arc::ptr_eq(&session.documents.configuration(), configuration) {
        return;
    }
    let configs = configuration.files.with_problems();
    if configs.is_empty() && reported.is_empty() {
        return;
    }
    let mut current = BTreeMap::new();
    for config in &configs {
        let Some(path) = config.path() else {
            continue;
        };
        current.insert(path.to_path_buf(), config.problems().to_vec());
        if reported.get(path).map(Vec::as_slice) == Some(config.problems()) {
            continue;
        }
        let encoding = session.capabilities().encoding;
        let findings = to_lsp::config_problems(config.text(), config.problems(), encoding);
        show(session, path.to_path_buf(), findings).await;
    }
    for path in reported.keys().filter(|path| !current.contains_key(*path)) {
        show(session, path.clone(), Vec::new()).await;
    }
    *reported = current;
}

async fn show(session: &Session, path: PathBuf, findings: Vec<lsp::Diagnostic>) {
    if let Some(uri) = lsp::Uri::from_file_path(path) {
        session
            .client
            .publish_diagnostics(uri, findings, None)
            .await;
    }
}
