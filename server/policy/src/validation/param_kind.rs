//! The rules of `paramKind`.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateParamKind.

use super::error::{ApiRule, Errors};
use super::slot::{ObjectContent, Slot};
use kubernetes::names::format::{self, dns_1035_label, dns_subdomain};

/// Checks `paramKind` of a policy.
pub(super) fn check(param_kind: &Slot<'_, '_>, errors: &mut Errors) {
    if param_kind.shape() != ObjectContent::Object {
        return;
    }
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
