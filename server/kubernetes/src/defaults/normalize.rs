//! Reading an object into the type of its kind and writing it out again.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/converter.go; Go, encoding/json.

use super::plan::{Field, KindPlan, Object, TypePlan};
use super::tree::{empty, key_text};
use crate::quantity::Quantity;
use cel::Value;
use cel::value::{Key, Map, Timestamp};
use std::sync::Arc;

/// Limit: the depth to which an object is visited. Kubernetes' types have fewer levels, except for
/// the recursive schemas in a CustomResourceDefinition.
const MAX_DEPTH: usize = 64;

/// Normalizes an object as the server writes it, with the defaults of its type.
pub(super) fn apply(plan: &KindPlan, value: &mut Value) {
    normalize(plan, 0, value, 0);
}

/// Removes empty lists and maps, which storage does not distinguish from missing ones.
pub(super) fn without_empty(plan: &KindPlan, value: &mut Value) {
    remove_empty(plan, 0, value, 0);
}

fn remove_empty(plan: &KindPlan, place: usize, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match plan.get(place) {
        TypePlan::List(of) => {
            let elements = value.as_list_mut().into_iter().flatten();
            elements.for_each(|it| remove_empty(plan, *of, it, depth + 1));
        }
        TypePlan::Map(of) => {
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            entries.for_each(|(_, it)| remove_empty(plan, *of, it, depth + 1));
        }
        TypePlan::Object(object) => {
            if let Some(fields) = value.as_map_mut() {
                remove_empty_fields(plan, object, fields, depth);
            }
        }
        _ => {}
    }
}

fn remove_empty_fields(plan: &KindPlan, object: &Object, fields: &mut Map, depth: usize) {
    let place = |key: &Key| Some(object.fields.get(key_text(key)?)?.shape);
    let is_kept = |key: &Key, value: &Value| match (place(key).map(|it| plan.get(it)), value) {
        (Some(TypePlan::List(_)), Value::List(list)) => !list.is_empty(),
        (Some(TypePlan::Map(_) | TypePlan::Resources), Value::Map(map)) => !map.is_empty(),
        _ => true,
    };
    if !fields.iter().all(|(key, it)| is_kept(key, it)) {
        fields.retain(|key, it| is_kept(key, it));
    }
    for (key, it) in fields.iter_mut() {
        if let Some(place) = place(key) {
            remove_empty(plan, place, it, depth + 1);
        }
    }
}

/// Returns the value of a missing field of the kind.
pub(super) fn blank(plan: &KindPlan, field: &str) -> Option<Value> {
    let TypePlan::Object(kind) = plan.get(0) else {
        return None;
    };
    let is_struct = kind.structs.iter().any(|name| &**name == field);
    let place = kind.fields.get(field).filter(|_| is_struct)?.shape;
    Some(zero(plan, place, 0))
}

/// Returns the Go value of a struct without any field read.
fn zero(plan: &KindPlan, place: usize, depth: usize) -> Value {
    let mut map = Map::default();
    let TypePlan::Object(object) = plan.get(place) else {
        return Value::Map(map);
    };
    for name in object.structs.iter().filter(|_| depth < MAX_DEPTH) {
        if let Some(field) = object.fields.get(&**name) {
            map.add_str(name, zero(plan, field.shape, depth + 1));
        }
    }
    for (name, value) in &object.defaults {
        add(&mut map, name, || value.clone());
    }
    Value::Map(map)
}

fn normalize(plan: &KindPlan, place: usize, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match plan.get(place) {
        TypePlan::Plain | TypePlan::Text => {}
        TypePlan::Time => time(value, seconds),
        TypePlan::MicroTime => time(value, micro_time),
        TypePlan::Bytes => bytes(value),
        TypePlan::Quantity => quantity(value, Quantity::canonical),
        TypePlan::Resources => {
            let entries = value.as_map_mut().into_iter().flat_map(Map::iter_mut);
            entries.for_each(|(_, entry)| {
                fill(&TypePlan::Quantity, entry);
                quantity(entry, Quantity::canonical_resource);
            });
        }
        TypePlan::List(items) => elements(plan, *items, value, depth),
        TypePlan::Map(values) => entries(plan, *values, value, depth),
        TypePlan::Object(object) => self::object(plan, object, value, depth),
    }
}

fn elements(plan: &KindPlan, place: usize, value: &mut Value, depth: usize) {
    let of = plan.get(place);
    let has_null = || value.as_list().is_some_and(|list| list.iter().any(is_null));
    if of.leaves_all() && !has_null() {
        return;
    }
    for element in value.as_list_mut().into_iter().flatten() {
        fill(of, element);
        normalize(plan, place, element, depth + 1);
    }
}

fn entries(plan: &KindPlan, place: usize, value: &mut Value, depth: usize) {
    let of = plan.get(place);
    let has_null = |map: &Map| map.iter().any(|(_, value)| is_null(value));
    let Some(map) = value.as_map_mut() else {
        return;
    };
    if of.leaves_all() && !has_null(map) {
        return;
    }
    for (_, value) in map.iter_mut() {
        fill(of, value);
        normalize(plan, place, value, depth + 1);
    }
}

fn is_null(value: &Value) -> bool {
    matches!(value, Value::Null)
}

/// Sets the zero value of the Go type.
fn fill(of: &TypePlan, value: &mut Value) {
    if !is_null(value) {
        return;
    }
    *value = match of {
        TypePlan::Text => Value::string(""),
        TypePlan::Quantity => Value::string("0"),
        TypePlan::Object(_) => empty(),
        _ => return,
    };
}

fn object(plan: &KindPlan, object: &Object, value: &mut Value, depth: usize) {
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
    for (name, value) in &object.defaults {
        add(map, name, || value.clone());
    }
    for (key, value) in map.iter_mut() {
        if let Some(field) = key_text(key).and_then(|name| object.fields.get(name)) {
            normalize(plan, field.shape, value, depth + 1);
        }
    }
}

fn add(map: &mut Map, name: &Arc<str>, value: impl FnOnce() -> Value) {
    if map.get_str(name).is_none() {
        map.add_str(name, value());
    }
}

/// Removes the fields that the type does not have, and the empty fields that its Go value omits.
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

/// Writes a time as the server does: in UTC, with the precision of its type.
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

/// Normalizes bytes, which may be written on several lines.
fn bytes(value: &mut Value) {
    const BREAKS: [char; 2] = ['\r', '\n'];
    if let Some(text) = value.as_str()
        && text.contains(BREAKS)
    {
        *value = Value::string(text.replace(BREAKS, ""));
    }
}
