//! The errors of an object, as the server reports them.

use crate::validation::ErrorType;
use cel::value::{EvalError, EvalErrorKind};
use yaml::Node;

/// An error of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct FieldError {
    /// The path of the field.
    pub(in super::super) field: String,
    /// The type.
    pub(in super::super) kind: ErrorType,
    /// The message, which begins with the type in words.
    pub(in super::super) message: String,
    /// Whether the evaluation of a rule failed.
    pub(super) is_failure: bool,
}

/// The result of the rules for an object.
#[derive(Debug, Default)]
pub(in super::super) struct Findings {
    pub(in super::super) errors: Vec<FieldError>,
    /// Errors that existed before, which do not deny the request.
    pub(in super::super) warnings: Vec<String>,
}

impl FieldError {
    /// Returns the error of a field. An empty path is the whole object.
    pub(super) fn new(field: String, kind: ErrorType, value: Option<String>, detail: &str) -> Self {
        let value = value.map_or_else(String::new, |value| format!(": {value}"));
        let colon = if detail.is_empty() { "" } else { ": " };
        let message = format!("{}{value}{colon}{detail}", kind.words());
        let field = match field.as_str() {
            "" => "<nil>".to_owned(),
            _ => field,
        };
        Self {
            field,
            kind,
            message,
            is_failure: false,
        }
    }
}

/// Returns whether an expression has exceeded its budget.
pub(super) fn is_over(error: &EvalError) -> bool {
    matches!(
        error.kind(),
        EvalErrorKind::CostLimit | EvalErrorKind::Cancelled
    )
}

/// Returns the message of the server for a rule that fails.
pub(crate) fn refusal(error: &EvalError, rule: &str) -> String {
    if error.to_string().starts_with("no such overload") {
        return format!(
            "'{error}': call arguments did not match a supported operator, function or macro signature for rule: {rule}"
        );
    }
    if is_over(error) {
        return format!(
            "'{error}': no further validation rules will be run due to call cost exceeds limit for rule: {rule}"
        );
    }
    format!("{error} evaluating rule: {rule}")
}

/// A rule as errors name it: by its message, or by itself.
pub(super) fn in_words(entry: Node<'_>) -> String {
    let text = |field: &str| {
        let text = entry.get(field).and_then(Node::as_str).map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    text("message").or_else(|| text("rule")).unwrap_or_default()
}
