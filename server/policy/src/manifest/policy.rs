//! Policies, without their expressions.

use super::{
    FailurePolicy, MatchResources, NodeRange, ParamKind, ReinvocationPolicy, Rule, StringField,
    field, items, word,
};
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
    pub failure_policy: FailurePolicy,
    /// `reinvocationPolicy` of a mutating policy.
    pub reinvocation_policy: ReinvocationPolicy,
    /// `variables`.
    pub variables: Vec<Variable>,
    /// The value of `variables`, regardless of its type.
    pub variables_at: Option<NodeRange>,
}

/// An entry of `variables`, without its expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The whole entry.
    pub at: NodeRange,
    /// `name`.
    pub name: Option<StringField>,
    /// The value of `name`, regardless of its type.
    pub name_at: Option<NodeRange>,
}

impl Policy {
    pub(crate) fn read(spec: Node<'_>) -> Self {
        let match_constraints = field(spec, "matchConstraints").map(MatchResources::read);
        Self {
            param_kind: ParamKind::read(spec),
            match_constraints: match_constraints.map(Arc::new),
            failure_policy: FailurePolicy::read(spec),
            reinvocation_policy: ReinvocationPolicy::read(spec),
            variables: items(spec, "variables").map(Variable::read).collect(),
            variables_at: spec.get("variables").map(NodeRange::from),
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
