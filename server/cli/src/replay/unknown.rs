//! When the result of a policy for an object is unknown.
//!
//! A dump need not hold the namespaces and parameters of the cluster. Treating missing ones
//! as absent would silently give a wrong result.

use super::bound_policy::Policy;
use admission::matching::{Mismatch, MismatchKind};
use admission::{PolicyResult, PolicyResultKind};
use policy::Kind;

const PARAMS: &str = "the parameters of the policy are missing";
const UNBOUND: &str = "no binding selects the parameters of the policy";
const MUTATION: &str = "the result of an earlier mutating policy is unknown";

/// The unknown parts of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unknown {
    /// Whether parameters may be missing.
    pub(super) params: bool,
    /// The changes of mutating policies, which may be unknown.
    pub(super) mutation: bool,
}

/// A policy with a binding, and its result.
pub(super) struct UnknownCheck<'a> {
    pub(super) policy: &'a Policy,
    pub(super) result: &'a PolicyResult,
    /// Whether it has parameters that no binding selects.
    pub(super) lacks_params: bool,
}

impl Unknown {
    /// Returns why the result of a policy is unknown. The changes of a mutating policy are then
    /// also unknown.
    pub(super) fn reason<'a>(&mut self, check: &UnknownCheck<'a>) -> Option<&'a str> {
        let reason = self.why(check)?;
        self.mutation |= check.policy.document.kind() == Kind::MutatingAdmissionPolicy;
        Some(reason)
    }

    fn why<'a>(&self, check: &UnknownCheck<'a>) -> Option<&'a str> {
        let UnknownCheck {
            result,
            lacks_params,
            ..
        } = *check;
        match &result.outcome {
            PolicyResultKind::Mismatch(it) | PolicyResultKind::BindingMismatch(it) => {
                (self.mutation && is_by_labels(it)).then_some(MUTATION)
            }
            PolicyResultKind::Unbound => None,
            PolicyResultKind::NoParams => self.params.then_some(PARAMS),
            PolicyResultKind::Unknown(why) => Some(why),
            PolicyResultKind::Stopped(reason) => Some(reason),
            PolicyResultKind::NotConfigured { lacks_params, .. } => {
                (self.params && *lacks_params).then_some(PARAMS)
            }
            PolicyResultKind::Validated(_) | PolicyResultKind::Mutated(_) => {
                if lacks_params {
                    Some(UNBOUND)
                } else {
                    self.mutation.then_some(MUTATION)
                }
            }
        }
    }
}

/// Returns whether the labels of the object decide, which a mutation may change.
fn is_by_labels(mismatch: &Mismatch) -> bool {
    mismatch.kind == MismatchKind::ObjectSelector
}
