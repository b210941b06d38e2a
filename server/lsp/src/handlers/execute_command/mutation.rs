//! `admissible.showMutation`: what a mutating policy changes in the chosen input.

use super::nothing::{Found, Nothing};
use super::place::policy_number;
use super::snapshot;
use crate::commands::{PolicyArguments, SHOW_MUTATION};
use crate::convert::to_lsp;
use crate::handlers::evaluation::evaluate as evaluate_policies;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use ide::evaluate::{Evaluator, MutationChange};
use serde_json::Value;
use similar::TextDiff;
use std::fmt::Write as _;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// The lines around a change that a message shows.
const CONTEXT: usize = 3;

/// Gives the object before and after, or shows the difference to a client that does not.
pub(super) async fn show(session: &Arc<Session>, wanted: PolicyArguments) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = policy_number(session, SHOW_MUTATION, &snapshot, wanted.policy).await?;
    let work = move |evaluator: &Evaluator<'_>, choices: &DocumentChoices| {
        Found(change(evaluator, choices, policy))
    };
    let Found(change) = evaluate_policies(session, SHOW_MUTATION, &snapshot, work).await?;
    let change = match change {
        Ok(change) => change,
        Err(nothing) => {
            nothing.show(session).await;
            return Ok(None);
        }
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
) -> std::result::Result<MutationChange, Nothing> {
    let document = evaluator
        .file
        .policies()
        .get(policy)
        .ok_or(Nothing::NoPolicy)?;
    let name = || document.name().unwrap_or_default().to_owned();
    if !document.kind().is_mutating_policy() {
        return Err(Nothing::NotMutating(name(), document.kind().as_str()));
    }
    let candidate = evaluator.chosen_for(policy, choices.inputs.get(&policy));
    let candidate = candidate.ok_or_else(|| Nothing::without_input(evaluator, policy))?;
    let change = evaluator.mutation(policy, candidate);
    change.ok_or_else(|| Nothing::NoObject(candidate.input().label(), name()))
}

/// The change as a text.
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
