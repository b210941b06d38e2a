//! Evaluating the policies of a snapshot.

use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use admission::EvaluationLimits;
use evaluation::run::Evaluator;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tower_lsp_server::jsonrpc::Result;

/// Limit: an evaluation for one request. One that takes longer is stopped with a note.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Runs `work` with the policies of a snapshot, the inputs and manifests of the workspace, and
/// the choices of the user. Returns the default for an excluded document. The evaluation is
/// canceled when it takes too long, or when the caller stops waiting.
pub(super) async fn evaluate<T: Default + Send + 'static>(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Evaluator<'_>, &DocumentChoices) -> T + Send + 'static,
) -> Result<T> {
    let state = Arc::clone(&session.state);
    let workspace = state.workspace_samples();
    let choices = state.choices.for_document(&snapshot.uri);
    let cancel = Cancel::default();
    let canceled = Arc::clone(&cancel.0);
    let run = move |it: &Snapshot| {
        if it.is_excluded() {
            return T::default();
        }
        let (file, path) = (it.file(), it.path());
        let inputs = state.inputs.find(it, workspace.open());
        let samples = workspace.visible_to(path);
        let context = state
            .evaluation_cache
            .context(path, samples, inputs, file.project());
        let policies = it.policy_setup(context);
        let limits = EvaluationLimits {
            canceled: Some(canceled),
            ..EvaluationLimits::within(PATIENCE)
        };
        let evaluator = Evaluator {
            policies: file.policies(),
            programs: it.programs(),
            server: &policies.setup,
            inputs: &policies.context.inputs,
            limits: &limits,
        };
        work(&evaluator, &choices)
    };
    let result = session.analyze(Lane::Request, task, snapshot, run).await;
    drop(cancel);
    result
}

/// Cancels an evaluation when it is dropped.
#[derive(Default)]
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
