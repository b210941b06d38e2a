//! The reasons why a command has no result.
//!
//! A click without any effect looks like a bug, so a one-line message states what is missing and
//! what to do. Every client gets it and shows nothing itself.

use crate::convert::to_lsp::CREATE_INPUT_TITLE;
use crate::handlers::evaluation::evaluate as evaluate_policies;
use crate::session::Session;
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use evaluation::run::Evaluator;
use std::fmt;
use std::sync::Arc;
use tower_lsp_server::jsonrpc;
use tower_lsp_server::ls_types as lsp;

/// The reason why there is no result.
#[derive(Debug)]
pub(super) enum NoResult {
    /// The file is excluded.
    Excluded,
    /// There is no expression at the position.
    NoExpression,
    /// The document is not a policy, or no longer exists.
    NoPolicy,
    /// No input and no manifest matches the policy of this name.
    NoInput(String),
    /// The expression is not evaluated for the input of this name. The message of the API server if
    /// it rejects the request before.
    NotEvaluated(String, Option<String>),
    /// A policy of this name and kind changes no objects.
    NotMutating(String, &'static str),
    /// The input of this name has no object, or the policy of the other name does not match it.
    NoObject(String, String),
}

/// Evaluates the policies of a snapshot for a command. If there is no result, the user is notified
/// of the reason.
pub(super) async fn evaluate<T: Send + 'static>(
    session: &Session,
    command: &'static str,
    snapshot: &Arc<Snapshot>,
    work: impl FnOnce(&Evaluator<'_>, &DocumentChoices) -> Result<T, NoResult> + Send + 'static,
) -> jsonrpc::Result<Option<T>> {
    let work =
        |evaluator: &Evaluator<'_>, choices: &DocumentChoices| Some(work(evaluator, choices));
    let found = evaluate_policies(session, command, snapshot, work).await?;
    match found.unwrap_or(Err(NoResult::Excluded)) {
        Ok(result) => Ok(Some(result)),
        Err(reason) => {
            let kind = lsp::MessageType::INFO;
            session.client.show_message(kind, reason.to_string()).await;
            Ok(None)
        }
    }
}

impl NoResult {
    /// Returns the reason why a policy has no input.
    pub(super) fn without_input(evaluator: &Evaluator<'_>, policy: usize) -> Self {
        match evaluator.policies.get(policy) {
            Some(document) => Self::NoInput(document.name().unwrap_or_default().to_owned()),
            None => Self::NoPolicy,
        }
    }
}

impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded => f.write_str("`admissible.toml` excludes this file."),
            Self::NoExpression => f.write_str("There is no CEL expression here."),
            Self::NoPolicy => f.write_str("There is no policy here."),
            Self::NoInput(policy) => write!(
                f,
                "No input or manifest matches {}. Use the code action `{CREATE_INPUT_TITLE}` to \
                 create one.",
                named(policy)
            ),
            Self::NotEvaluated(input, rejection) => write!(
                f,
                "The expression is not evaluated for `{input}`: {}.",
                rejection
                    .as_deref()
                    .unwrap_or("the policy does not match it")
            ),
            Self::NotMutating(policy, kind) => {
                write!(
                    f,
                    "There is no change to show: {} is a {kind}.",
                    named(policy)
                )
            }
            Self::NoObject(input, policy) => write!(
                f,
                "`{input}` has no object that {} could change.",
                named(policy)
            ),
        }
    }
}

fn named(policy: &str) -> String {
    match policy {
        "" => "the unnamed policy".to_owned(),
        name => format!("`{name}`"),
    }
}
