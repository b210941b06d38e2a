//! The rule of `failurePolicy`, of policies and webhooks alike.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/admissionregistration/validation/validation.go,
//! validateFailurePolicy.

use super::error::Errors;
use super::resources::check_enumeration;
use super::slot::Slot;
use crate::manifest::FailurePolicy;

/// Checks `failurePolicy` of a policy or a webhook.
pub(super) fn check(failure_policy: &Slot<'_, '_>, errors: &mut Errors) {
    check_enumeration(failure_policy, &FailurePolicy::VALUES, errors);
}
