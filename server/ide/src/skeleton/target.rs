//! The kinds for which an input can be generated.

use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource, Schema, guessed_plural};
use policy::PolicyDocument;
use policy::manifest::{Rule, StringField};
use policy::typecheck::kinds::{KindChecks, MatchedKind};

/// Common kinds, for rules with wildcards.
const KNOWN: [&str; 5] = ["Pod", "Deployment", "ConfigMap", "Service", "Namespace"];

/// A kind of object and its resource.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) plural: String,
    pub(super) subresource: Option<String>,
    pub(super) namespaced: bool,
    /// The name that the rules require.
    pub(super) name: Option<String>,
    /// The group and the version of the resource, if they differ from the kind's.
    pub(super) of: Option<(String, String)>,
}

impl Target {
    pub(super) fn api_version(&self) -> String {
        let (group, version) = (&*self.group, &*self.version);
        GroupVersion { group, version }.to_string()
    }

    /// Returns whether its objects have metadata, unlike the options of a stream.
    pub(super) fn has_metadata(&self, schema: Option<Schema<'_>>) -> bool {
        schema.map_or(!self.kind.ends_with("Options"), |schema| {
            schema.property("metadata").is_some()
        })
    }
}

/// Returns the kinds that the rules of a policy specify, the most common first.
pub(super) fn targets(
    document: &PolicyDocument,
    checks: &KindChecks,
    catalog: &Catalog,
) -> Vec<Target> {
    let rules = document.policy().map_or(&[][..], |policy| policy.rules());
    let name = rules.iter().find_map(|rule| rule.names.first());
    let name = name.map(|name| name.text.to_string());
    let mut kinds: Vec<&MatchedKind> = checks.kinds().iter().collect();
    let known = |kind: &MatchedKind| {
        let at = KNOWN.iter().position(|known| **known == *kind.name.kind);
        at.unwrap_or(KNOWN.len())
    };
    kinds.sort_by_cached_key(|kind| (!kind.is_named, kind.subresource.is_some(), known(kind)));
    let kinds = kinds.into_iter();
    let mut targets: Vec<Target> = kinds.filter_map(|kind| of_kind(kind, catalog)).collect();
    // The number of inspected kinds is limited, and a wildcard matches far more.
    for kind in KNOWN {
        let mut resources = catalog.resources();
        let found = resources.find(|it| it.kind == kind && matches!(it.group, "" | "apps"));
        targets.extend(found.map(|resource| from_resource(&resource, catalog)));
    }
    targets.extend(rules.iter().filter_map(guessed));
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
        return Some(from_resource(&resource, catalog));
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
        ..from_resource(&parent, catalog)
    })
}

pub(super) fn from_resource(resource: &Resource<'_>, catalog: &Catalog) -> Target {
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

/// Returns an unknown kind, by the names of its resource.
fn guessed(rule: &Rule) -> Option<Target> {
    let first = |list: &'_ [StringField]| Some(list.first()?.text.to_string());
    let (group, version) = (first(&rule.groups)?, first(&rule.versions)?);
    let pattern = rule.patterns().next()?;
    if group == "*" || pattern.is_wildcard() {
        return None;
    }
    let plural = pattern.resource;
    let version = if version == "*" {
        "v1".to_owned()
    } else {
        version
    };
    let mut letters = plural.strip_suffix('s').unwrap_or(plural).chars();
    let kind = letters.next()?.to_uppercase().chain(letters).collect();
    Some(Target {
        of: Some((group.clone(), version.clone())),
        group,
        version,
        kind,
        plural: plural.to_owned(),
        subresource: pattern.subresource.map(str::to_owned),
        namespaced: rule.namespaced() != Some(false),
        name: None,
    })
}
