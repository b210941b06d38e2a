//! The findings that the client shows.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tower_lsp_server::ls_types as lsp;
use workspace::ConfigProblem;

/// The findings that were sent last.
#[derive(Default)]
pub(crate) struct Published {
    /// By open document. `None` for one whose text is not known.
    documents: Mutex<HashMap<lsp::Uri, Option<PublishedVersion>>>,
    /// By configuration file. Held while findings are sent, so that they arrive in order.
    pub(crate) configs: tokio::sync::Mutex<BTreeMap<PathBuf, Vec<ConfigProblem>>>,
}

/// The version of a document and its findings.
type PublishedVersion = (i32, Vec<lsp::Diagnostic>);

impl Published {
    /// Records findings. Returns whether they differ from what the client shows.
    pub(crate) fn record(
        &self,
        uri: &lsp::Uri,
        diagnostics: &[lsp::Diagnostic],
        version: Option<i32>,
    ) -> bool {
        // An entry is replaced as a whole.
        let mut published = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let new = version.map(|version| (version, diagnostics.to_vec()));
        if published.get(uri) == Some(&new) {
            return false;
        }
        published.insert(uri.clone(), new);
        true
    }

    /// Forgets a document that is closed.
    pub(crate) fn forget(&self, uri: &lsp::Uri) {
        let mut published = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        published.remove(uri);
    }
}
