//! The sources of the settings: initialization options, pushed settings and folders.

use crate::convert::from_lsp;
use crate::state::configuration::{ClientSettings, ScopeSettings};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp_server::ls_types as lsp;

/// How long the first findings wait for the settings of the client, and how long the response
/// to `workspace/configuration` may take.
///
/// Limit: editors respond within milliseconds; a client that does not gets findings anyway.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// The sources of the settings of a session.
#[derive(Default)]
pub(crate) struct SettingsSources {
    values: Mutex<SourceValues>,
    settled: watch::Sender<bool>,
}

/// The sources at one moment.
#[derive(Clone, Default)]
pub(crate) struct SourceValues {
    pub(crate) folders: Vec<lsp::WorkspaceFolder>,
    /// The settings that the client has sent by itself.
    pub(crate) pushed: ScopeSettings,
    /// Whether configuration files may have changed.
    pub(crate) files_changed: bool,
}

impl SettingsSources {
    /// Waits until the settings of the client are known, or after [`PATIENCE`].
    pub(crate) async fn settled(&self) {
        let mut settled = self.settled.subscribe();
        let settled_value = settled.wait_for(|settled| *settled);
        if tokio::time::timeout(PATIENCE, settled_value).await.is_err() {
            self.settle();
        }
    }

    /// Notes that the settings of the client are known.
    pub(crate) fn settle(&self) {
        self.settled.send_replace(true);
    }

    /// Returns the paths of the workspace folders.
    pub(crate) fn folder_paths(&self) -> Vec<PathBuf> {
        let values = self.values();
        let uris = values.folders.iter().map(|folder| &folder.uri);
        uris.filter_map(from_lsp::path).collect()
    }

    pub(crate) fn values(&self) -> MutexGuard<'_, SourceValues> {
        // Each field is replaced as a whole.
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SourceValues {
    /// Returns the settings of a client without `workspace/configuration`.
    pub(crate) fn pushed_settings(&self) -> ClientSettings {
        ClientSettings {
            everywhere: self.pushed.clone(),
            folders: Vec::new(),
        }
    }
}
