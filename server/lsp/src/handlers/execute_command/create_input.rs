//! `admissible.createInput`: creates a first admission input for a policy.
//!
//! A lens has a command instead of an edit, so the server sends the edit of the code action.

use super::policy_index::policy_index;
use super::snapshot;
use crate::commands::{CREATE_INPUT, PolicyArguments, PolicySelector};
use crate::handlers::create_input::new_input;
use crate::session::{Session, detach};
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// The message if there is no policy, or the client cannot apply the edit.
const NOT_HERE: &str = "Cannot create an input here: there is no policy that matches a \
                        resource, or the editor does not support the edit.";

/// Sends a request to create the input, without waiting for the response. Returns the inputs
/// file.
pub(super) async fn create(
    session: &Arc<Session>,
    wanted: PolicyArguments,
) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = policy_index(session, CREATE_INPUT, &snapshot, wanted.policy).await?;
    let answers = session.capabilities().answers;
    let mut new = None;
    if answers.creates_files && answers.applies_edits {
        let policy = PolicySelector::Index { policy };
        new = new_input(session, CREATE_INPUT, &snapshot, policy).await?;
    }
    let Some(new) = new else {
        let kind = lsp::MessageType::WARNING;
        session.client.show_message(kind, NOT_HERE).await;
        return Ok(None);
    };
    let task = Arc::clone(session);
    detach(async move {
        // A client that fails has shown the reason to its user.
        let _ = task.client.apply_edit(new.edit).await;
    });
    Ok(Some(json!({ "uri": new.uri })))
}
