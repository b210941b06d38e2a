//! The rules of a label selector.
//!
//! Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/validation/validation.go,
//! ValidateLabelSelector.

use super::error::{ApiRule, Errors};
use super::metadata::labels;
use super::slot::Slot;
use crate::field_error::ErrorType;
use kubernetes::names::format::{label_value, qualified_name};

const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

/// Checks a selector, which may be absent.
pub(super) fn check(selector: &Slot<'_, '_>, errors: &mut Errors) {
    labels(&selector.child("matchLabels"), errors);
    let expressions = selector.child("matchExpressions");
    for requirement in expressions.items().into_iter().flatten() {
        check_requirement(&requirement, errors);
    }
}

fn check_requirement(requirement: &Slot<'_, '_>, errors: &mut Errors) {
    let values = requirement.child("values");
    let count = values.items().map(|items| items.len());
    let operator = requirement.child("operator");
    match (operator.string(), count) {
        (Some("In" | "NotIn"), Some(0)) => errors.required(
            &values,
            "must be specified when `operator` is 'In' or 'NotIn'",
        ),
        (Some("Exists" | "DoesNotExist"), Some(1..)) => errors.forbidden(
            &values,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
        (Some(text), _) if !OPERATORS.contains(&text) => {
            let detail = "not a valid selector operator";
            errors.push_rule(
                ApiRule::one_of(&OPERATORS),
                ErrorType::Invalid,
                &operator,
                detail,
            );
        }
        _ => {}
    }
    let key = requirement.child("key");
    if let Some(text) = key.string() {
        errors.all_invalid(&ApiRule::QualifiedName, &key, qualified_name(text));
    }
    for value in values.items().into_iter().flatten() {
        if let Some(text) = value.string() {
            errors.all_invalid(&ApiRule::LabelValue, &value, label_value(text));
        }
    }
}
