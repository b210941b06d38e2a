//! Which requests a policy, a binding or a webhook matches.

use super::{NodeRange, Rule, Selector, StringField, field, items, word};
use yaml::Node;

/// `matchConstraints` of a policy, `matchResources` of a binding, or those fields of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResources {
    /// The mapping with the fields; the webhook itself.
    pub at: NodeRange,
    /// `matchPolicy`.
    pub match_policy: Option<StringField>,
    /// `namespaceSelector`.
    pub namespace_selector: Option<Selector>,
    /// `objectSelector`.
    pub object_selector: Option<Selector>,
    /// `resourceRules`, or `rules` of a webhook.
    pub rules: Vec<Rule>,
    /// The list of the rules.
    pub rules_at: Option<NodeRange>,
    /// `excludeResourceRules`.
    pub excluded: Vec<Rule>,
}

impl MatchResources {
    pub(super) fn read(node: Node<'_>) -> Self {
        let excluded = items(node, "excludeResourceRules").map(Rule::read);
        Self {
            excluded: excluded.collect(),
            ..Self::with_rules(node, "resourceRules")
        }
    }

    pub(super) fn from_webhook(webhook: Node<'_>) -> Self {
        Self::with_rules(webhook, "rules")
    }

    fn with_rules(node: Node<'_>, rules: &str) -> Self {
        Self {
            at: node.into(),
            match_policy: word(node, "matchPolicy"),
            namespace_selector: field(node, "namespaceSelector").map(Selector::read),
            object_selector: field(node, "objectSelector").map(Selector::read),
            rules: items(node, rules).map(Rule::read).collect(),
            rules_at: node.get(rules).map(NodeRange::from),
            excluded: Vec::new(),
        }
    }

    /// Returns the selectors of namespaces and of objects that are not empty.
    #[must_use]
    pub fn selectors(&self) -> [Option<&Selector>; 2] {
        let selectors = [&self.namespace_selector, &self.object_selector];
        selectors.map(|it| it.as_ref().filter(|selector| !selector.is_empty()))
    }

    /// Returns whether the rules match only the versions that they name.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let policy = self.match_policy.as_ref();
        policy.is_some_and(|policy| *policy.text == *"Exact")
    }
}
