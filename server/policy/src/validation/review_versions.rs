//! The rules of the versions of a review that a webhook accepts.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateAdmissionReviewVersions; kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go, validateConversionReviewVersions.

use super::error::{ApiRule, Errors};
use super::slot::Slot;
use kubernetes::names::format::dns_1035_label;
use std::collections::HashSet;

/// Checks a list of versions. `needed` is the message for an empty one; `None` if an empty one
/// gets a default.
pub(super) fn check(versions: &Slot<'_, '_>, needed: Option<&str>, errors: &mut Errors) {
    let Some(items) = versions.items() else {
        return;
    };
    if items.len() == 0 {
        if let Some(detail) = needed {
            errors.required(versions, detail);
        }
        return;
    }
    let mut seen = HashSet::new();
    for version in items {
        let Some(text) = version.string() else {
            return;
        };
        if seen.insert(text) {
            errors.all_invalid(&ApiRule::DnsLabel, &version, dns_1035_label(text));
        } else {
            errors.invalid(&version, "duplicate version");
        }
    }
    if !seen.contains("v1") && !seen.contains("v1beta1") {
        errors.invalid(versions, "must include at least one of v1, v1beta1");
    }
}
