//! Tests of the catalog: the built-in kinds, and those that are read from documents.

mod built_in;
mod crd;
mod discovery;
mod document;

use super::{Catalog, Resource, Schema};
use crate::versions::ServerVersion;
use std::fmt::Write;
use std::sync::Arc;

fn catalog(minor: u8) -> Arc<Catalog> {
    Catalog::built_in(ServerVersion(minor))
}

/// Returns a schema by its path from another one: `spec.list.[].map.{}`, where `[]` is an item and
/// `{}` the value of a map.
fn at<'c>(schema: Schema<'c>, path: &str) -> Option<Schema<'c>> {
    path.split('.').try_fold(schema, |schema, step| match step {
        "[]" => schema.items(),
        "{}" => schema.additional_properties(),
        name => schema.property(name),
    })
}

/// Prints a schema down to a depth; named types are not expanded.
fn outline(schema: Schema<'_>) -> String {
    let mut out = String::new();
    write_outline(schema, 0, &mut out);
    out
}

fn write_outline(schema: Schema<'_>, depth: usize, out: &mut String) {
    let _ = writeln!(out, "{}", facts(schema).join(", "));
    if depth > 0 && schema.type_name().is_some() {
        return;
    }
    let mut inner = |name: &str, schema: Schema<'_>| {
        let _ = write!(out, "{}{name}: ", "  ".repeat(depth + 1));
        write_outline(schema, depth + 1, out);
    };
    for (name, property) in schema.properties() {
        let mark = if schema.is_required(name) { "!" } else { "" };
        inner(&format!("{name}{mark}"), property);
    }
    if let Some(items) = schema.items() {
        inner("[]", items);
    }
    if let Some(values) = schema.additional_properties() {
        inner("{}", values);
    }
}

/// Returns the facts of a schema about the value itself.
fn facts(schema: Schema<'_>) -> Vec<String> {
    let mut facts = vec![format!("{:?}", schema.ty())];
    facts.extend(schema.format().map(str::to_owned));
    facts.extend(schema.type_name().map(|name| format!("= {name}")));
    facts.extend(
        schema
            .default_value()
            .map(|value| format!("default {value}")),
    );
    let values: Vec<String> = schema
        .enum_values()
        .map(|value| value.to_string())
        .collect();
    facts.extend((!values.is_empty()).then(|| format!("of {}", values.join("|"))));
    facts.extend(schema.list_type().map(|ty| format!("list {ty:?}")));
    facts.extend(schema.list_map_keys().map(|key| format!("by {key}")));
    facts.extend(schema.map_type().map(|ty| format!("map {ty:?}")));
    for (is_set, name) in [
        (schema.preserves_unknown_fields(), "preserves"),
        (schema.is_embedded_resource(), "embedded"),
        (schema.nullable(), "nullable"),
    ] {
        facts.extend(is_set.then(|| name.to_owned()));
    }
    facts
}

/// Returns a resource in one line.
fn line(resource: Resource<'_>) -> String {
    let names = resource.short_names.iter().collect::<Vec<_>>().join(",");
    let scope = if resource.namespaced {
        "Namespaced"
    } else {
        "Cluster"
    };
    let below = resource.subresources.iter();
    let below: Vec<String> = below
        .map(|below| {
            format!(
                "{}={}/{}.{}",
                below.name, below.group, below.version, below.kind
            )
        })
        .collect();
    format!(
        "{}/{} {} {} [{names}] {} {scope} {} [{}]",
        resource.group,
        resource.version,
        resource.plural,
        resource.singular,
        resource.kind,
        resource.verbs.iter().collect::<Vec<_>>().join(","),
        below.join(" ")
    )
}
