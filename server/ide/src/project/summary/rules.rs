//! The rules by which policies and bindings choose their objects.

use super::strings;
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

    /// Whether an object can fit both rules.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let scopes = self.scope == other.scope || self.scope == "*" || other.scope == "*";
        let names = self.names.is_empty() || other.names.is_empty();
        scopes
            && (names || self.names.iter().any(|name| other.names.contains(name)))
            && share(&self.groups, &other.groups)
            && share(&self.versions, &other.versions)
            && share(&self.operations, &other.operations)
            && self.resources.iter().any(|one| {
                let mut others = other.resources.iter();
                others.any(|other| resources_meet(one, other))
            })
    }
}

fn share(one: &[String], other: &[String]) -> bool {
    let all = |list: &[String]| list.iter().any(|entry| entry == "*");
    all(one) && !other.is_empty()
        || all(other) && !one.is_empty()
        || one.iter().any(|entry| other.contains(entry))
}

/// Whether two entries of `resources` can name one resource or subresource.
fn resources_meet(one: &str, other: &str) -> bool {
    let (one, one_part) = one.split_once('/').unwrap_or((one, ""));
    let (other, other_part) = other.split_once('/').unwrap_or((other, ""));
    let meet = |one: &str, other: &str| one == other || one == "*" || other == "*";
    meet(one, other) && meet(one_part, other_part)
}
