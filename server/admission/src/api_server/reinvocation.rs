//! Reinvocation: the mutating policies that are evaluated again in the same request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/reinvocationcontext.go.

use super::invocation::Invocation;
use kubernetes::metadata_field;
use policy::manifest::ReinvocationPolicy;
use std::collections::HashSet;

/// The names of a mutating policy, its binding and its parameters.
type Key = (String, String, String);

/// The policies to reinvoke.
#[derive(Default)]
pub(super) struct Reinvocation {
    /// The policies to reinvoke if the object changes later.
    previous: Vec<Key>,
    /// The policies that are reinvoked.
    reinvoked: HashSet<Key>,
}

impl Reinvocation {
    /// Adds a policy that has been evaluated, if its reinvocation policy allows it.
    pub(super) fn add(&mut self, invocation: &Invocation<'_>) {
        let policy = invocation.policy.document.policy();
        if policy.map(|it| it.reinvocation_policy) == Some(ReinvocationPolicy::IfNeeded) {
            self.previous.push(key(invocation));
        }
    }

    /// Requires that the policies so far are reinvoked, since the object has changed.
    pub(super) fn require(&mut self) {
        self.reinvoked.extend(self.previous.drain(..));
    }

    /// Returns whether a policy is reinvoked.
    pub(super) fn includes(&self, invocation: &Invocation<'_>) -> bool {
        self.reinvoked.contains(&key(invocation))
    }

    /// Returns whether no policy is reinvoked.
    pub(super) fn is_empty(&self) -> bool {
        self.reinvoked.is_empty()
    }
}

fn key(invocation: &Invocation<'_>) -> Key {
    let params = invocation.params.map_or("", |params| {
        metadata_field(params, "name").unwrap_or_default()
    });
    (
        invocation.policy.name().to_owned(),
        invocation.binding_name().unwrap_or_default().to_owned(),
        params.to_owned(),
    )
}
