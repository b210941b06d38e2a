//! Policies, without their expressions.

use super::{MatchResources, ParamKind, Word, field, text_of, word};
use std::sync::Arc;
use yaml::Node;

/// The `spec` of a validating or a mutating policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// `paramKind`.
    pub param_kind: Option<ParamKind>,
    /// `matchConstraints`.
    pub match_constraints: Option<Arc<MatchResources>>,
    /// `failurePolicy`.
    pub failure_policy: Option<Word>,
    /// `reinvocationPolicy` of a mutating policy.
    pub reinvocation_policy: Option<Word>,
}

impl Policy {
    pub(crate) fn read(spec: Node<'_>) -> Self {
        let match_constraints = field(spec, "matchConstraints").map(MatchResources::read);
        Self {
            param_kind: field(spec, "paramKind").and_then(ParamKind::read),
            match_constraints: match_constraints.map(Arc::new),
            failure_policy: word(spec, "failurePolicy"),
            reinvocation_policy: word(spec, "reinvocationPolicy"),
        }
    }

    /// Returns whether a failure denies the request.
    #[must_use]
    pub fn fails(&self) -> bool {
        text_of(self.failure_policy.as_ref()) != "Ignore"
    }

    /// Returns whether the policy is evaluated again after others have changed the object.
    #[must_use]
    pub fn is_reinvoked(&self) -> bool {
        text_of(self.reinvocation_policy.as_ref()) == "IfNeeded"
    }
}
