//! The audit annotation about validations that do not hold, for bindings with the action Audit.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
//! ValidationFailureValue.

use super::invocation::Invocation;
use kubernetes::ServerVersion;
use kubernetes::versions::changes::ALL_FAILURES_AUDITED;
use serde::Serialize;

/// The key of the annotation.
pub(super) const KEY: &str = "validation.policy.admission.k8s.io/validation_failure";

/// A validation that does not hold, with the fields and the order of the server.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failure {
    message: String,
    policy: String,
    binding: String,
    /// The index among the decisions of the policy.
    expression_index: usize,
    validation_actions: Vec<String>,
}

impl Failure {
    pub(super) fn new(invocation: &Invocation<'_>, index: usize, message: &str) -> Self {
        let actions = invocation.binding.map(|binding| &*binding.actions);
        let actions = actions.unwrap_or_default().iter();
        Self {
            message: message.to_owned(),
            policy: invocation.policy.name().to_owned(),
            binding: invocation.binding_name().unwrap_or_default().to_owned(),
            expression_index: index,
            validation_actions: actions.map(ToString::to_string).collect(),
        }
    }
}

/// Limit: the failures in the annotation.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
/// maxValidationFailures.
const MAX_FAILURES: usize = 50;

/// Returns the value of the annotation: JSON as Go encodes it, escaped for HTML. `None` without
/// failures.
pub(super) fn value(failures: &[Failure], server: ServerVersion) -> Option<String> {
    let most = if ALL_FAILURES_AUDITED.applies(server) {
        MAX_FAILURES
    } else {
        1
    };
    let failures = failures.get(..most).unwrap_or(failures);
    if failures.is_empty() {
        return None;
    }
    let json = serde_json::to_string(failures).unwrap_or_default();
    let mut value = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => value.push_str("\\u003c"),
            '>' => value.push_str("\\u003e"),
            '&' => value.push_str("\\u0026"),
            '\u{2028}' => value.push_str("\\u2028"),
            '\u{2029}' => value.push_str("\\u2029"),
            other => value.push(other),
        }
    }
    Some(value)
}
