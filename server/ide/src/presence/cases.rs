//! The cases of a policy: operations and kinds.
//!
//! The rules of the policy determine whether `object` is null and which fields it has. A case is
//! one operation on one kind that the rules match.

use super::term::{Qualifier, Root};
use admission::Operation;
use kubernetes::openapi::{Catalog, Resource, Schema};
use policy::manifest::{MatchResources, Rule, Selector};
use std::sync::Arc;

/// The operations of requests, in the order of the cases.
const OPERATIONS: [Operation; 4] = [
    Operation::Create,
    Operation::Update,
    Operation::Delete,
    Operation::Connect,
];

/// A kind that the rules of a policy name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchedKind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// The resource, such as `deployments`.
    pub(crate) plural: String,
    /// The subresource, `exec` in `pods/exec`.
    pub(crate) subresource: Option<String>,
    /// Whether its objects are namespaced.
    pub(crate) namespaced: bool,
}

/// An operation on a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    /// Its index among the cases of the document.
    pub(super) number: usize,
    /// The index of the first case with the same schemas.
    pub(super) first_of_kind: usize,
    pub(crate) operation: Operation,
    /// `None` if the rule has a wildcard, or names unknown resources.
    pub(crate) kind: Option<MatchedKind>,
    /// Whether the rule matches only namespaced, or only cluster-scoped, objects.
    pub(crate) namespaced: Option<bool>,
    /// The labels that the selectors of the policy guarantee.
    pub(super) selected: Arc<Selected>,
    /// The path from the object to `self`, for the rules of a CustomResourceDefinition.
    pub(super) at: Vec<Qualifier>,
}

/// The keys of the labels without which selectors do not match.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Selected {
    /// Those of `objectSelector`.
    objects: Vec<Box<str>>,
    /// Those of `namespaceSelector`.
    namespaces: Vec<Box<str>>,
}

/// Limit: cases of one policy. A rule that specifies more is treated as a wildcard.
const MAX_CASES: usize = 120;

impl Case {
    /// Returns whether a root is present and not null.
    pub(crate) fn has(&self, root: Root) -> bool {
        match root {
            Root::Object => self.operation != Operation::Delete,
            Root::OldObject => !matches!(self.operation, Operation::Create | Operation::Connect),
            Root::Params | Root::Request | Root::Namespace | Root::This | Root::OldSelf => true,
        }
    }
}

impl Case {
    /// Returns the keys of the labels that an object has because the selectors match it. On UPDATE,
    /// `objectSelector` may match the other object.
    ///
    /// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/object/matcher.go,
    /// and namespace/matcher.go.
    pub(super) fn selected(&self, root: Root) -> impl Iterator<Item = &str> {
        let Selected {
            objects,
            namespaces,
        } = &*self.selected;
        let is_namespace = self.kind.as_ref().is_some_and(|it| {
            it.group.is_empty() && it.kind == "Namespace" && it.subresource.is_none()
        });
        let is_deleted = self.operation == Operation::Delete;
        let is_selected = match root {
            Root::Object => !is_deleted,
            Root::OldObject => is_deleted,
            _ => false,
        };
        let objects = (is_selected && self.operation != Operation::Update).then_some(objects);
        let namespaces =
            (root == Root::Namespace || is_selected && is_namespace).then_some(namespaces);
        let keys = objects.into_iter().chain(namespaces).flatten();
        keys.map(|key| &**key)
    }
}

impl Selected {
    fn new(matching: &MatchResources) -> Self {
        let keys = |selector: &Option<Selector>| {
            let keys = selector.iter().flat_map(Selector::required);
            keys.map(Box::from).collect()
        };
        Self {
            objects: keys(&matching.object_selector),
            namespaces: keys(&matching.namespace_selector),
        }
    }
}

impl MatchedKind {
    /// Returns the schema of its objects.
    pub(crate) fn schema<'c>(&self, catalog: &'c Catalog) -> Option<Schema<'c>> {
        catalog.schema(&self.group, &self.version, &self.kind)
    }

    fn new(resource: &Resource<'_>, below: Option<&str>) -> Option<Self> {
        let sub = match below {
            Some(name) => Some(resource.subresource(name)?),
            None => None,
        };
        let (group, version, kind) = match sub {
            Some(sub) => (sub.group, sub.version, sub.kind),
            None => (resource.group, resource.version, resource.kind),
        };
        Some(Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
            plural: resource.plural.to_owned(),
            subresource: below.map(str::to_owned),
            namespaced: resource.namespaced,
        })
    }
}

/// Returns the cases of a policy or a webhook.
pub(super) fn cases(matching: &MatchResources, catalog: &Catalog) -> Vec<Case> {
    let selected = Arc::new(Selected::new(matching));
    let mut cases: Vec<Case> = Vec::new();
    for rule in &matching.rules {
        let kinds = kinds(rule, catalog);
        let namespaced = rule.namespaced();
        for operation in operations(rule) {
            for kind in &kinds {
                let case = Case {
                    number: 0,
                    first_of_kind: 0,
                    operation,
                    kind: kind.clone(),
                    namespaced,
                    selected: Arc::clone(&selected),
                    at: Vec::new(),
                };
                if can_be(&case, catalog) && !cases.contains(&case) && cases.len() < MAX_CASES {
                    cases.push(case);
                }
            }
        }
    }
    cases
}

/// Numbers the cases of a unit from `first` on.
pub(super) fn number(cases: &mut [Case], first: usize) {
    let same_kind = |case: &Case| {
        let mut all = cases.iter();
        all.position(|it| it.kind == case.kind && it.at == case.at)
    };
    let of_kind: Vec<Option<usize>> = cases.iter().map(same_kind).collect();
    for (place, (case, of_kind)) in cases.iter_mut().zip(of_kind).enumerate() {
        case.number = first + place;
        case.first_of_kind = first + of_kind.unwrap_or(place);
    }
}

fn operations(rule: &Rule) -> impl Iterator<Item = Operation> {
    let all = OPERATIONS.into_iter();
    all.filter(|operation| rule.has_operation(operation.as_str()))
}

/// Returns the kinds that a rule specifies; `None` for those that cannot be listed.
fn kinds(rule: &Rule, catalog: &Catalog) -> Vec<Option<MatchedKind>> {
    let mut found = Vec::new();
    for pattern in rule.patterns() {
        if pattern.is_wildcard() {
            found.push(None);
            continue;
        }
        let before = found.len();
        let resources = catalog
            .resources_of_name(pattern.resource)
            .filter(|it| rule.has_version(it.group, it.version));
        found.extend(resources.map(|it| MatchedKind::new(&it, pattern.subresource)));
        if found.len() == before {
            found.push(None);
        }
    }
    found
}

/// Returns whether a kind supports an operation, if known.
fn can_be(case: &Case, catalog: &Catalog) -> bool {
    let Some(kind) = &case.kind else {
        // Only a few subresources support CONNECT, and all of them have names.
        return case.operation != Operation::Connect;
    };
    let Some(below) = &kind.subresource else {
        return case.operation != Operation::Connect;
    };
    let mut resources = catalog
        .resources()
        .filter(|resource| resource.plural == kind.plural);
    let verbs = resources.find_map(|resource| Some(resource.subresource(below)?.verbs));
    let Some(verbs) = verbs else {
        return true;
    };
    let connects = ["exec", "attach", "portforward", "proxy"].contains(&below.as_str());
    match case.operation {
        Operation::Connect => connects,
        Operation::Create => verbs.contains("create") && !connects,
        Operation::Update => verbs.contains("update") || verbs.contains("patch"),
        Operation::Delete => verbs.contains("delete") && !connects,
    }
}
