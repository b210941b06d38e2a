//! The rules of `messageExpression` of a validation.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateValidation.

use super::Check;
use super::error::Errors;
use super::slot::Slot;

/// Checks `messageExpression`, which must not be blank.
pub(super) fn check(check: &Check<'_>, message_expression: &Slot<'_, '_>, errors: &mut Errors) {
    if message_expression.is_blank() {
        errors.invalid(message_expression, "must be non-empty if specified");
    }
    check.compile(message_expression, errors);
}
