//! Asking `ide` for evaluations of a snapshot.

use crate::analysis::{Analysis, Lane};
use crate::documents::Snapshot;
use crate::evaluation::{Choices, Deadline};
use crate::samples;
use crate::session::Session;
use ide::evaluate::Trial;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;

/// What `work` finds out by trying the policies of a snapshot on the inputs and manifests at
/// hand, with what the user has chosen. It is cut short when it takes too long, or when nobody
/// waits for it any more.
pub(crate) async fn try_policies<T: Default + Send + 'static>(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Trial<'_>, &Choices) -> T + Send + 'static,
) -> Result<T> {
    let manifests = samples::view(session);
    let inputs = Arc::clone(&session.inputs);
    let candidates = Arc::clone(&session.candidates);
    let choices = session.evaluations.of(&snapshot.uri);
    let deadline = Deadline::start();
    let limits = deadline.limits();
    let run = move |analysis: &dyn Analysis, it: &Snapshot| {
        if it.governing().excluded {
            return T::default();
        }
        let (file, path) = (it.file(analysis), it.path());
        let beside = inputs.beside(it, analysis, manifests.open());
        let samples = manifests.seen_by(&path, analysis);
        let around = candidates.around(&path, samples, beside, file.project().kinds());
        let tried = it.tried(analysis, around);
        let trial = Trial {
            file,
            programs: it.programs(analysis),
            setup: &tried.setup,
            candidates: &tried.around.candidates,
            limits: &limits,
        };
        work(&trial, &choices)
    };
    let result = session.analyse(Lane::Request, task, snapshot, run).await;
    drop(deadline);
    result
}
