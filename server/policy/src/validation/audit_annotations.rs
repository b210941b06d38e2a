//! The rules of audit annotations.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateAuditAnnotation.

use super::Check;
use super::error::{ApiRule, Errors};
use super::slot::Slot;
use crate::field_error::ErrorType;
use kubernetes::names::format::qualified_name;
use std::collections::HashSet;

/// Limit: audit annotations of a policy.
pub(crate) const MAX_AUDIT_ANNOTATIONS: usize = 20;
/// Limit: bytes of the expression of an audit annotation.
pub(crate) const MAX_VALUE_EXPRESSION: usize = 5 * 1024;

/// Checks the audit annotations of a policy.
pub(super) fn check(
    check: &Check<'_>,
    root: &Slot<'_, '_>,
    annotations: &Slot<'_, '_>,
    errors: &mut Errors,
) {
    let Some(items) = annotations.items() else {
        return;
    };
    if items.len() > MAX_AUDIT_ANNOTATIONS {
        let detail = format!("must not have more than {MAX_AUDIT_ANNOTATIONS} auditAnnotations");
        errors.invalid(annotations, detail);
    }
    let policy = root.child("metadata").child("name").string().unwrap_or("");
    let mut keys = HashSet::new();
    for annotation in items {
        let key = annotation.child("key");
        if let Some(text) = key.string() {
            check_key(&key, policy, text, errors);
            if !keys.insert(text) {
                errors.duplicate(&key);
            }
        }
        check_value_expression(check, &annotation.child("valueExpression"), errors);
    }
}

/// Checks a key. In the audit log, it follows the name of the policy and `/`.
fn check_key(slot: &Slot<'_, '_>, policy: &str, key: &str, errors: &mut Errors) {
    if policy.is_empty() {
        errors.invalid(slot, "requires metadata.name be non-empty");
    } else {
        errors.all_invalid(
            &ApiRule::QualifiedName,
            slot,
            qualified_name(&format!("{policy}/{key}")),
        );
    }
}

fn check_value_expression(check: &Check<'_>, slot: &Slot<'_, '_>, errors: &mut Errors) {
    match slot.string().map(|text| text.trim().len()) {
        None => {}
        Some(0) => errors.required(slot, "valueExpression is not specified"),
        Some(length) if length > MAX_VALUE_EXPRESSION => errors.push_rule(
            ApiRule::ValueExpressionLength,
            ErrorType::Required,
            slot,
            format!("must not exceed {MAX_VALUE_EXPRESSION} bytes in length"),
        ),
        Some(_) => check.compile(slot, errors),
    }
}
