//! What a policy, a binding or a webhook says of the requests that it looks at, read once.
//!
//! It is asked for every request, and most of what is said is lists of words.

use super::selector::Selector;
use super::strings;
use crate::admission::request::Request;
use crate::admission::resource::Resource;
use text::TextRange;
use yaml::{Node, Sequence};

/// What is said of requests, with the places where it is said.
#[derive(Debug)]
pub(in crate::admission) struct Constraints {
    pub(super) range: TextRange,
    /// Whether other versions of a resource are other resources.
    pub(super) is_exact: bool,
    pub(super) namespaces: Option<Selector>,
    pub(super) objects: Option<Selector>,
    pub(super) excluded: Vec<Rule>,
    pub(super) rules: Vec<Rule>,
    /// The place of the rules, where there is such a field.
    pub(super) rules_range: Option<TextRange>,
}

/// A rule: what is done with which resources.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) range: TextRange,
    scope: Scope,
    operations: Words,
    groups: Words,
    versions: Words,
    /// A resource and what is below it; nothing where the resource itself is meant.
    resources: Vec<(Box<str>, Box<str>)>,
    names: Words,
}

type Words = Vec<Box<str>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    Namespaced,
    Cluster,
}

impl Constraints {
    /// What a policy or a binding says in one of its fields.
    pub(in crate::admission) fn read(owner: Node<'_>) -> Self {
        Self::of(owner, "resourceRules", Some("excludeResourceRules"))
    }

    /// What a webhook says.
    pub(super) fn of_webhook(webhook: Node<'_>) -> Self {
        Self::of(webhook, "rules", None)
    }

    fn of(owner: Node<'_>, rules: &str, excluded: Option<&str>) -> Self {
        let selector = |field| owner.get(field).map(Selector::read);
        let read = |node: Option<Node<'_>>| {
            let list = node.and_then(Node::as_sequence);
            let list = list.into_iter().flat_map(Sequence::items);
            list.map(Rule::read).collect()
        };
        let list = owner.get(rules);
        Self {
            range: owner.range(),
            is_exact: owner.get("matchPolicy").and_then(Node::as_str) == Some("Exact"),
            namespaces: selector("namespaceSelector"),
            objects: selector("objectSelector"),
            excluded: read(excluded.and_then(|field| owner.get(field))),
            rules: read(list),
            rules_range: list.map(Node::range),
        }
    }
}

impl Rule {
    pub(super) fn read(rule: Node<'_>) -> Self {
        let words = |field| strings(rule.get(field)).map(Box::from).collect();
        let resources = strings(rule.get("resources")).map(|entry| {
            let (resource, below) = entry.split_once('/').unwrap_or((entry, ""));
            (resource.into(), below.into())
        });
        Self {
            range: rule.range(),
            scope: match rule.get("scope").and_then(Node::as_str) {
                Some("Namespaced") => Scope::Namespaced,
                Some("Cluster") => Scope::Cluster,
                _ => Scope::All,
            },
            operations: words("operations"),
            groups: words("apiGroups"),
            versions: words("apiVersions"),
            resources: resources.collect(),
            names: words("resourceNames"),
        }
    }

    /// Whether it is about a request, taken for one of that resource.
    pub(super) fn matches(&self, request: &Request, resource: &Resource) -> bool {
        let scope = match self.scope {
            Scope::All => true,
            Scope::Namespaced => !is_cluster_wide(request),
            Scope::Cluster => is_cluster_wide(request),
        };
        let mut names = self.names.iter();
        scope
            && contains(&self.operations, request.operation.as_str())
            && self.names_resource(resource, &request.subresource)
            && (self.names.is_empty() || names.any(|name| **name == *request.name))
    }

    /// Whether it names a resource, or what stands below it.
    pub(super) fn names_resource(&self, resource: &Resource, subresource: &str) -> bool {
        let is_it = |entry: &(Box<str>, Box<str>)| {
            is_or_all(&entry.0, &resource.plural) && is_or_all(&entry.1, subresource)
        };
        contains(&self.groups, &resource.group)
            && contains(&self.versions, &resource.version)
            && self.resources.iter().any(is_it)
    }
}

fn contains(words: &Words, word: &str) -> bool {
    words.iter().any(|entry| is_or_all(entry, word))
}

fn is_or_all(entry: &str, word: &str) -> bool {
    entry == "*" || entry == word
}

fn is_cluster_wide(request: &Request) -> bool {
    match request.resource.namespaced {
        Some(namespaced) => !namespaced,
        None => request.namespace.is_empty(),
    }
}
