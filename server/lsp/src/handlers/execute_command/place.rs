//! Which policy a command is about: a client knows its number from a lens, or it knows where
//! the cursor is.

use crate::commands::PolicyPlace;
use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;

/// The number of a policy. At a position it is the last that begins there or before, else the
/// first: a comment above a policy belongs to it or to the one before.
pub(super) async fn policy_number(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    place: PolicyPlace,
) -> Result<usize> {
    let position = match place {
        PolicyPlace::Numbered { policy } => return Ok(policy),
        PolicyPlace::At { position } => position,
    };
    let encoding = session.capabilities().encoding;
    let work = move |it: &Snapshot| {
        let file = it.file();
        let offset = from_lsp::offset(file, position, encoding);
        let policies = file.policies().iter();
        let before = policies.take_while(|it| it.root().range().start() <= offset);
        before.count().saturating_sub(1)
    };
    session.analyze(Lane::Request, task, snapshot, work).await
}
