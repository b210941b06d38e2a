//! The rules of `reinvocationPolicy`, of mutating policies and webhooks.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateMutatingAdmissionPolicySpec, validateMutatingWebhook.

use super::error::Errors;
use super::resources::check_enumeration;
use super::slot::Slot;
use crate::manifest::ReinvocationPolicy;

/// Checks `reinvocationPolicy` of a policy, which must not be empty.
pub(super) fn check_policy(reinvocation: &Slot<'_, '_>, errors: &mut Errors) {
    if reinvocation.string() == Some("") {
        errors.required(reinvocation, "");
    } else {
        check_webhook(reinvocation, errors);
    }
}

/// Checks `reinvocationPolicy` of a webhook.
pub(super) fn check_webhook(reinvocation: &Slot<'_, '_>, errors: &mut Errors) {
    check_enumeration(reinvocation, &ReinvocationPolicy::VALUES, errors);
}
