//! The findings that the client shows.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::ConfigProblem;

/// The findings that were sent last.
#[derive(Default)]
pub(crate) struct Published {
    /// By document.
    documents: Mutex<HashMap<lsp::Uri, PublishedVersion>>,
    /// By configuration file. Held while findings are sent, so that they arrive in order.
    pub(crate) configs: tokio::sync::Mutex<BTreeMap<PathBuf, Vec<ConfigProblem>>>,
}

/// The version of a document and its findings. The version is `None` for a document whose text is
/// not known, and for a file that is not open.
type PublishedVersion = (Option<i32>, Vec<lsp::Diagnostic>);

impl Published {
    /// Records findings. Returns whether they differ from what the client shows.
    pub(crate) fn record(
        &self,
        uri: &lsp::Uri,
        diagnostics: &[lsp::Diagnostic],
        version: Option<i32>,
    ) -> bool {
        let mut published = self.documents();
        let new = (version, diagnostics.to_vec());
        if published.get(uri) == Some(&new) {
            return false;
        }
        published.insert(uri.clone(), new);
        true
    }

    /// Forgets a document that is closed, or opened again.
    pub(crate) fn forget(&self, uri: &lsp::Uri) {
        self.documents().remove(uri);
    }

    /// Returns whether findings of a document, even none, were sent.
    pub(crate) fn contains(&self, uri: &lsp::Uri) -> bool {
        self.documents().contains_key(uri)
    }

    fn documents(&self) -> MutexGuard<'_, HashMap<lsp::Uri, PublishedVersion>> {
        // An entry is replaced as a whole.
        self.documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
