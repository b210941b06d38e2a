//! The decision of a validation, and its message.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/validator.go,
//! Validate.

use super::message_expression;
use cel::Value;
use policy::PolicyDocument;
use policy::manifest::{FailurePolicy, Validation};

/// The budget is exceeded, and the evaluation ends.
pub(super) struct OutOfBudget;

/// The decision of a validation about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The index of its expression in [`PolicyDocument::expressions`]; `None` for the whole
    /// policy.
    pub index: Option<usize>,
    /// The outcome.
    pub outcome: DecisionOutcome,
}

/// The outcome of a validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionOutcome {
    /// It holds.
    Holds,
    /// It does not, and the request is denied.
    Denies {
        /// The message of the response.
        message: String,
        /// The reason for programs.
        reason: String,
    },
    /// It could not be evaluated.
    Fails {
        /// The message of the response.
        message: String,
        /// Whether the failure policy is Fail.
        denies: bool,
    },
}

/// The outcome of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A match condition is false: the policy is not evaluated. The number is the index of the
    /// condition in [`PolicyDocument::expressions`].
    Skipped(usize),
    /// A match condition fails, and the failure policy ignores it.
    Ignored,
    /// The request is allowed.
    Allowed,
    /// The request is denied.
    Denied,
}

impl Verdict {
    /// Returns the outcome of a policy whose validations have been evaluated.
    pub(super) fn from_decisions(decisions: &[Decision]) -> Self {
        if decisions.iter().any(|it| it.outcome.denies()) {
            Self::Denied
        } else {
            Self::Allowed
        }
    }
}

/// The value of an expression, or the server's error.
pub(super) struct Evaluated {
    pub(super) index: usize,
    pub(super) result: Result<Value, String>,
}

impl Decision {
    /// Returns the decision for a validation, or for the whole policy, that fails.
    pub(super) fn error(
        index: Option<usize>,
        message: String,
        failure_policy: FailurePolicy,
    ) -> Self {
        let denies = failure_policy.denies();
        let outcome = DecisionOutcome::Fails { message, denies };
        Self { index, outcome }
    }
}

impl DecisionOutcome {
    /// Returns whether the request is denied.
    #[must_use]
    pub fn denies(&self) -> bool {
        match self {
            DecisionOutcome::Holds => false,
            DecisionOutcome::Denies { .. } => true,
            DecisionOutcome::Fails { denies, .. } => *denies,
        }
    }
}

/// Returns the decision of a validation.
pub(super) fn decide(
    document: &PolicyDocument,
    entry: Validation<'_>,
    validation: &Evaluated,
    messages: Result<&[Evaluated], &OutOfBudget>,
    failure_policy: FailurePolicy,
) -> Decision {
    let index = Some(validation.index);
    let outcome = match (&validation.result, messages) {
        (Err(message), _) => return Decision::error(index, message.clone(), failure_policy),
        (Ok(_), Err(OutOfBudget)) => {
            let message = "failed messageExpression: validation failed due to running out of cost budget, no further validation rules will be run";
            return Decision::error(index, message.to_owned(), failure_policy);
        }
        (Ok(Value::Bool(true)), Ok(_)) => DecisionOutcome::Holds,
        (Ok(_), Ok(messages)) => {
            let made = messages.iter().find(|message| {
                let expression = document.expressions().get(message.index);
                expression.is_some_and(|it| document.node(it.owner) == entry.node())
            });
            DecisionOutcome::Denies {
                message: message(entry, made),
                reason: entry.reason().unwrap_or("Invalid").to_owned(),
            }
        }
    };
    Decision { index, outcome }
}

/// Returns the message: the value of `messageExpression`, otherwise `message`, otherwise the
/// expression.
fn message(entry: Validation<'_>, made: Option<&Evaluated>) -> String {
    let made = made.and_then(|made| message_expression::message(made.result.as_ref().ok()?));
    match made.or_else(|| entry.message()) {
        Some(message) => message.to_owned(),
        None => format!("failed expression: {}", entry.condition()),
    }
}
