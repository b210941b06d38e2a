//! The messages of the server for rules that fail.

use cel::value::{EvalError, EvalErrorKind};

/// Returns whether an expression has exceeded its budget.
pub fn is_over(error: &EvalError) -> bool {
    matches!(
        error.kind(),
        EvalErrorKind::CostLimit | EvalErrorKind::Canceled
    )
}

/// Returns the message of the server for a rule that fails.
pub fn refusal(error: &EvalError, rule: &str) -> String {
    if matches!(error.kind(), EvalErrorKind::NoSuchOverload(_)) {
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
