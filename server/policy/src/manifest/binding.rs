//! Bindings: the policy, the resources that it applies to, and its parameters.

use super::{MatchResources, NodeRange, ParamRef, Rule, Selector, StringField, field, word, words};
use std::sync::Arc;
use yaml::Node;

/// The `spec` of a binding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// `policyName`.
    pub policy_name: Option<StringField>,
    /// `paramRef`.
    pub param_ref: Option<ParamRef>,
    /// `matchResources`.
    pub match_resources: Option<Arc<MatchResources>>,
    /// `validationActions`.
    pub validation_actions: Vec<StringField>,
    /// The list of the actions.
    pub actions_at: Option<NodeRange>,
}

impl Binding {
    /// Reads `spec`.
    #[must_use]
    pub fn read(spec: Node<'_>) -> Self {
        let match_resources = field(spec, "matchResources").map(MatchResources::read);
        Self {
            policy_name: word(spec, "policyName"),
            param_ref: ParamRef::read(spec),
            match_resources: match_resources.map(Arc::new),
            validation_actions: words(spec, "validationActions"),
            actions_at: spec.get("validationActions").map(NodeRange::from),
        }
    }

    /// Returns the rules of `matchResources`. Without any the binding is for all that the
    /// policy matches.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        self.match_resources.as_ref().map_or(&[], |it| &it.rules)
    }

    /// Returns the excluded rules and the selectors that are not empty.
    #[must_use]
    pub fn exclusions(&self) -> (&[Rule], [Option<&Selector>; 2]) {
        let resources = self.match_resources.as_ref();
        resources.map_or((&[], [None, None]), |it| (&it.excluded, it.selectors()))
    }
}
