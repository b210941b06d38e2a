//! The choices of the user about evaluations: inputs, shown values and live mode.

use evaluation::input::InputKey;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tower_lsp_server::ls_types as lsp;

/// The choices of the user, by document.
#[derive(Default)]
pub(crate) struct Choices {
    documents: Mutex<HashMap<lsp::Uri, DocumentChoices>>,
}

/// The choices for one document. A policy is identified by its index in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentChoices {
    /// The selected input of each policy.
    pub(crate) inputs: BTreeMap<usize, InputKey>,
    /// The expressions whose values are shown, by policy and field path.
    pub(crate) shown_expressions: BTreeSet<(usize, String)>,
    /// Whether live mode is on. `None` if the settings decide.
    pub(crate) live: Option<bool>,
}

impl Choices {
    /// Returns the choices for a document.
    pub(crate) fn for_document(&self, uri: &lsp::Uri) -> DocumentChoices {
        self.documents().get(uri).cloned().unwrap_or_default()
    }

    /// Shows the value of an expression.
    pub(crate) fn show_value(&self, uri: &lsp::Uri, policy: usize, path: &str) {
        let mut documents = self.documents();
        let choices = documents.entry(uri.clone()).or_default();
        choices.shown_expressions.insert((policy, path.to_owned()));
    }

    /// Hides all values.
    pub(crate) fn hide(&self, uri: &lsp::Uri) {
        if let Some(choices) = self.documents().get_mut(uri) {
            choices.shown_expressions.clear();
        }
    }

    /// Turns live mode on or off.
    pub(crate) fn set_live(&self, uri: &lsp::Uri, on: bool) {
        let mut documents = self.documents();
        documents.entry(uri.clone()).or_default().live = Some(on);
    }

    /// Selects the input of a policy.
    pub(crate) fn select(&self, uri: &lsp::Uri, policy: usize, input: InputKey) {
        let mut documents = self.documents();
        let choices = documents.entry(uri.clone()).or_default();
        choices.inputs.insert(policy, input);
    }

    /// Forgets a document.
    pub(crate) fn forget(&self, uri: &lsp::Uri) {
        self.documents().remove(uri);
    }

    fn documents(&self) -> MutexGuard<'_, HashMap<lsp::Uri, DocumentChoices>> {
        // Each entry is replaced as a whole.
        self.documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
