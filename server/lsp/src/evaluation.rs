//! What the user has chosen about evaluations, and how long one may take.

use ide::EvaluationLimits;
use ide::input::InputKey;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tower_lsp_server::ls_types as lsp;

/// Limit: an evaluation for one request. What is not ready by then is not shown.
const PATIENCE: Duration = Duration::from_secs(3);

/// What the user has chosen, for each document.
#[derive(Default)]
pub(crate) struct Evaluations {
    documents: Mutex<HashMap<lsp::Uri, Choices>>,
}

/// What the user has chosen about one document. A policy is named by its place in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// The input of each policy.
    pub(crate) inputs: BTreeMap<usize, InputKey>,
    /// The expressions whose values are shown, by the path of their field.
    pub(crate) shown: BTreeSet<(usize, String)>,
    /// Whether the values of all expressions are shown. `None` where the settings decide.
    pub(crate) live: Option<bool>,
}

impl Evaluations {
    /// What is chosen about a document.
    pub(crate) fn of(&self, uri: &lsp::Uri) -> Choices {
        self.documents().get(uri).cloned().unwrap_or_default()
    }

    /// Shows the value of an expression from now on.
    pub(crate) fn show(&self, uri: &lsp::Uri, policy: usize, path: &str) {
        let mut documents = self.documents();
        let choices = documents.entry(uri.clone()).or_default();
        choices.shown.insert((policy, path.to_owned()));
    }

    /// Shows no values any more.
    pub(crate) fn hide(&self, uri: &lsp::Uri) {
        if let Some(choices) = self.documents().get_mut(uri) {
            choices.shown.clear();
        }
    }

    /// Shows the values of all expressions from now on, or not.
    pub(crate) fn set_live(&self, uri: &lsp::Uri, on: bool) {
        let mut documents = self.documents();
        documents.entry(uri.clone()).or_default().live = Some(on);
    }

    /// Tries a policy on this input from now on.
    pub(crate) fn choose(&self, uri: &lsp::Uri, policy: usize, input: InputKey) {
        let mut documents = self.documents();
        let choices = documents.entry(uri.clone()).or_default();
        choices.inputs.insert(policy, input);
    }

    /// Forgets a document.
    pub(crate) fn forget(&self, uri: &lsp::Uri) {
        self.documents().remove(uri);
    }

    fn documents(&self) -> MutexGuard<'_, HashMap<lsp::Uri, Choices>> {
        // Each entry is replaced as a whole.
        self.documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends an evaluation that takes too long, or that nobody waits for any more.
pub(crate) struct Deadline {
    cancelled: Arc<AtomicBool>,
    timer: tokio::task::JoinHandle<()>,
}

impl Deadline {
    /// Begins now.
    pub(crate) fn start() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let timer = tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            flag.store(true, Ordering::Relaxed);
        });
        Self { cancelled, timer }
    }

    /// What the evaluation has to obey.
    pub(crate) fn limits(&self) -> EvaluationLimits {
        EvaluationLimits {
            cancelled: Some(Arc::clone(&self.cancelled)),
        }
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.timer.abort();
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
