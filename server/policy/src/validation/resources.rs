//! The rules for match resources of a policy or a webhook: groups, versions, resources,
//! operations.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateMatchResources, validateNamedRuleWithOperations, validateRuleWithOperations,
//! validateRule, validateResources.

use super::error::{ApiRule, Errors};
use super::selector;
use super::slot::{ObjectContent, Slot};
use crate::field_error::ErrorType;
use kubernetes::names::format::path_segment;
use std::collections::HashSet;

/// The operations of a rule, sorted as the server lists them.
const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
/// A mutation cannot apply to a deletion.
const MUTATING_OPERATIONS: [&str; 4] = ["*", "CONNECT", "CREATE", "UPDATE"];
const SCOPES: [&str; 3] = ["*", "Cluster", "Namespaced"];
const MATCH_POLICIES: [&str; 2] = ["Equivalent", "Exact"];

/// Checks `matchConstraints` of a policy, which needs at least one rule.
pub(super) fn check_constraints(constraints: &Slot<'_, '_>, errors: &mut Errors) {
    match constraints.shape() {
        ObjectContent::Absent => errors.required(constraints, ""),
        ObjectContent::Wrong => {}
        ObjectContent::Object => {
            check_match_resources(constraints, errors);
            let rules = constraints.child("resourceRules");
            if rules.items().is_some_and(|items| items.len() == 0) {
                errors.required(&rules, "");
            }
        }
    }
}

/// Checks `matchConstraints` or `matchResources`, which may be absent.
pub(super) fn check_match_resources(resources: &Slot<'_, '_>, errors: &mut Errors) {
    check_enumeration(&resources.child("matchPolicy"), &MATCH_POLICIES, errors);
    selector::check(&resources.child("namespaceSelector"), errors);
    selector::check(&resources.child("objectSelector"), errors);
    for field in ["resourceRules", "excludeResourceRules"] {
        let rules = resources.child(field);
        for rule in rules.items().into_iter().flatten() {
            check_resource_names(&rule.child("resourceNames"), errors);
            check_rule(&rule, errors);
        }
    }
}

/// Checks that no rule of a mutating policy or its binding matches a deletion. The server names the
/// field without the index in the list.
pub(super) fn check_mutating_operations(resources: &Slot<'_, '_>, errors: &mut Errors) {
    let rules = resources.child("resourceRules");
    let path = rules.path_ref().child("operations");
    for rule in rules.items().into_iter().flatten() {
        let operations = rule.child("operations");
        for operation in operations.items().into_iter().flatten() {
            let supported = |text: &str| MUTATING_OPERATIONS.contains(&text);
            if operation.string().is_some_and(|text| !supported(text)) {
                errors.not_supported(&operation.with_path(path), &MUTATING_OPERATIONS);
            }
        }
    }
}

/// Checks a field with fixed values. An absent field gets its default or stays absent; an empty one
/// counts as a value.
pub(super) fn check_enumeration(slot: &Slot<'_, '_>, supported: &[&str], errors: &mut Errors) {
    if !slot.is_set() {
        return;
    }
    if slot.string().is_some_and(|text| !supported.contains(&text)) {
        errors.not_supported(slot, supported);
    }
}

fn check_resource_names(names: &Slot<'_, '_>, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for name in names.items().into_iter().flatten() {
        let Some(text) = name.string() else {
            continue;
        };
        errors.all_invalid(&ApiRule::Other, &name, path_segment(text));
        if !seen.insert(text) {
            errors.duplicate(&name);
        }
    }
}

/// Checks a rule of a policy or a webhook.
pub(super) fn check_rule(rule: &Slot<'_, '_>, errors: &mut Errors) {
    if rule.shape() == ObjectContent::Wrong {
        return;
    }
    check_wildcard_list(
        &rule.child("operations"),
        "if '*' is present, must not specify other operations",
        errors,
    );
    let operations = rule.child("operations");
    for operation in operations.items().into_iter().flatten() {
        let supported = |text: &str| OPERATIONS.contains(&text);
        if operation.string().is_some_and(|text| !supported(text)) {
            errors.not_supported(&operation, &OPERATIONS);
        }
    }
    check_wildcard_list(
        &rule.child("apiGroups"),
        "if '*' is present, must not specify other API groups",
        errors,
    );
    let versions = rule.child("apiVersions");
    check_wildcard_list(
        &versions,
        "if '*' is present, must not specify other API versions",
        errors,
    );
    for version in versions.items().into_iter().flatten() {
        if version.string() == Some("") {
            errors.required(&version, "");
        }
    }
    check_resources(&rule.child("resources"), errors);
    check_enumeration(&rule.child("scope"), &SCOPES, errors);
}

/// Checks a list that needs an item, and in which `*` must be the only one.
fn check_wildcard_list(list: &Slot<'_, '_>, detail: &str, errors: &mut Errors) {
    let Some(texts) = list.strings() else {
        return;
    };
    if texts.is_empty() {
        errors.required(list, "");
    }
    if texts.len() > 1 && texts.contains(&"*") {
        let rule = ApiRule::Wildcard("*".to_owned());
        errors.push_rule(rule, ErrorType::Invalid, list, detail);
    }
}

fn check_resources(list: &Slot<'_, '_>, errors: &mut Errors) {
    let Some(items) = list.items() else {
        return;
    };
    let mut seen = Wildcards::default();
    let count = items.len();
    if count == 0 {
        errors.required(list, "");
    }
    for item in items {
        match item.string() {
            None => {}
            Some("") => errors.required(&item, ""),
            Some(text) => seen.resource(&item, text, errors),
        }
    }
    if count > 1 && seen.double {
        errors.push_rule(
            ApiRule::Wildcard("*/*".to_owned()),
            ErrorType::Invalid,
            list,
            "if '*/*' is present, must not specify other resources",
        );
    }
    if seen.single && seen.plain {
        errors.push_rule(
            ApiRule::Wildcard("*".to_owned()),
            ErrorType::Invalid,
            list,
            "if '*' is present, must not specify other resources without subresources",
        );
    }
}

/// The entries of a list of resources so far.
#[derive(Default)]
struct Wildcards<'a> {
    /// Resources written `x/*`.
    all_subresources: HashSet<&'a str>,
    /// Subresources written `*/x`.
    of_all_resources: HashSet<&'a str>,
    /// `*/*`
    double: bool,
    /// `*`
    single: bool,
    /// Whether the last resource without a subresource is not `*`. The server uses only the last
    /// one.
    plain: bool,
}

impl<'a> Wildcards<'a> {
    fn resource(&mut self, slot: &Slot<'_, '_>, text: &'a str, errors: &mut Errors) {
        self.double |= text == "*/*";
        self.single |= text == "*";
        let Some((resource, subresource)) = text.split_once('/') else {
            self.plain = text != "*";
            return;
        };
        let mut report = |wildcard: String| {
            let detail = format!("if '{wildcard}' is present, must not specify {text}");
            errors.push_rule(
                ApiRule::Wildcard(wildcard),
                ErrorType::Invalid,
                slot,
                detail,
            );
        };
        if self.all_subresources.contains(resource) {
            report(format!("{resource}/*"));
        }
        if self.of_all_resources.contains(subresource) {
            report(format!("*/{subresource}"));
        }
        if subresource == "*" {
            self.all_subresources.insert(resource);
        }
        if resource == "*" {
            self.of_all_resources.insert(subresource);
        }
    }
}
