//! The rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateValidatingWebhook, validateMutatingWebhook.

use super::error::{ApiRule, Errors};
use super::resources::{check_enumeration, check_rule};
use super::slot::{ObjectContent, Slot};
use super::{
    Check, client_config, failure_policy, match_conditions, reinvocation_policy, review_versions,
    selector,
};
use crate::kind::{ApiVersion, Kind};
use kubernetes::names::format::dns_subdomain;
use std::collections::HashSet;

const MATCH_POLICIES: [&str; 2] = ["Equivalent", "Exact"];
const SIDE_EFFECTS: [&str; 2] = ["None", "NoneOnDryRun"];

/// Checks all webhooks of a configuration.
pub(super) fn check(check: &Check<'_>, root: &Slot<'_, '_>, errors: &mut Errors) {
    let webhooks = root.child("webhooks");
    let mut names = HashSet::new();
    for webhook in webhooks.items().into_iter().flatten() {
        if webhook.shape() == ObjectContent::Wrong {
            continue;
        }
        check_name(&webhook.child("name"), &mut names, errors);
        check_webhook(check, &webhook, errors);
        // In `v1beta1` the default is one version.
        let needed = (check.document.version() == ApiVersion::V1)
            .then_some("must specify one of v1, v1beta1");
        review_versions::check(&webhook.child("admissionReviewVersions"), needed, errors);
    }
}

/// Checks a name, which needs at least three parts and must be unique.
fn check_name<'a>(name: &Slot<'_, 'a>, names: &mut HashSet<&'a str>, errors: &mut Errors) {
    let text = match name.string() {
        None => return,
        Some("") => return errors.required(name, ""),
        Some(text) => text,
    };
    let messages = dns_subdomain(text);
    if !messages.is_empty() {
        errors.joined_invalid(ApiRule::DnsSubdomain, name, &messages);
    } else if text.split('.').count() < 3 {
        errors.invalid(
            name,
            "should be a domain with at least three segments separated by dots",
        );
    }
    if !names.insert(text) {
        errors.duplicate(name);
    }
}

fn check_webhook(check: &Check<'_>, webhook: &Slot<'_, '_>, errors: &mut Errors) {
    let rules = webhook.child("rules");
    for rule in rules.items().into_iter().flatten() {
        check_rule(&rule, errors);
    }
    failure_policy::check(&webhook.child("failurePolicy"), errors);
    check_enumeration(&webhook.child("matchPolicy"), &MATCH_POLICIES, errors);
    check_side_effects(check, &webhook.child("sideEffects"), errors);
    let timeout = webhook.child("timeoutSeconds");
    if timeout
        .integer()
        .is_some_and(|seconds| !(1..=30).contains(&seconds))
    {
        errors.invalid(
            &timeout,
            "the timeout value must be between 1 and 30 seconds",
        );
    }
    selector::check(&webhook.child("namespaceSelector"), errors);
    selector::check(&webhook.child("objectSelector"), errors);
    if check.document.kind() == Kind::MutatingWebhookConfiguration {
        reinvocation_policy::check_webhook(&webhook.child("reinvocationPolicy"), errors);
    }
    client_config::check(&webhook.child("clientConfig"), errors);
    match_conditions::check(check, &webhook.child("matchConditions"), errors);
}

/// Checks `sideEffects`. In `v1beta1` an absent value becomes `Unknown`, which new webhooks cannot
/// have.
fn check_side_effects(check: &Check<'_>, slot: &Slot<'_, '_>, errors: &mut Errors) {
    if slot.is_set() {
        return check_enumeration(slot, &SIDE_EFFECTS, errors);
    }
    match check.document.version() {
        ApiVersion::V1 => errors.required(slot, "must specify one of None, NoneOnDryRun"),
        ApiVersion::V1beta1 | ApiVersion::V1alpha1 => errors.not_supported(slot, &SIDE_EFFECTS),
    }
}
