//! The rules of ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateValidatingAdmissionPolicyBindingSpec, validateMutatingAdmissionPolicyBindingSpec.

use super::error::{ApiRule, Errors};
use super::resources::{check_match_resources, check_mutating_operations};
use super::slot::{ObjectContent, Slot};
use super::{Check, selector};
use crate::field_error::ErrorType;
use crate::kind::ApiVersion;
use kubernetes::names::format::{dns_subdomain, path_segment};
use std::collections::HashSet;

const ACTIONS: [&str; 3] = ["Audit", "Deny", "Warn"];
/// In the order in which the server lists them.
const NOT_FOUND_ACTIONS: [&str; 2] = ["Deny", "Allow"];
const BOTH: &str = "name and selector are mutually exclusive";

/// Checks the `spec` of a ValidatingAdmissionPolicyBinding.
pub(super) fn check_validating(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == ObjectContent::Wrong {
        return;
    }
    check_head(check, &spec, errors);
    check_actions(&spec.child("validationActions"), errors);
}

/// Checks the `spec` of a MutatingAdmissionPolicyBinding.
pub(super) fn check_mutating(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let spec = root.child("spec");
    if spec.shape() == ObjectContent::Wrong {
        return;
    }
    check_head(check, &spec, errors);
    check_mutating_operations(&spec.child("matchResources"), errors);
}

fn check_head(check: &Check<'_>, spec: &Slot<'_, '_>, errors: &mut Errors) {
    let name = spec.child("policyName");
    match name.string() {
        None => {}
        Some("") => errors.required(&name, ""),
        Some(text) => errors.all_invalid(&ApiRule::DnsSubdomain, &name, dns_subdomain(text)),
    }
    let param_ref = spec.child("paramRef");
    if param_ref.shape() == ObjectContent::Object {
        check_param_ref(check, &param_ref, errors);
    }
    let resources = spec.child("matchResources");
    if resources.shape() == ObjectContent::Object {
        check_match_resources(&resources, errors);
    }
}

fn check_param_ref(check: &Check<'_>, param_ref: &Slot<'_, '_>, errors: &mut Errors) {
    let name = param_ref.child("name");
    let selector = param_ref.child("selector");
    let named = name.string().is_none_or(|text| !text.is_empty());
    if let Some(text) = name.string().filter(|text| !text.is_empty()) {
        errors.all_invalid(&ApiRule::Other, &name, path_segment(text));
    }
    selector::check(&selector, errors);
    if named && selector.is_set() {
        for slot in [&name, &selector] {
            errors.push_rule(ApiRule::NameOrSelector, ErrorType::Forbidden, slot, BOTH);
        }
    }
    if !named && !selector.is_set() {
        let detail = "one of name or selector must be specified";
        errors.push_rule(
            ApiRule::NameOrSelector,
            ErrorType::Required,
            param_ref,
            detail,
        );
    }
    let action = param_ref.child("parameterNotFoundAction");
    match action.string() {
        // In that version, an absent action becomes `Deny`.
        Some("") if check.document.version() == ApiVersion::V1alpha1 && !action.is_set() => {}
        None | Some("Deny" | "Allow") => {}
        Some("") => errors.required(&action, ""),
        Some(_) => errors.not_supported(&action, &NOT_FOUND_ACTIONS),
    }
}

fn check_actions(actions: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = actions.items() else {
        return;
    };
    let empty = items.len() == 0;
    let mut seen = HashSet::new();
    for action in items {
        let Some(text) = action.string() else {
            continue;
        };
        if !ACTIONS.contains(&text) {
            errors.not_supported(&action, &ACTIONS);
        }
        if !seen.insert(text) {
            errors.push(ErrorType::Duplicate, &action, "");
        }
    }
    if seen.contains("Deny") && seen.contains("Warn") {
        errors.push_rule(
            ApiRule::DenyAndWarn,
            ErrorType::Invalid,
            actions,
            "must not contain both Deny and Warn (repeating the same validation failure \
             information in the API response and headers serves no purpose)",
        );
    }
    if empty {
        errors.required(actions, "at least one validation action is required");
    }
}
