//! The match rules of policies and bindings.

use super::strings;
use kubernetes::openapi::Resource;
use yaml::{Node, Sequence};

/// Limit: rules of one document. Rules of another kind hold everything anyway.
const MAX_RULES: usize = 200;

/// A rule of `matchConstraints` or `matchResources`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRule {
    /// `apiGroups`.
    pub groups: Vec<String>,
    /// `apiVersions`.
    pub versions: Vec<String>,
    /// `operations`.
    pub operations: Vec<String>,
    /// `resources`.
    pub resources: Vec<String>,
    /// `resourceNames`.
    pub names: Vec<String>,
    /// `scope`: `*` unless it says something else.
    pub scope: String,
}

pub(super) fn of(list: Option<Node<'_>>) -> Vec<MatchRule> {
    let items = list.and_then(Node::as_sequence);
    let items = items.into_iter().flat_map(Sequence::items);
    items.take(MAX_RULES).map(MatchRule::new).collect()
}

impl MatchRule {
    fn new(node: Node<'_>) -> Self {
        let list = |field: &str| strings(node.get(field)).map(str::to_owned).collect();
        let scope = node.get("scope").and_then(Node::as_str);
        Self {
            groups: list("apiGroups"),
            versions: list("apiVersions"),
            operations: list("operations"),
            resources: list("resources"),
            names: list("resourceNames"),
            scope: scope.unwrap_or("*").to_owned(),
        }
    }

    /// Returns whether it names a resource itself, not a part of it.
    #[must_use]
    pub fn names(&self, resource: &Resource<'_>) -> bool {
        let has = |list: &[String], word: &str| list.iter().any(|it| it == "*" || it == word);
        let scope = match self.scope.as_str() {
            "Namespaced" => resource.namespaced,
            "Cluster" => !resource.namespaced,
            _ => true,
        };
        let is_named = |entry: &String| {
            let (name, part) = entry.split_once('/').unwrap_or((entry, ""));
            (name == "*" || name == resource.plural) && (part.is_empty() || part == "*")
        };
        scope
            && has(&self.groups, resource.group)
            && has(&self.versions, resource.version)
            && self.resources.iter().any(is_named)
    }
}
