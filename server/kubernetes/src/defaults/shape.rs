//! Reading an object into the type of its kind and writing it out again.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/converter.go; Go, encoding/json.

use super::plan::{Field, Object, Shape, Shapes};
use super::tree::{empty, key_text};
use crate::quantity::Quantity;
use cel::Value;
use cel::value::{Key, Map, Timestamp};
use std::sync::Arc;

/// Limit: how deep an object is looked through. The deepest type of Kubernetes has fewer
/// levels, but that of the schemas in a CustomResourceDefinition has no end.
const MAX_DEPTH: usize = 64;

/// Normalizes an object as the server writes it, with the defaults of its type.
pub(super) fn apply(shapes: &Shapes, value: &mut Value) {
    shape(shapes, 0, value, 0);
}

/// Removes empty lists and maps, which are no different from missing ones in storage.
pub(super) fn without_empty(shapes: &Shapes, value: &mut Value) {
    remove_empty(shapes, 0, value, 0);
}

fn remove_empty(shapes: &Shapes, place: usize, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match shapes.get(place) {
        Shape::List(of) => {
            let elements = value.as_list_mut().into_iter().flatten();
            elements.for_each(|it| remove_empty(shapes, *of, it, depth + 1));
        }
        Shape::Map(of) => {
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            entries.for_each(|(_, it)| remove_empty(shapes, *of, it, depth + 1));
        }
        Shape::Object(object) => {
            if let Some(fields) = value.as_map_mut() {
                remove_empty_fields(shapes, object, fields, depth);
            }
        }
        _ => {}
    }
}

fn remove_empty_fields(shapes: &Shapes, object: &Object, fields: &mut Map, depth: usize) {
    let place = |key: &Key| Some(object.fields.get(key_text(key)?)?.shape);
    let is_kept = |key: &Key, value: &Value| match (place(key).map(|it| shapes.get(it)), value) {
        (Some(Shape::List(_)), Value::List(list)) => !list.is_empty(),
        (Some(Shape::Map(_) | Shape::Resources), Value::Map(map)) => !map.is_empty(),
        _ => true,
    };
    if !fields.iter().all(|(key, it)| is_kept(key, it)) {
        fields.retain(|key, it| is_kept(key, it));
    }
    for (key, it) in fields.iter_mut() {
        if let Some(place) = place(key) {
            remove_empty(shapes, place, it, depth + 1);
        }
    }
}

/// Returns the value of a missing field of the kind.
pub(super) fn blank(shapes: &Shapes, field: &str) -> Option<Value> {
    let Shape::Object(kind) = shapes.get(0) else {
        return None;
    };
    let is_struct = kind.structs.iter().any(|name| &**name == field);
    let place = kind.fields.get(field).filter(|_| is_struct)?.shape;
    Some(zero(shapes, place, 0))
}

/// The Go value of a struct that nothing was read into.
fn zero(shapes: &Shapes, place: usize, depth: usize) -> Value {
    let mut map = Map::default();
    let Shape::Object(object) = shapes.get(place) else {
        return Value::Map(map);
    };
    for name in object.structs.iter().filter(|_| depth < MAX_DEPTH) {
        if let Some(field) = object.fields.get(&**name) {
            map.add_str(name, zero(shapes, field.shape, depth + 1));
        }
    }
    for (name, value) in &object.written {
        add(&mut map, name, || value.clone());
    }
    Value::Map(map)
}

fn shape(shapes: &Shapes, place: usize, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match shapes.get(place) {
        Shape::Plain | Shape::Text => {}
        Shape::Time => time(value, seconds),
        Shape::MicroTime => time(value, micro_time),
        Shape::Bytes => bytes(value),
        Shape::Quantity => quantity(value, Quantity::canonical),
        Shape::Resources => {
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            entries.for_each(|(_, amount)| {
                fill(&Shape::Quantity, amount);
                quantity(amount, Quantity::canonical_resource);
            });
        }
        Shape::List(items) => elements(shapes, *items, value, depth),
        Shape::Map(values) => entries(shapes, *values, value, depth),
        Shape::Object(object) => self::object(shapes, object, value, depth),
    }
}

fn elements(shapes: &Shapes, place: usize, value: &mut Value, depth: usize) {
    let of = shapes.get(place);
    let has_null = || value.as_list().is_some_and(|list| list.iter().any(is_null));
    if of.leaves_all() && !has_null() {
        return;
    }
    for element in value.as_list_mut().into_iter().flatten() {
        fill(of, element);
        shape(shapes, place, element, depth + 1);
    }
}

fn entries(shapes: &Shapes, place: usize, value: &mut Value, depth: usize) {
    let of = shapes.get(place);
    let has_null = |map: &Map| map.iter().any(|(_, value)| is_null(value));
    let Some(map) = value.as_map_mut() else {
        return;
    };
    if of.leaves_all() && !has_null(map) {
        return;
    }
    for (_, value) in map.iter_mut() {
        fill(of, value);
        shape(shapes, place, value, depth + 1);
    }
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Null)
}

/// Sets the zero value of the Go type.
fn fill(of: &Shape, value: &mut Value) {
    if !is_null(value) {
        return;
    }
    *value = match of {
        Shape::Text => Value::string(""),
        Shape::Quantity => Value::string("0"),
        Shape::Object(_) => empty(),
        _ => return,
    };
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

/// Writes a quantity as the server does: `1024Mi` is `1Gi`, and `1` becomes a string.
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

/// A time as the server writes it: in UTC, and no finer than its type.
fn time(value: &mut Value, write: impl FnOnce(Timestamp) -> String) {
    let Some(text) = value.as_str() else { return };
    let Ok(time) = Timestamp::parse(text) else {
        return;
    };
    let time = Timestamp::from_unix(time.seconds(), time.nanos());
    let Some(written) = time.map(write) else {
        return;
    };
    if written != text {
        *value = Value::string(written);
    }
}

fn seconds(time: Timestamp) -> String {
    Timestamp::from_unix(time.seconds(), 0).map_or_else(String::new, |it| it.to_string())
}

fn micro_time(time: Timestamp) -> String {
    let seconds = seconds(time);
    let seconds = seconds.trim_end_matches('Z');
    format!("{seconds}.{:06}Z", time.nanos() / 1_000)
}

/// Bytes may be written on several lines.
fn bytes(value: &mut Value) {
    const BREAKS: [char; 2] = ['\r', '\n'];
    if let Some(text) = value.as_str()
        && text.contains(BREAKS)
    {
        *value = Value::string(text.replace(BREAKS, ""));
    }
}
