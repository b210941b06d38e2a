//! When nobody can tell what a policy says to an object.
//!
//! A dump need not hold the namespaces and parameters that a cluster has. To take what is not
//! given for absent would be an answer that is wrong without a word.

use super::judge::Row;
use super::policies::Policy;
use policy::Kind;
use policy::admission::matching::{Mismatch, MismatchKind};
use policy::admission::{NO_PARAMS, PolicyResult, PolicyResultKind};

const NAMESPACE: &str = "its namespace is missing";
const PARAMS: &str = "the parameters of the policy are missing";
const SCOPE: &str =
    "the scope of the parameters' kind is unknown: add its CustomResourceDefinition";
const UNBOUND: &str = "no binding selects the parameters of the policy";
const MUTATION: &str = "the result of an earlier mutating policy is unknown";

/// What is not known of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unknown {
    /// The namespace of the object.
    pub(super) namespace: bool,
    /// Whether there are parameters that nobody has given.
    pub(super) params: bool,
    /// What a policy has changed, or would have.
    pub(super) mutation: bool,
}

/// A policy with a binding, and how it was asked.
pub(super) struct Question<'a> {
    pub(super) policy: &'a Policy,
    pub(super) row: &'a Row,
    pub(super) result: &'a PolicyResult,
    /// Whether it takes parameters, and nothing says which.
    pub(super) lacks_params: bool,
    /// Whether it says anything, as far as that is known.
    pub(super) speaks: bool,
}

impl Unknown {
    /// Why nobody can tell what a policy says. From then on, what a mutating one changes is
    /// not known either.
    pub(super) fn reason(&mut self, question: &Question<'_>) -> Option<&'static str> {
        let reason = self.why(question)?;
        self.mutation |= question.policy.document.kind() == Kind::MutatingAdmissionPolicy;
        Some(reason)
    }

    fn why(&self, question: &Question<'_>) -> Option<&'static str> {
        let Question {
            policy,
            row,
            result,
            lacks_params,
            speaks,
        } = *question;
        match &result.outcome {
            PolicyResultKind::Mismatch(it) | PolicyResultKind::BindingMismatch(it) => {
                (self.mutation && is_by_labels(it)).then_some(MUTATION)
            }
            PolicyResultKind::Unbound => None,
            PolicyResultKind::NoParams => self.params.then_some(PARAMS),
            PolicyResultKind::Unknown(_) => Some(SCOPE),
            PolicyResultKind::NotConfigured(words) => {
                (self.params && words.ends_with(NO_PARAMS)).then_some(PARAMS)
            }
            PolicyResultKind::Validated(_) | PolicyResultKind::Mutated(_) => {
                if lacks_params {
                    Some(UNBOUND)
                } else if self.mutation {
                    Some(MUTATION)
                } else {
                    let decides = policy.reads_namespace || row.selects_namespace && speaks;
                    (self.namespace && decides).then_some(NAMESPACE)
                }
            }
        }
    }
}

/// Whether the labels of the object decide, which a mutation may change.
fn is_by_labels(mismatch: &Mismatch) -> bool {
    mismatch.kind == MismatchKind::ObjectSelector
}
