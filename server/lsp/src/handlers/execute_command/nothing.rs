//! Why a command has nothing to show.
//!
//! A click that does nothing looks like a defect, so the user is told in one line what is
//! missing and what to do. Every client gets the line as a message and shows nothing itself.

use crate::convert::to_lsp::CREATE_INPUT_TITLE;
use crate::session::Session;
use ide::evaluate::Evaluator;
use std::fmt;
use tower_lsp_server::ls_types as lsp;

/// Why there is nothing to show.
#[derive(Debug, Default)]
pub(super) enum Nothing {
    /// The file was not looked at.
    #[default]
    Excluded,
    /// The place is outside of every expression.
    NoExpression,
    /// The document is no policy, or is gone.
    NoPolicy,
    /// No input and no manifest matches the policy of this name.
    NoInput(String),
    /// The expression is not evaluated for the input of this name.
    NotEvaluated(String),
    /// A policy of this name and kind changes no objects.
    NotMutating(String, &'static str),
    /// The input of this name has no object, or the policy of the other name leaves it out.
    NoObject(String, String),
}

/// What a command has found out, or why it has nothing.
#[derive(Debug)]
pub(super) struct Found<T>(pub(super) Result<T, Nothing>);

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self(Err(Nothing::default()))
    }
}

impl Nothing {
    /// Returns why no candidate fits a policy of a file.
    pub(super) fn without_input(evaluator: &Evaluator<'_>, policy: usize) -> Self {
        match evaluator.file.policies().get(policy) {
            Some(document) => Self::NoInput(document.name().unwrap_or_default().to_owned()),
            None => Self::NoPolicy,
        }
    }

    /// Tells the user.
    pub(super) async fn show(&self, session: &Session) {
        let kind = lsp::MessageType::INFO;
        session.client.show_message(kind, self.to_string()).await;
    }
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded => f.write_str("`admissible.toml` excludes this file."),
            Self::NoExpression => f.write_str("There is no CEL expression here."),
            Self::NoPolicy => f.write_str("There is no policy here."),
            Self::NoInput(policy) => write!(
                f,
                "No input or manifest matches {}. The code action `{CREATE_INPUT_TITLE}` writes one.",
                named(policy)
            ),
            Self::NotEvaluated(input) => write!(
                f,
                "The expression is not evaluated for `{input}`: the policy leaves it out."
            ),
            Self::NotMutating(policy, kind) => {
                write!(f, "{} is a {}, which changes nothing.", named(policy), kind)
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
        "" => "The policy without a name".to_owned(),
        name => format!("`{name}`"),
    }
}
