//! Asking `ide` for evaluations of a snapshot.

use crate::analysis::{Analysis, Lane};
use crate::documents::Snapshot;
use crate::evaluation::{Choices, Deadline};
use crate::samples;
use crate::session::Session;
use ide::evaluate::{Setup, Trial};
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;

/// What `work` finds out by trying the policies of a snapshot on the manifests at hand, with
/// what the user has chosen. It is cut short when it takes too long, or when nobody waits
/// for it any more.
pub(crate) async fn try_policies<T: Default + Send + 'static>(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Trial<'_>, &Choices) -> T + Send + 'static,
) -> Result<T> {
    let view = samples::view(session);
    let choices = session.evaluations.of(&snapshot.uri);
    let deadline = Deadline::start();
    let limits = deadline.limits();
    let run = move |analysis: &dyn Analysis, it: &Snapshot| {
        if it.governing().excluded {
            return T::default();
        }
        let file = it.file(analysis);
        let (around, mut candidates) = view.around(&it.path(), file.project().kinds());
        ide::evaluate::order(&mut candidates, Some(&it.path()));
        let programs = it.programs(analysis);
        let trial = Trial {
            file,
            programs,
            setup: &Setup::new(file, programs, &around),
            candidates: &candidates,
            limits: &limits,
        };
        work(&trial, &choices)
    };
    let result = session.analyse(Lane::Request, task, snapshot, run).await;
    drop(deadline);
    result
}
