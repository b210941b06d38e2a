//! What is wrong with an object, as the server says it.

use crate::validation::ErrorType;
use cel::value::{EvalError, EvalErrorKind};
use yaml::Node;

/// What is wrong with an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct FieldError {
    /// The path of the field.
    pub(in super::super) field: String,
    /// The type.
    pub(in super::super) kind: ErrorType,
    /// What is wrong, with the type in words before it.
    pub(in super::super) message: String,
    /// Whether a rule could not be evaluated.
    pub(super) is_failure: bool,
}

/// What the rules say of an object.
#[derive(Debug, Default)]
pub(in super::super) struct Findings {
    pub(in super::super) errors: Vec<FieldError>,
    /// What is wrong but was so before, which is no error.
    pub(in super::super) warnings: Vec<String>,
}

impl FieldError {
    /// The error of a field. An empty path stands for the whole object.
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

/// Whether an expression has taken all that it may.
pub(super) fn is_over(error: &EvalError) -> bool {
    matches!(
        error.kind(),
        EvalErrorKind::CostLimit | EvalErrorKind::Cancelled
    )
}

/// What the server says of a rule that fails.
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
