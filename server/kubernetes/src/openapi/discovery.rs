//! The resources that a server lists, without schemas: names, scope, verbs and subresources.
//!
//! The documents of aggregated APIs lack short names, and a server need not have one for each
//! group. `kubectl get --raw` prints an APIResourceList for `/apis/GROUP/VERSION`, and an
//! APIGroupDiscoveryList for `/apis` if the request accepts aggregated discovery.
//!
//! Upstream: kubernetes/api, apidiscovery/v2/types.go; kubernetes/apimachinery,
//! pkg/apis/meta/v1/types.go, APIResourceList.

use super::definitions::Definitions;
use super::document::tidy;
use super::model::{KindFacts, Model, SubresourceFacts};
use crate::names::GroupVersion;
use serde_json::Value;
use std::collections::BTreeMap;

/// The kinds of documents that list resources.
const LISTS: [&str; 2] = ["APIGroupDiscoveryList", "APIResourceList"];

impl Definitions {
    /// Reads the resources that a discovery document lists. `None` for another document.
    #[must_use]
    pub fn from_discovery(text: &str) -> Option<Self> {
        if !LISTS.iter().any(|kind| text.contains(kind)) {
            return None;
        }
        let document: Value = serde_json::from_str(text).ok()?;
        let mut kinds = match string(&document, "kind") {
            "APIGroupDiscoveryList" => aggregated(&document),
            "APIResourceList" => of_version(&document),
            _ => return None,
        };
        kinds.iter_mut().for_each(tidy);
        Some(Self::from_model(&Model {
            first_version: 0,
            types: vec![BTreeMap::new()],
            kinds,
        }))
    }
}

/// Returns the resources of all groups.
fn aggregated(document: &Value) -> Vec<KindFacts> {
    let mut kinds = Vec::new();
    for item in items(document, "items") {
        let group = item.get("metadata").map_or("", |it| string(it, "name"));
        for version in items(item, "versions") {
            let names = GroupVersion {
                group,
                version: string(version, "version"),
            };
            for resource in items(version, "resources") {
                let response = resource.get("responseKind").unwrap_or(&Value::Null);
                let mut facts = facts(names, resource, response);
                facts.plural = Some(string(resource, "resource").to_owned());
                facts.singular = string(resource, "singularResource").to_owned();
                facts.namespaced = string(resource, "scope") == "Namespaced";
                let below = items(resource, "subresources").map(|below| {
                    let response = below.get("responseKind").unwrap_or(&Value::Null);
                    subresource(names, string(below, "subresource"), below, response)
                });
                facts.subresources = below.collect();
                kinds.push(facts);
            }
        }
    }
    kinds
}

/// Returns the resources of one version of a group. Subresources are in the same list.
fn of_version(document: &Value) -> Vec<KindFacts> {
    let names = GroupVersion::parse(string(document, "groupVersion"));
    let mut kinds: Vec<KindFacts> = Vec::new();
    let written = || items(document, "resources").map(|it| (string(it, "name"), it));
    for (name, resource) in written().filter(|(name, _)| !name.contains('/')) {
        let mut facts = facts(names, resource, resource);
        facts.plural = Some(name.to_owned());
        facts.singular = string(resource, "singularName").to_owned();
        facts.namespaced = resource.get("namespaced") == Some(&Value::Bool(true));
        kinds.push(facts);
    }
    for (name, below) in written() {
        let parent = name.split_once('/').and_then(|(plural, name)| {
            let mut kinds = kinds.iter_mut();
            Some((kinds.find(|it| it.plural.as_deref() == Some(plural))?, name))
        });
        if let Some((parent, name)) = parent {
            parent
                .subresources
                .push(subresource(names, name, below, below));
        }
    }
    kinds
}

/// Returns the facts of a resource that both forms have. `response` names its kind.
fn facts(names: GroupVersion<'_>, resource: &Value, response: &Value) -> KindFacts {
    KindFacts {
        group: names.group.to_owned(),
        version: names.version.to_owned(),
        kind: string(response, "kind").to_owned(),
        servers: 1,
        servers_by_default: 1,
        short_names: strings(resource, "shortNames"),
        verbs: strings(resource, "verbs"),
        ..KindFacts::default()
    }
}

/// Returns a subresource. A kind without a version is in that of its resource.
fn subresource(
    names: GroupVersion<'_>,
    name: &str,
    below: &Value,
    response: &Value,
) -> SubresourceFacts {
    let (group, version) = match string(response, "version") {
        "" => (names.group, names.version),
        version => (string(response, "group"), version),
    };
    SubresourceFacts {
        name: name.to_owned(),
        group: group.to_owned(),
        version: version.to_owned(),
        kind: string(response, "kind").to_owned(),
        verbs: strings(below, "verbs"),
        servers: 1,
    }
}

fn string<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn items<'v>(value: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    let items = value.get(field).and_then(Value::as_array);
    items.into_iter().flatten()
}

fn strings(value: &Value, field: &str) -> Vec<String> {
    let items = items(value, field).filter_map(Value::as_str);
    items.map(str::to_owned).collect()
}
