//! The policy of a command, by its index from a lens or by the position of the cursor.

use crate::commands::PolicySelector;
use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;

/// Returns the index of a policy. At a position it is the last one that starts there or before,
/// otherwise the first: a comment above a policy belongs to it or to the one before.
pub(super) async fn policy_index(
    session: &Session,
    task: &'static str,
    snapshot: &Arc<Snapshot>,
    policy: PolicySelector,
) -> Result<usize> {
    let position = match policy {
        PolicySelector::Index { policy } => return Ok(policy),
        PolicySelector::At { position } => position,
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
