//! Reading an object into the type of its kind and writing it out again.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/converter.go; Go, encoding/json.

use super::plan::{Field, Object, Shape, Shapes};
use super::tree::{empty, key_text};
use crate::library::Quantity;
use cel::Value;
use cel::value::{Key, Map};
use std::sync::Arc;

/// Limit: how deep an object is looked through. The deepest type of Kubernetes has fewer
/// levels, but that of the schemas in a CustomResourceDefinition has no end.
const MAX_DEPTH: usize = 64;

/// Gives an object the form in which the server writes it, with the defaults of its type.
pub(super) fn apply(shapes: &Shapes, value: &mut Value) {
    shape(shapes, 0, value, 0);
}

fn shape(shapes: &Shapes, place: usize, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match shapes.get(place) {
        Shape::Plain => {}
        Shape::Quantity => quantity(value, Quantity::canonical),
        Shape::Resources => {
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            entries.for_each(|(_, amount)| quantity(amount, Quantity::canonical_resource));
        }
        Shape::List(items) => {
            if matches!(shapes.get(*items), Shape::Plain) {
                return;
            }
            for element in value.as_list_mut().into_iter().flatten() {
                shape(shapes, *items, element, depth + 1);
            }
        }
        Shape::Map(values) => {
            if matches!(shapes.get(*values), Shape::Plain) {
                return;
            }
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            for (_, value) in entries {
                shape(shapes, *values, value, depth + 1);
            }
        }
        Shape::Object(object) => self::object(shapes, object, value, depth),
    }
}

fn object(shapes: &Shapes, object: &Object, value: &mut Value, depth: usize) {
    let Some(map) = value.as_map_mut() else {
        return;
    };
    read(object, map);
    for name in &object.structs {
        add(map, name, empty);
    }
    if let Some(rule) = object.rule {
        rule(value);
    }
    let Some(map) = value.as_map_mut() else {
        return;
    };
    for (name, value) in &object.written {
        add(map, name, || value.clone());
    }
    for (key, value) in map.iter_mut() {
        if let Some(field) = key_text(key).and_then(|name| object.fields.get(name)) {
            shape(shapes, field.shape, value, depth + 1);
        }
    }
}

fn add(map: &mut Map, name: &Arc<str>, value: impl FnOnce() -> Value) {
    if map.get_str(name).is_none() {
        map.add_str(name, value());
    }
}

/// Takes out what the type does not have, and what its Go value does not tell from nothing.
fn read(object: &Object, map: &mut Map) {
    let is_kept = |key: &Key, value: &Value| {
        let field = key_text(key).and_then(|name| object.fields.get(name));
        field.is_some_and(|field| is_kept(field, value))
    };
    if !map.iter().all(|(key, value)| is_kept(key, value)) {
        map.retain(|key, value| is_kept(key, value));
    }
}

fn is_kept(field: &Field, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::List(list) => !list.is_empty() || field.keeps_list,
        Value::Map(entries) => !entries.is_empty() || field.keeps_map,
        Value::Bool(false) | Value::Int(0) => field.keeps_zero,
        Value::String(text) => !text.is_empty() || field.keeps_text,
        _ => true,
    }
}

/// A quantity as the server writes it: `1024Mi` is `1Gi`, and `1` a text.
fn quantity(value: &mut Value, canonical: fn(&str) -> Option<String>) {
    let written = match value {
        Value::String(text) => canonical(text.trim()),
        Value::Int(number) => canonical(&number.to_string()),
        Value::Double(number) => canonical(&number.to_string()),
        _ => None,
    };
    if let Some(written) = written
        && value.as_str() != Some(written.as_str())
    {
        *value = Value::string(written);
    }
}
