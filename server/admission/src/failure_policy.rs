//! The failure policy: the outcome of a policy whose evaluation fails as a whole.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/validator.go, Validate.

use super::decision::{Decision, Verdict};
use policy::manifest::FailurePolicy;

/// Returns the outcome of a policy whose match conditions fail. If failures are ignored, none of
/// its validations is evaluated.
pub(super) fn match_conditions_failed(
    failure_policy: FailurePolicy,
    message: String,
) -> (Verdict, Vec<Decision>) {
    match failure_policy {
        FailurePolicy::Fail => failed(failure_policy, message),
        FailurePolicy::Ignore => (Verdict::Ignored, Vec::new()),
    }
}

/// Returns the outcome of a policy that fails later: one decision for the whole policy.
pub(super) fn failed(failure_policy: FailurePolicy, message: String) -> (Verdict, Vec<Decision>) {
    let decisions = vec![Decision::error(None, message, failure_policy)];
    (Verdict::from_decisions(&decisions), decisions)
}
