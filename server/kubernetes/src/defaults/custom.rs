//! Custom resources: fields that the schema does not declare and nulls that it does not allow are
//! removed, and defaults are set. The metadata is read into its type and written out again.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/pruning/algorithm.go,
//! Prune; pkg/apiserver/schema/defaulting/prunenulls.go, PruneNonNullableNullsWithoutDefaults;
//! pkg/apiserver/schema/defaulting/algorithm.go, Default;
//! pkg/apiserver/schema/objectmeta/algorithm.go, CoerceWithOptions.

use super::normalize;
use super::plan::KindPlan;
use super::tree::{self, empty, key_text};
use crate::openapi::{Schema, SchemaType};
use cel::Value;
use cel::value::{Key, Map};

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 200;

/// The fields that every object has, regardless of its schema.
const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The changes of an object apart from its defaults.
#[derive(Clone, Copy)]
pub(super) enum Pass<'a> {
    /// It is read: unknown fields and nulls are removed. The plan normalizes its metadata, and that
    /// of the resources inside it.
    Read(Option<&'a KindPlan>),
    /// It was mutated: nothing else changes.
    Mutated,
}

/// Sets the defaults of its schema in an object.
pub(super) fn apply(schema: Schema<'_>, pass: Pass<'_>, object: &mut Value) {
    node(schema, pass, object, true, 0);
}

fn node(schema: Schema<'_>, pass: Pass<'_>, value: &mut Value, is_object: bool, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Map(map) => {
            if let Pass::Read(metadata) = pass {
                if let Some(plan) = metadata.filter(|_| is_object) {
                    read_metadata(plan, map);
                }
                prune(schema, map, is_object);
                without_nulls(schema, map);
            }
            defaults(schema, map);
            for (key, value) in map.iter_mut() {
                let field = key_text(key).and_then(|name| schema.property(name));
                let is_metadata =
                    is_object && matches!(key, Key::String(name) if &**name == "metadata");
                if let Some(field) = field.or_else(|| schema.additional_properties())
                    && !is_metadata
                {
                    not_null(field, value);
                    let is_object = field.is_embedded_resource();
                    node(field, pass, value, is_object, depth + 1);
                }
            }
        }
        Value::List(list) if !list.is_empty() => {
            let Some(items) = schema.items() else { return };
            for element in list.elements_mut() {
                not_null(items, element);
                let is_object = items.is_embedded_resource();
                node(items, pass, element, is_object, depth + 1);
            }
        }
        _ => {}
    }
}

fn read_metadata(plan: &KindPlan, map: &mut Map) {
    if let Some(written) = map.get_str_mut("metadata") {
        if matches!(written, Value::Null) {
            *written = empty();
        }
        normalize::apply(plan, written);
    }
}

fn prune(schema: Schema<'_>, map: &mut Map, is_object: bool) {
    if keeps_unknown(schema) {
        return;
    }
    let is_known = |key: &Key| key_text(key).is_some_and(|name| is_known(schema, name, is_object));
    if !map.iter().all(|(key, _)| is_known(key)) {
        map.retain(|key, _| is_known(key));
    }
}

/// Returns whether an object keeps the fields that its schema does not declare. A schema without a
/// type keeps them.
fn keeps_unknown(schema: Schema<'_>) -> bool {
    schema.preserves_unknown_fields()
        || schema.additional_properties().is_some()
        || matches!(schema.ty(), SchemaType::Any)
}

fn is_known(schema: Schema<'_>, name: &str, is_object: bool) -> bool {
    schema.property(name).is_some() || is_object && OF_EVERY_OBJECT.contains(&name)
}

/// Returns the paths of the fields that are pruned, sorted. They have the form of the server, in
/// which a key of a map is a field.
pub(super) fn unknown_fields(schema: Schema<'_>, object: &Value) -> Vec<String> {
    let mut found = Vec::new();
    unknown(schema, object, "", true, &mut found);
    found.sort_unstable();
    found
}

fn unknown(
    schema: Schema<'_>,
    value: &Value,
    path: &str,
    is_object: bool,
    found: &mut Vec<String>,
) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let Some(name) = key_text(key) else { continue };
                if is_object && OF_EVERY_OBJECT.contains(&name) {
                    continue;
                }
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{name}");
                let field = schema
                    .property(name)
                    .or_else(|| schema.additional_properties());
                match field {
                    Some(field) => {
                        unknown(field, value, &path, field.is_embedded_resource(), found);
                    }
                    None if keeps_unknown(schema) => {}
                    None => found.push(path),
                }
            }
        }
        Value::List(_) => {
            let elements = value.as_list().unwrap_or_default().iter().enumerate();
            let Some(items) = schema.items() else { return };
            for (index, element) in elements {
                let path = format!("{path}[{index}]");
                unknown(items, element, &path, items.is_embedded_resource(), found);
            }
        }
        _ => {}
    }
}

/// Removes the nulls that are not allowed and have no default.
fn without_nulls(schema: Schema<'_>, map: &mut Map) {
    if !map.iter().any(|(_, value)| matches!(value, Value::Null)) {
        return;
    }
    map.retain(|key, value| {
        let field = key_text(key)
            .and_then(|name| schema.property(name))
            .or_else(|| schema.additional_properties());
        let may_be = |field: Schema<'_>| field.nullable() || field.default_value().is_some();
        !matches!(value, Value::Null) || field.is_none_or(may_be)
    });
}

/// Replaces a null that is not allowed with the default.
fn not_null(schema: Schema<'_>, value: &mut Value) {
    if matches!(value, Value::Null)
        && !schema.nullable()
        && let Some(default) = schema.default_value()
        && let Some(default) = tree::value(&default)
    {
        *value = default;
    }
}

/// Sets the defaults. A null that is not allowed counts as missing if there is a default.
fn defaults(schema: Schema<'_>, map: &mut Map) {
    for (name, field) in schema.properties() {
        let is_missing = match map.get_str(name) {
            None => true,
            Some(Value::Null) => !field.nullable(),
            Some(_) => false,
        };
        if is_missing
            && let Some(default) = field.default_value()
            && let Some(value) = tree::value(&default)
        {
            map.set_str(name, value);
        }
    }
}
