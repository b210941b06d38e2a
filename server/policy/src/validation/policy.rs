//! The rules of ValidatingAdmissionPolicy, and those that it shares with
//! MutatingAdmissionPolicy.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateValidatingAdmissionPolicySpec.

use super::error::{ApiRule, Errors};
use super::resources::{check_constraints, check_enumeration};
use super::slot::{ObjectContent, Slot};
use super::{
    Check, audit_annotations, failure_policy, match_conditions, message_expression, param_kind,
};
use crate::field_error::ErrorType;
use kubernetes::names::format::has_line_break;
use kubernetes::names::is_identifier;

const REASONS: [&str; 3] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const NOTHING_TO_DO: &str = "validations or auditAnnotations must contain at least one item";

/// Checks the `spec` of a ValidatingAdmissionPolicy.
pub(super) fn check(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == ObjectContent::Wrong {
        return;
    }
    check_head(check, &spec, errors);
    let validations = spec.child("validations");
    let annotations = spec.child("auditAnnotations");
    let counts = (
        validations.items().map(|items| items.len()),
        annotations.items().map(|items| items.len()),
    );
    if counts == (Some(0), Some(0)) {
        let rule = ApiRule::ValidationsOrAuditAnnotations;
        for slot in [&validations, &annotations] {
            errors.push_rule(rule.clone(), ErrorType::Required, slot, NOTHING_TO_DO);
        }
    }
    for validation in validations.items().into_iter().flatten() {
        check_validation(check, &validation, errors);
    }
    audit_annotations::check(check, root, &annotations, errors);
}

/// Checks the fields that both policies have.
pub(super) fn check_head(check: &Check<'_>, spec: &Slot<'_, '_>, errors: &mut Errors) {
    failure_policy::check(&spec.child("failurePolicy"), errors);
    param_kind::check(&spec.child("paramKind"), errors);
    check_constraints(&spec.child("matchConstraints"), errors);
    match_conditions::check(check, &spec.child("matchConditions"), errors);
    let variables = spec.child("variables");
    for variable in variables.items().into_iter().flatten() {
        check_variable(check, &variable, errors);
    }
}

fn check_variable(check: &Check<'_>, variable: &Slot<'_, '_>, errors: &mut Errors) {
    let name = variable.child("name");
    match name.string() {
        None => {}
        Some(text) if text.trim().is_empty() => errors.required(&name, "name is not specified"),
        Some(text) if is_identifier(text) => {}
        Some(_) => errors.push_rule(
            ApiRule::VariableName,
            ErrorType::Invalid,
            &name,
            "must be a valid CEL identifier",
        ),
    }
    check_expression(check, &variable.child("expression"), errors);
}

/// Checks a required expression.
fn check_expression(check: &Check<'_>, expression: &Slot<'_, '_>, errors: &mut Errors) {
    if expression
        .string()
        .is_some_and(|text| text.trim().is_empty())
    {
        errors.required(expression, "expression is not specified");
    }
    check.compile(expression, errors);
}

fn check_validation(check: &Check<'_>, validation: &Slot<'_, '_>, errors: &mut Errors) {
    check_expression(check, &validation.child("expression"), errors);
    message_expression::check(check, &validation.child("messageExpression"), errors);
    let message = validation.child("message");
    if message.is_blank() {
        errors.invalid(&message, "must be non-empty if specified");
    } else if message
        .string()
        .is_some_and(|text| has_line_break(text.trim()))
    {
        errors.invalid(&message, "must not contain line breaks");
    }
    check_enumeration(&validation.child("reason"), &REASONS, errors);
}
