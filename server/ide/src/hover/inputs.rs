//! Keys and values of admission inputs.

use super::resources;
use crate::completion::meaning_of_verb;
use crate::manifest_schema::path;
use kubernetes::TypeMeta;
use kubernetes::openapi::{Catalog, Resource};
use text::{Key, ValueType, key_of};
use yaml::{Entry, Node};

/// Returns the meaning of a key.
pub(super) fn of_key(owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    key(owner, entry).map(page)
}

/// Returns the meaning of a value, if it has one of its own or is one of a fixed set.
pub(super) fn of_value(catalog: &Catalog, owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    let key = key(owner, entry)?;
    let is_fixed = key.value == ValueType::Bool || !key.value.words().is_empty();
    match meaning(catalog, owner, (key.name, entry.value.text())) {
        Some(meaning) => Some(format!("{meaning}\n\n{}", page(key))),
        None => is_fixed.then(|| page(key)),
    }
}

fn key(owner: Node<'_>, entry: Entry<'_>) -> Option<&'static Key> {
    if TypeMeta::read(owner.outermost()).kind.is_some() {
        return None;
    }
    key_of(evaluation::input::keys(&path(owner)), &entry.key.key_text())
}

fn page(key: &Key) -> String {
    let mut shown = format!("```yaml\n{}:\n```\n\n{}", key.name, key.description);
    if let Some(default) = key.default {
        shown.push_str(&format!("\n\nDefaults to `{default}`."));
    }
    shown
}

/// Returns the meaning of a name of Kubernetes as the value of a key.
fn meaning(catalog: &Catalog, owner: Node<'_>, (key, value): (&str, &str)) -> Option<String> {
    // An empty string and `*` mean any group in a decision of the authorizer.
    let is_any = |it: &&str| matches!(*it, "" | "*");
    let written = |key| {
        let value = owner.get(key).and_then(Node::as_str);
        value.filter(|it| !is_any(it))
    };
    let is_of_group = |it: &Resource<'_>| written("group").is_none_or(|group| it.group == group);
    match (&*path(owner), key) {
        (["expect"], "reason") => {
            let code = admission::status_code(value);
            Some(format!("`{value}`: status code {code}."))
        }
        (["request", _], "group") => resources::of_group(catalog, value),
        (["authorizer"], "group") if !is_any(&value) => resources::of_group(catalog, value),
        (["authorizer"] | ["request", _], "resource") => {
            resources::kinds(catalog, value, is_of_group)
        }
        (["authorizer"], "subresource") => {
            resources::subresource(catalog, (written("resource")?, value), is_of_group)
        }
        (["authorizer"], "verb") => meaning_of_verb(value).map(|it| format!("`{value}`: {it}")),
        _ => None,
    }
}
