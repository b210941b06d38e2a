//! `admissible.createInput`: creates a first admission input for a policy.
//!
//! A lens has a command and no edit, so the server sends the edit that the code action has.

use super::place::policy_number;
use super::snapshot;
use crate::commands::{CREATE_INPUT, PolicyArguments};
use crate::handlers::create_input::{OfPolicy, new_input};
use crate::session::Session;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// What a client is told that cannot do it, or where there is no policy.
const NOT_HERE: &str = "An input cannot be created here: there is no policy that looks at \
                        anything, or the editor applies no such edits.";

/// Asks the client to create the input, and does not wait until it has. Gives the file of
/// inputs.
pub(super) async fn create(
    session: &Arc<Session>,
    wanted: PolicyArguments,
) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = policy_number(session, CREATE_INPUT, &snapshot, wanted.policy).await?;
    let answers = session.capabilities().answers;
    let of = OfPolicy::Numbered(policy);
    let new = match answers.creates_files && answers.applies_edits {
        true => new_input(session, CREATE_INPUT, &snapshot, of).await?,
        false => None,
    };
    let Some(new) = new else {
        let kind = lsp::MessageType::WARNING;
        session.client.show_message(kind, NOT_HERE).await;
        return Ok(None);
    };
    let task = Arc::clone(session);
    tokio::spawn(async move {
        // A client that refuses has told its user why.
        let _ = task.client.apply_edit(new.edit).await;
    });
    Ok(Some(json!({ "uri": new.uri })))
}
