//! Policies, without their expressions.

use super::{MatchResources, NodeRange, ParamKind, Rule, StringField, field, items, text_of, word};
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
    pub failure_policy: Option<StringField>,
    /// `reinvocationPolicy` of a mutating policy.
    pub reinvocation_policy: Option<StringField>,
    /// `variables`.
    pub variables: Vec<Variable>,
}

/// An entry of `variables`, without its expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The whole entry.
    pub at: NodeRange,
    /// `name`.
    pub name: Option<StringField>,
    /// The value of `name`, whatever its type.
    pub name_at: Option<NodeRange>,
}

impl Policy {
    pub(crate) fn read(spec: Node<'_>) -> Self {
        let match_constraints = field(spec, "matchConstraints").map(MatchResources::read);
        Self {
            param_kind: ParamKind::read(spec),
            match_constraints: match_constraints.map(Arc::new),
            failure_policy: word(spec, "failurePolicy"),
            reinvocation_policy: word(spec, "reinvocationPolicy"),
            variables: items(spec, "variables").map(Variable::read).collect(),
        }
    }

    /// Returns the rules of `matchConstraints`.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        self.match_constraints.as_ref().map_or(&[], |it| &it.rules)
    }

    /// Returns the excluded rules of `matchConstraints`.
    #[must_use]
    pub fn excluded(&self) -> &[Rule] {
        let constraints = self.match_constraints.as_ref();
        constraints.map_or(&[], |it| &it.excluded)
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

impl Variable {
    fn read(node: Node<'_>) -> Self {
        Self {
            at: node.into(),
            name: word(node, "name"),
            name_at: field(node, "name").map(NodeRange::from),
        }
    }
}

/// Returns `key` of an audit annotation.
pub(crate) fn audit_annotation_key(node: Node<'_>) -> Option<&str> {
    node.get("key")?.as_str()
}
