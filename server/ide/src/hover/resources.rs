//! The names of API groups and resources, in rules and in authorizer checks.

use crate::signature::{add_page, code};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Resource, Schema};

/// Limit: listed kinds of a resource.
const MAX_KINDS: usize = 5;

/// Limit: listed resources of a group.
const MAX_RESOURCES: usize = 10;

/// Returns the kinds of the matching resources with a name, and the description of the first.
pub(super) fn kinds(
    catalog: &Catalog,
    plural: &str,
    fits: impl Fn(&Resource<'_>) -> bool,
) -> Option<String> {
    let found = catalog.resources_of_name(plural).filter(fits);
    let found: Vec<_> = found.take(MAX_KINDS).collect();
    let lines = found.iter().map(|it| {
        let (group, version) = (it.group, it.version);
        format!("{}, Kind={}", GroupVersion { group, version }, it.kind)
    });
    let first = found.first()?;
    let mut shown = code(lines);
    let description = catalog.schema(first.group, first.version, first.kind);
    if let Some(description) = description.and_then(Schema::description) {
        add_page(&mut shown, description, "");
    }
    Some(shown)
}

/// Returns the kind and the verbs of a subresource of the matching resources with a name.
pub(super) fn subresource(
    catalog: &Catalog,
    (plural, name): (&str, &str),
    fits: impl Fn(&Resource<'_>) -> bool,
) -> Option<String> {
    let mut found = catalog.resources_of_name(plural).filter(fits);
    let subresource = found.find_map(|it| it.subresource(name))?;
    let verbs: Vec<&str> = subresource.verbs.iter().collect();
    let shown = code([format!("{plural}/{name}, Kind={}", subresource.kind)]);
    Some(format!("{shown}\n\nVerbs: `{}`.", verbs.join("`, `")))
}

/// Returns the resources of a group.
pub(super) fn of_group(catalog: &Catalog, group: &str) -> Option<String> {
    let title = match group {
        "" => "The core API group".to_owned(),
        _ => format!("The API group `{group}`"),
    };
    names(catalog, &title, |it| it.group == group)
}

/// Returns the names of the matching resources, after a title.
pub(super) fn names(
    catalog: &Catalog,
    title: &str,
    fits: impl Fn(&Resource<'_>) -> bool,
) -> Option<String> {
    let fitting = catalog.resources().filter(fits);
    let mut names: Vec<&str> = fitting.map(|it| it.plural).collect();
    names.sort_unstable();
    names.dedup();
    let more = names.len().saturating_sub(MAX_RESOURCES);
    names.truncate(MAX_RESOURCES);
    if names.is_empty() {
        return None;
    }
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!("{title}: `{}`{rest}.", names.join("`, `")))
}
