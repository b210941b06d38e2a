//! Evaluating the policies of a snapshot.

use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use admission::EvaluationLimits;
use evaluation::evaluate::Evaluator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tower_lsp_server::jsonrpc::Result;

/// Limit: an evaluation for one request. Results that take longer are not shown.
const PATIENCE: Duration = Duration::from_secs(3);

/// Runs `work` with the policies of a snapshot, the inputs and manifests of the workspace, and
/// the choices of the user. Returns the default for an excluded document. The evaluation is
/// cancelled when it takes too long, or when the caller stops waiting.
pub(super) async fn evaluate<T: Default + Send + 'static>(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Evaluator<'_>, &DocumentChoices) -> T + Send + 'static,
) -> Result<T> {
    let state = Arc::clone(&session.state);
    let workspace = state.workspace_samples();
    let choices = state.choices.for_document(&snapshot.uri);
    let deadline = Deadline::start();
    let limits = deadline.limits();
    let run = move |it: &Snapshot| {
        if it.is_excluded() {
            return T::default();
        }
        let (file, path) = (it.file(), it.path());
        let inputs = state.inputs.find(it, workspace.open());
        let samples = workspace.visible_to(&path);
        let kinds = file.project().kinds();
        let context = state
            .evaluation_cache
            .context(&path, samples, inputs, kinds);
        let policies = it.policy_setup(context);
        let evaluator = Evaluator {
            file,
            programs: it.programs(),
            server: &policies.setup,
            inputs: &policies.context.inputs,
            limits: &limits,
        };
        work(&evaluator, &choices)
    };
    let result = session.analyze(Lane::Request, task, snapshot, run).await;
    drop(deadline);
    result
}

/// Cancels an evaluation that takes too long, or when it is dropped.
struct Deadline {
    cancelled: Arc<AtomicBool>,
    timer: tokio::task::JoinHandle<()>,
}

impl Deadline {
    fn start() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let timer = tokio::spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            flag.store(true, Ordering::Relaxed);
        });
        Self { cancelled, timer }
    }

    fn limits(&self) -> EvaluationLimits {
        EvaluationLimits {
            cancelled: Some(Arc::clone(&self.cancelled)),
            deadline: None,
        }
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.timer.abort();
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
