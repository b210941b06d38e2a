//! Message expressions: the message of a failure that `messageExpression` produces.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/validator.go, Validate;
//! kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! evalMessageExpression.

use cel::Value;

/// Limit: the bytes of a message of a message expression.
const MAX_MESSAGE: usize = 5 * 1024;

/// Returns the message of a message expression. `None` if the server does not use its value: it is
/// blank, too long, or has line breaks.
pub(super) fn message(value: &Value) -> Option<&str> {
    let message = value.as_str()?.trim();
    let is_used = !message.is_empty() && message.len() <= MAX_MESSAGE && !message.contains('\n');
    is_used.then_some(message)
}
