//! Reading an object into the type of its kind and writing it out again.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/converter.go; Go, encoding/json.

use super::pointers::is_pointer;
use super::presence::{is_left_out, is_null, is_written_time};
use super::rule;
use super::tree::{empty, key_text};
use crate::library::Quantity;
use crate::openapi::{Schema, SchemaType};
use cel::Value;
use cel::value::Map;

/// Limit: how deep an object is looked through. The deepest type of Kubernetes has fewer
/// levels, but that of the schemas in a CustomResourceDefinition has no end.
const MAX_DEPTH: usize = 64;

/// The type of times.
const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";

/// Gives a value of a type the form in which the server writes it, with the defaults of the
/// type.
pub(super) fn apply(schema: Schema<'_>, value: &mut Value) {
    shape(schema, value, 0);
}

fn shape(schema: Schema<'_>, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match schema.ty() {
        SchemaType::Object => object(schema, value, depth),
        SchemaType::Array => {
            let elements = value.as_list_mut();
            if let (Some(items), Some(elements)) = (schema.items(), elements) {
                for element in elements {
                    shape(items, element, depth + 1);
                }
            }
        }
        SchemaType::Quantity => quantity(value),
        _ => {}
    }
}

fn object(schema: Schema<'_>, value: &mut Value, depth: usize) {
    let Some(map) = value.as_map_mut() else {
        return;
    };
    if let Some(values) = schema.additional_properties() {
        for (_, value) in map.iter_mut() {
            shape(values, value, depth + 1);
        }
        return;
    }
    if schema.properties().len() == 0 {
        return;
    }
    let type_name = schema.type_name().unwrap_or_default();
    read(schema, type_name, map);
    structs(schema, map);
    if let Some(rule) = rule(type_name) {
        rule(value);
    }
    let Some(map) = value.as_map_mut() else {
        return;
    };
    write(schema, type_name, map);
    for (key, value) in map.iter_mut() {
        if let Some(schema) = key_text(key).and_then(|name| schema.property(name)) {
            shape(schema, value, depth + 1);
        }
    }
}

/// Takes out what the type does not have, and what its Go value does not tell from nothing.
fn read(schema: Schema<'_>, type_name: &str, map: &mut Map) {
    let is_kept = |key: &str, value: &Value| {
        let Some(field) = schema.property(key) else {
            return false;
        };
        match value {
            Value::Null => false,
            Value::List(list) => !list.is_empty() || is_always_written(schema, type_name, key),
            Value::Map(entries) if entries.is_empty() => {
                field.additional_properties().is_none() || is_always_written(schema, type_name, key)
            }
            Value::Bool(false) | Value::Int(0) => {
                field.ty() == SchemaType::IntOrString || is_pointer(type_name, key)
            }
            Value::String(text) if text.is_empty() => is_pointer(type_name, key),
            _ => true,
        }
    };
    let goes = |(key, value): (&cel::value::Key, &Value)| {
        key_text(key).is_none_or(|key| !is_kept(key, value))
    };
    if map.iter().any(goes) {
        map.retain(|key, value| key_text(key).is_some_and(|key| is_kept(key, value)));
    }
}

/// Whether a list or a map is written also without a value.
fn is_always_written(schema: Schema<'_>, type_name: &str, field: &str) -> bool {
    let is_required = schema.is_required(field) && !is_left_out(type_name, field);
    is_required || is_null(type_name, field)
}

/// Adds the parts that are no pointers: they are always there.
fn structs(schema: Schema<'_>, map: &mut Map) {
    for (name, field) in schema.properties() {
        let is_struct = field.ty() == SchemaType::Object
            && field.additional_properties().is_none()
            && map.get_str(name).is_none()
            && field.default_value().is_some_and(|it| it.is_object());
        if is_struct {
            map.set_str(name, empty());
        }
    }
}

/// Adds what is written without a value, and the defaults that the schema says.
fn write(schema: Schema<'_>, type_name: &str, map: &mut Map) {
    for (name, field) in schema.properties() {
        if map.get_str(name).is_some() {
            continue;
        }
        if let Some(value) = without_value(schema, type_name, name, field) {
            map.set_str(name, value);
        }
    }
}

fn without_value(
    schema: Schema<'_>,
    type_name: &str,
    name: &str,
    field: Schema<'_>,
) -> Option<Value> {
    if let Some(default) = field.default_value() {
        // What is an object was added before.
        return super::custom::value(&default);
    }
    if matches!(field.type_name(), Some(TIME | MICRO_TIME)) {
        return is_written_time(name).then_some(Value::Null);
    }
    if name == "divisor" && field.ty() == SchemaType::Quantity {
        return Some(Value::string("0"));
    }
    if !is_always_written(schema, type_name, name) {
        return None;
    }
    Some(match field.ty() {
        SchemaType::Quantity => Value::string("0"),
        SchemaType::IntOrString => Value::Int(0),
        _ => Value::Null,
    })
}

/// A quantity as the server writes it: `1024Mi` is `1Gi`, and `1` a text.
fn quantity(value: &mut Value) {
    let written = match value {
        Value::String(text) => Quantity::canonical(text.trim()),
        Value::Int(number) => Quantity::canonical(&number.to_string()),
        Value::Double(number) => Quantity::canonical(&number.to_string()),
        _ => None,
    };
    if let Some(written) = written
        && value.as_str() != Some(written.as_str())
    {
        *value = Value::string(written);
    }
}
