//! Rules with operations: which operations on which resources.

use super::{NodeRange, StringField, word, words};
use kubernetes::names::ResourcePattern;
use yaml::Node;

/// An entry of `resourceRules`, `excludeResourceRules` or `rules`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The whole entry.
    pub at: NodeRange,
    /// `apiGroups`.
    pub groups: Vec<StringField>,
    /// `apiVersions`.
    pub versions: Vec<StringField>,
    /// `operations`.
    pub operations: Vec<StringField>,
    /// `resources`.
    pub resources: Vec<StringField>,
    /// `resourceNames`.
    pub names: Vec<StringField>,
    /// `scope`.
    pub scope: Option<StringField>,
}

impl Rule {
    /// Reads an entry of `resourceRules`, or of the rules of a webhook.
    #[must_use]
    pub fn read(node: Node<'_>) -> Self {
        Self {
            at: node.into(),
            groups: words(node, "apiGroups"),
            versions: words(node, "apiVersions"),
            operations: words(node, "operations"),
            resources: words(node, "resources"),
            names: words(node, "resourceNames"),
            scope: word(node, "scope"),
        }
    }

    /// Returns whether the rule matches cluster-scoped or namespaced resources only.
    #[must_use]
    pub fn namespaced(&self) -> Option<bool> {
        match &*self.scope.as_ref()?.text {
            "Namespaced" => Some(true),
            "Cluster" => Some(false),
            _ => None,
        }
    }

    /// Returns whether the rule has the operation.
    #[must_use]
    pub fn has_operation(&self, operation: &str) -> bool {
        has(&self.operations, operation)
    }

    /// Returns whether the rule has the group and the version.
    #[must_use]
    pub fn has_version(&self, group: &str, version: &str) -> bool {
        has(&self.groups, group) && has(&self.versions, version)
    }

    /// Returns whether the rule has the resource, or the subresource unless that is empty.
    #[must_use]
    pub fn has_resource(&self, plural: &str, subresource: &str) -> bool {
        self.patterns()
            .any(|pattern| pattern.matches(plural, subresource))
    }

    /// Returns whether the rule has a resource of that scope, not only a subresource.
    #[must_use]
    pub fn has_kind(&self, (group, version, plural): (&str, &str, &str), namespaced: bool) -> bool {
        self.has_version(group, version)
            && self.has_resource(plural, "")
            && self.namespaced().is_none_or(|it| it == namespaced)
    }

    /// Returns the parsed `resources`.
    pub fn patterns(&self) -> impl Iterator<Item = ResourcePattern<'_>> {
        self.resources
            .iter()
            .map(|word| ResourcePattern::parse(&word.text))
    }

    /// Returns whether the rule has every field that the API server requires.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let required = [
            &self.groups,
            &self.versions,
            &self.operations,
            &self.resources,
        ];
        required.iter().all(|list| !list.is_empty())
    }
}

/// Returns whether a list has a string or the wildcard.
#[must_use]
pub fn has(list: &[StringField], word: &str) -> bool {
    list.iter()
        .any(|entry| *entry.text == *word || *entry.text == *"*")
}

/// Returns whether a list has the wildcard.
#[must_use]
pub fn has_wildcard(list: &[StringField]) -> bool {
    list.iter().any(|entry| *entry.text == *"*")
}
