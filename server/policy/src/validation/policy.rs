//! The rules of ValidatingAdmissionPolicy, and what it shares with
//! MutatingAdmissionPolicy.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateValidatingAdmissionPolicySpec.

use super::error::{ApiRule, Errors};
use super::resources::{check_constraints, check_enumeration};
use super::slot::{ObjectContent, Slot};
use super::{Check, match_conditions};
use crate::field_error::ErrorType;
use crate::manifest::FailurePolicy;
use kubernetes::names::format::{
    self, dns_1035_label, dns_subdomain, has_line_break, qualified_name,
};
use kubernetes::names::is_identifier;
use std::collections::HashSet;

/// Limit: audit annotations of a policy.
pub const MAX_AUDIT_ANNOTATIONS: usize = 20;
/// Limit: bytes of the expression of an audit annotation.
pub const MAX_VALUE_EXPRESSION: usize = 5 * 1024;

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
    check_audit_annotations(check, root, &annotations, errors);
}

/// Checks what both policies have.
pub(super) fn check_head(check: &Check<'_>, spec: &Slot<'_, '_>, errors: &mut Errors) {
    check_enumeration(&spec.child("failurePolicy"), &FailurePolicy::VALUES, errors);
    let param_kind = spec.child("paramKind");
    if param_kind.shape() == ObjectContent::Object {
        check_param_kind(&param_kind, errors);
    }
    check_constraints(&spec.child("matchConstraints"), errors);
    match_conditions::check(check, &spec.child("matchConditions"), errors);
    let variables = spec.child("variables");
    for variable in variables.items().into_iter().flatten() {
        check_variable(check, &variable, errors);
    }
}

fn check_param_kind(param_kind: &Slot<'_, '_>, errors: &mut Errors) {
    let api_version = param_kind.child("apiVersion");
    match api_version.string() {
        None => {}
        Some("") => errors.required(&api_version, ""),
        Some(text) => check_group_version(&api_version, text, errors),
    }
    let kind = param_kind.child("kind");
    match kind.string() {
        None => {}
        Some("") => errors.required(&kind, ""),
        Some(text) => {
            if let Some(detail) = format::kind(text) {
                errors.invalid(&kind, detail);
            }
        }
    }
}

fn check_group_version(slot: &Slot<'_, '_>, text: &str, errors: &mut Errors) {
    let mut parts = text.split('/');
    let (group, version) = match (parts.next(), parts.next(), parts.next()) {
        (Some(version), None, _) => ("", version),
        (Some(group), Some(version), None) => (group, version),
        _ => {
            let detail = format!("unexpected GroupVersion string: {text}");
            return errors.invalid(slot, detail);
        }
    };
    if !group.is_empty() {
        errors.joined_invalid(ApiRule::DnsSubdomain, slot, &dns_subdomain(group));
    }
    if version.is_empty() {
        errors.invalid(slot, "version must be specified");
    } else {
        errors.joined_invalid(ApiRule::DnsLabel, slot, &dns_1035_label(version));
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

/// An expression that must be there.
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
    let message_expression = validation.child("messageExpression");
    if is_blank(&message_expression) {
        errors.invalid(&message_expression, "must be non-empty if specified");
    }
    check.compile(&message_expression, errors);
    let message = validation.child("message");
    if is_blank(&message) {
        errors.invalid(&message, "must be non-empty if specified");
    } else if message
        .string()
        .is_some_and(|text| has_line_break(text.trim()))
    {
        errors.invalid(&message, "must not contain line breaks");
    }
    check_enumeration(&validation.child("reason"), &REASONS, errors);
}

/// Returns whether a string is blank; an empty one counts as absent.
pub(super) fn is_blank(slot: &Slot<'_, '_>) -> bool {
    slot.string()
        .is_some_and(|text| !text.is_empty() && text.trim().is_empty())
}

fn check_audit_annotations(
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
    let metadata = root.child("metadata");
    let policy = metadata.child("name").string().unwrap_or("");
    let mut keys = HashSet::new();
    for annotation in items {
        let key = annotation.child("key");
        if let Some(text) = key.string() {
            check_audit_key(&key, policy, text, errors);
            if !keys.insert(text) {
                errors.duplicate(&key);
            }
        }
        check_value_expression(check, &annotation.child("valueExpression"), errors);
    }
}

/// The key of the annotation in the audit log is the name of the policy, `/`, and this key.
fn check_audit_key(slot: &Slot<'_, '_>, policy: &str, key: &str, errors: &mut Errors) {
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
