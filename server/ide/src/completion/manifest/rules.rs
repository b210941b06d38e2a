//! The groups, versions and resources of rules that the servers of the project serve.

use super::super::well_known::{GROUPS, MATCHED_RESOURCES, SUBRESOURCES, place_of_resource};
use super::{ManifestContext, ManifestList};
use crate::kind_fields::operations_of;
use kubernetes::openapi::Resource;
use yaml::Node;

/// Offers the values of a field of the rule `owner`.
pub(super) fn add(
    context: &ManifestContext<'_>,
    owner: Node<'_>,
    key: &str,
    list: &mut ManifestList,
) {
    let matches = |field: &str, value: &str| field == key || holds(owner, field, value);
    let resources = context.catalog.resources();
    let fitting = resources.filter(|it| {
        matches("apiGroups", it.group)
            && matches("apiVersions", it.version)
            && matches("resources", it.plural)
    });
    let mut values: Vec<(usize, String)> = Vec::new();
    for resource in fitting {
        add_resource(&mut values, key, resource, owner);
    }
    values.sort();
    values.dedup();
    // After a slash, only a subresource fits.
    if let Some((plural, _)) = context.cursor.typed.split_once('/') {
        let of_plural = |value: &str| value.split_once('/').is_some_and(|(it, _)| it == plural);
        values.retain(|(_, value)| of_plural(value));
    }
    // All resources of all groups.
    if key == "resources" && has_item(owner, "apiGroups", "*") {
        list.value(context, "*", None);
    }
    for (_, value) in &values {
        list.value(context, value, None);
    }
    if !values
        .iter()
        .any(|(_, value)| value.contains('/') && context.cursor.typed.contains('/'))
    {
        list.value(context, "*", None);
    }
}

fn add_resource(
    values: &mut Vec<(usize, String)>,
    key: &str,
    resource: Resource<'_>,
    rule: Node<'_>,
) {
    match key {
        "apiGroups" => {
            let place = GROUPS.iter().position(|known| *known == resource.group);
            values.push((place.unwrap_or(usize::MAX), resource.group.to_owned()));
        }
        // Stable versions come first: their names are the shortest.
        "apiVersions" => values.push((resource.version.len(), resource.version.to_owned())),
        _ => {
            let place = place_of_resource(resource.plural);
            if can_reach(&resource, "", rule) {
                values.push((place, resource.plural.to_owned()));
            }
            for subresource in resource.subresources.iter() {
                if !can_reach(&resource, subresource.name, rule) {
                    continue;
                }
                let name = format!("{}/{}", resource.plural, subresource.name);
                let place = SUBRESOURCES
                    .split(' ')
                    .position(|it| it == subresource.name);
                let place = place.map_or(usize::MAX, |place| MATCHED_RESOURCES.len() + place);
                values.push((place, name));
            }
        }
    }
}

/// Returns whether a request for a resource can have one of the operations of a rule.
fn can_reach(resource: &Resource<'_>, below: &str, rule: Node<'_>) -> bool {
    let operations = operations_of(resource, below);
    operations.is_none_or(|operations| {
        let mut operations = operations.iter();
        operations.any(|operation| holds(rule, "operations", operation))
    })
}

/// Returns the possible operations of requests for the resources of a rule. Empty if they are
/// unknown.
pub(super) fn operations(context: &ManifestContext<'_>, rule: Node<'_>) -> Vec<&'static str> {
    let named = rule.get("resources").and_then(Node::as_sequence);
    let named = named.into_iter().flat_map(yaml::Sequence::items);
    let mut found = Vec::new();
    for name in named.map(Node::text) {
        let (plural, below) = name.split_once('/').unwrap_or((name, ""));
        let resources = context.catalog.resources_of_name(plural);
        let mut resources = resources.filter(|it| holds(rule, "apiGroups", it.group));
        match resources.next().and_then(|it| operations_of(&it, below)) {
            Some(operations) => found.extend(operations),
            None => return Vec::new(),
        }
    }
    found
}

fn has_item(rule: Node<'_>, field: &str, value: &str) -> bool {
    let list = rule.get(field).and_then(Node::as_sequence);
    list.is_some_and(|list| list.items().any(|item| item.text() == value))
}

/// Returns whether a list of a rule contains a value or a wildcard, or is not written yet.
fn holds(rule: Node<'_>, field: &str, value: &str) -> bool {
    let Some(list) = rule.get(field).and_then(Node::as_sequence) else {
        return true;
    };
    let mut items = list.items();
    items.len() == 0
        || items.any(|item| {
            let item = item.text();
            item == "*" || item.split('/').next() == Some(value)
        })
}
