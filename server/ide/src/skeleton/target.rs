//! The kinds for which an input can be generated.

use kubernetes::openapi::{Catalog, Resource, Schema, guessed_plural};
use policy::PolicyDocument;
use policy::typecheck::kinds::{KindChecks, MatchedKind};
use yaml::{Node, Sequence};

/// Kinds that people know, for rules with wildcards.
const KNOWN: [&str; 5] = ["Pod", "Deployment", "ConfigMap", "Service", "Namespace"];

/// A kind of object, under its resource.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) plural: String,
    pub(super) subresource: Option<String>,
    pub(super) namespaced: bool,
    /// The name that the rules want.
    pub(super) name: Option<String>,
    /// The group and the version of the resource, where the kind does not say them.
    pub(super) of: Option<(String, String)>,
}

impl Target {
    pub(super) fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }

    /// Returns whether its objects have metadata, which the options of a stream have not.
    pub(super) fn has_metadata(&self, schema: Option<Schema<'_>>) -> bool {
        schema.map_or(!self.kind.ends_with("Options"), |schema| {
            schema.property("metadata").is_some()
        })
    }
}

/// The kinds that the rules of a policy name, the plainest first.
pub(super) fn targets(
    document: &PolicyDocument,
    checks: &KindChecks,
    catalog: &Catalog,
) -> Vec<Target> {
    let rules = rules(document);
    let name = rules.iter().find_map(|rule| {
        let names = rule.get("resourceNames")?.as_sequence()?;
        names.items().find_map(Node::as_str).map(str::to_owned)
    });
    let mut kinds: Vec<&MatchedKind> = checks.kinds().iter().collect();
    let known = |kind: &MatchedKind| {
        let at = KNOWN.iter().position(|known| **known == *kind.name.kind);
        at.unwrap_or(KNOWN.len())
    };
    kinds.sort_by_key(|kind| (!kind.is_named, kind.subresource.is_some(), known(kind)));
    let kinds = kinds.into_iter();
    let mut targets: Vec<Target> = kinds.filter_map(|kind| of_kind(kind, catalog)).collect();
    // The kinds that are looked at are bounded, and a wildcard has far more.
    for kind in KNOWN {
        let mut resources = catalog.resources();
        let found = resources.find(|it| it.kind == kind && matches!(it.group, "" | "apps"));
        targets.extend(found.map(|resource| of_resource(&resource, catalog)));
    }
    targets.extend(rules.iter().filter_map(|rule| guessed(*rule)));
    let mut known: Vec<(String, String, Option<String>)> = Vec::new();
    targets.retain(|it| {
        let names = (it.api_version(), it.plural.clone(), it.subresource.clone());
        let is_new = !known.contains(&names);
        known.push(names);
        is_new
    });
    for target in &mut targets {
        target.name.clone_from(&name);
    }
    targets
}

fn of_kind(kind: &MatchedKind, catalog: &Catalog) -> Option<Target> {
    let names = &kind.name;
    let Some(below) = kind.subresource.as_deref() else {
        let resource = catalog.resource(&names.group, &names.version, &kind.resource)?;
        return Some(of_resource(&resource, catalog));
    };
    let parent = catalog.resources().find(|it| {
        let found = it.subresource(below);
        *it.plural == *kind.resource
            && found.is_some_and(|it| *it.kind == *names.kind && *it.group == *names.group)
    })?;
    Some(Target {
        group: names.group.to_string(),
        version: names.version.to_string(),
        kind: names.kind.to_string(),
        subresource: Some(below.to_owned()),
        of: Some((parent.group.to_owned(), parent.version.to_owned())),
        ..of_resource(&parent, catalog)
    })
}

pub(super) fn of_resource(resource: &Resource<'_>, catalog: &Catalog) -> Target {
    let is_guessed = guessed_plural(resource.kind) == resource.plural
        || !catalog.is_added(resource.group, resource.version, resource.kind);
    let names = (resource.group.to_owned(), resource.version.to_owned());
    Target {
        group: resource.group.to_owned(),
        version: resource.version.to_owned(),
        kind: resource.kind.to_owned(),
        plural: resource.plural.to_owned(),
        subresource: None,
        namespaced: resource.namespaced,
        name: None,
        of: (!is_guessed).then_some(names),
    }
}

/// A kind that nobody knows, by the names of its resource.
fn guessed(rule: Node<'_>) -> Option<Target> {
    let first = |field: &str| {
        let list = rule.get(field)?.as_sequence()?;
        list.items().find_map(Node::as_str)
    };
    let (plural, below) = match first("resources")?.split_once('/') {
        Some((plural, below)) => (plural, Some(below)),
        None => (first("resources")?, None),
    };
    let (group, version) = (first("apiGroups")?, first("apiVersions")?);
    if [group, plural, below.unwrap_or("")].contains(&"*") {
        return None;
    }
    let version = if version == "*" { "v1" } else { version };
    let singular = plural.strip_suffix('s').unwrap_or(plural);
    let mut letters = singular.chars();
    let kind = letters.next()?.to_uppercase().chain(letters).collect();
    let cluster = rule.get("scope").and_then(Node::as_str) == Some("Cluster");
    Some(Target {
        group: group.to_owned(),
        version: version.to_owned(),
        kind,
        plural: plural.to_owned(),
        subresource: below.map(str::to_owned),
        namespaced: !cluster,
        name: None,
        of: Some((group.to_owned(), version.to_owned())),
    })
}

/// The rules of a policy.
pub(super) fn rules(document: &PolicyDocument) -> Vec<Node<'_>> {
    let spec = document.root().get("spec");
    let constraints = spec.and_then(|spec| spec.get("matchConstraints"));
    let rules = constraints.and_then(|it| it.get("resourceRules")?.as_sequence());
    rules.into_iter().flat_map(Sequence::items).collect()
}
