//! `admissible.showMutation`: the changes that a mutating policy makes to the selected input.

use super::no_result::{NoResult, evaluate};
use super::policy_index::policy_index;
use super::snapshot;
use crate::commands::{PolicyArguments, SHOW_MUTATION};
use crate::convert::to_lsp;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use evaluation::run::{Evaluator, MutationChange};
use serde_json::Value;
use similar::TextDiff;
use std::fmt::Write as _;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// The number of context lines around a change.
const CONTEXT: usize = 3;

/// Returns the object before and after, or shows the difference if the client cannot.
pub(super) async fn show_mutation(
    session: &Arc<Session>,
    wanted: PolicyArguments,
) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = policy_index(session, SHOW_MUTATION, &snapshot, wanted.policy).await?;
    let work = move |evaluator: &Evaluator<'_>, choices: &DocumentChoices| {
        change(evaluator, choices, policy)
    };
    let Some(change) = evaluate(session, SHOW_MUTATION, &snapshot, work).await? else {
        return Ok(None);
    };
    if !session.capabilities().evaluation.shows_results {
        let kind = lsp::MessageType::INFO;
        session.client.show_message(kind, difference(&change)).await;
    }
    Ok(Some(to_lsp::mutation(&change)))
}

fn change(
    evaluator: &Evaluator<'_>,
    choices: &DocumentChoices,
    policy: usize,
) -> std::result::Result<MutationChange, NoResult> {
    let document = evaluator.policies.get(policy).ok_or(NoResult::NoPolicy)?;
    let name = || document.name().unwrap_or_default().to_owned();
    if !document.kind().is_mutating_policy() {
        return Err(NoResult::NotMutating(name(), document.kind().as_str()));
    }
    let candidate = evaluator
        .chosen_for(policy, choices.inputs.get(&policy))
        .ok_or_else(|| NoResult::without_input(evaluator, policy))?;
    let change = evaluator.mutation(policy, candidate);
    change.ok_or_else(|| NoResult::NoObject(candidate.input().label(), name()))
}

/// Returns the change as a unified diff.
fn difference(change: &MutationChange) -> String {
    let mut out = format!("{}\n", change.title);
    for error in &change.errors {
        let _ = writeln!(out, "error: {error}");
    }
    if change.before == change.after {
        out.push_str("nothing changes");
        return out;
    }
    let diff = TextDiff::from_lines(&change.before, &change.after);
    let _ = write!(out, "{}", diff.unified_diff().context_radius(CONTEXT));
    out
}
