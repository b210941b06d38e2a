//! Validation of an apply configuration by the schema of the object.
//!
//! Upstream: kubernetes-sigs/structured-merge-diff, typed/validate.go; kubernetes/apiserver,
//! pkg/admission/plugin/policy/mutating/patch/smd.go, findAtomics.

use super::element;
use super::json_patch::go_type;
use super::native::Unread;
use crate::openapi::{Schema, SchemaType};
use crate::quote::quote;
use cel::value::{Key, Map, Value};

/// Limit: the depth to which a configuration is visited.
const MAX_DEPTH: usize = 200;

/// The beginning of the server's message for a duplicate element of a list.
const DUPLICATE: &str = "duplicate entries for key";

/// An error: its path, and the message of the server.
struct TypedError {
    path: String,
    message: String,
}

/// Returns the errors of a value, as the server lists them. `None` without errors.
pub(super) fn errors(schema: Schema<'_>, value: &Value) -> Option<String> {
    let mut found = Vec::new();
    check(schema, value, &mut String::new(), 0, &mut found);
    listed(&found)
}

/// Returns the repeated elements of lists in a value, as the server lists them. `None` if there are
/// none.
pub(super) fn duplicates(schema: Schema<'_>, value: &Value) -> Option<String> {
    let mut found = Vec::new();
    check(schema, value, &mut String::new(), 0, &mut found);
    found.retain(|it| it.message.starts_with(DUPLICATE));
    listed(&found)
}

fn listed(found: &[TypedError]) -> Option<String> {
    let lines: Vec<String> = found
        .iter()
        .map(|TypedError { path, message }| {
            if path.is_empty() {
                message.clone()
            } else {
                format!("{path}: {message}")
            }
        })
        .collect();
    match lines.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        _ => Some(format!("errors:\n  {}", lines.join("\n  "))),
    }
}

fn check(
    schema: Schema<'_>,
    value: &Value,
    path: &mut String,
    depth: usize,
    found: &mut Vec<TypedError>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let message = match (schema.ty(), value) {
        (SchemaType::Object, Value::Map(map)) => {
            return fields(schema, map, path, depth, found);
        }
        (SchemaType::Array, Value::List(list)) => {
            return elements(schema, list, path, depth, found);
        }
        (SchemaType::Any, _) => return deduced(value, path, depth, found),
        (SchemaType::Object, _) => Some(format!("expected map, got {}", printed_value(value))),
        (SchemaType::Array, _) => Some(format!("expected list, got {}", printed_value(value))),
        (ty, _) => scalar(ty, schema.format(), value),
    };
    if let Some(message) = message {
        let path = path.clone();
        found.push(TypedError { path, message });
    }
}

/// Returns the error of a value where a scalar is expected.
fn scalar(ty: SchemaType, format: Option<&str>, value: &Value) -> Option<String> {
    let is_number = is_number(value);
    let is_text = matches!(value, Value::String(_));
    let is_bool = matches!(value, Value::Bool(_));
    match ty {
        SchemaType::Integer | SchemaType::Number => {
            let found = match value {
                Value::List(_) => "[]interface {}",
                Value::Map(_) => "map[string]interface {}",
                Value::Opaque(_) if unread(value).is_some() => {
                    unread(value).map_or("", |inner| go_type(inner))
                }
                other => go_type(other),
            };
            let message = || format!("expected numeric (int or float), got {found}");
            (!is_number).then(message)
        }
        SchemaType::Boolean => {
            (!is_bool).then(|| format!("expected boolean, got {}", printed_value(value)))
        }
        SchemaType::String if matches!(format, None | Some("byte")) => {
            (!is_text).then(|| format!("expected string, got {}", in_go(value)))
        }
        _ => {
            let message = || format!("expected any scalar, got {}", printed_value(value));
            (!is_number && !is_text && !is_bool).then(message)
        }
    }
}

/// Returns whether a value is a number for the merge, which does not support `uint`.
fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Double(_))
}

/// Returns a part that stays a CEL value.
fn unread(value: &Value) -> Option<&Value> {
    value.downcast::<Unread>().map(|unread| &unread.0)
}

/// Checks a value that no schema describes: any JSON.
///
/// Upstream: kubernetes/kube-openapi, pkg/schemaconv/smd.go, deducedDef and untypedDef.
fn deduced(value: &Value, path: &mut String, depth: usize, found: &mut Vec<TypedError>) {
    if depth > MAX_DEPTH {
        return;
    }
    let length = path.len();
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let Key::String(key) = key else { continue };
                path.push('.');
                path.push_str(key);
                deduced(value, path, depth + 1, found);
                path.truncate(length);
            }
        }
        Value::List(list) => {
            for (index, value) in list.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                deduced(value, path, depth + 1, found);
                path.truncate(length);
            }
        }
        Value::String(_) | Value::Bool(_) => {}
        _ if is_number(value) => {}
        _ => found.push(TypedError {
            path: path.clone(),
            message: format!("expected map, got {}", printed_value(value)),
        }),
    }
}

fn fields(
    schema: Schema<'_>,
    map: &Map,
    path: &mut String,
    depth: usize,
    found: &mut Vec<TypedError>,
) {
    for (key, value) in map.iter() {
        let Key::String(key) = key else { continue };
        let length = path.len();
        path.push('.');
        path.push_str(key);
        let field = schema
            .property(key)
            .or_else(|| schema.additional_properties());
        if let Some(field) = field {
            check(field, value, path, depth + 1, found);
        } else if is_open(schema) {
            deduced(value, path, depth + 1, found);
        } else {
            found.push(TypedError {
                path: path.clone(),
                message: "field not declared in schema".to_owned(),
            });
            path.truncate(length);
            return;
        }
        path.truncate(length);
    }
}

/// Returns whether an object accepts any field.
pub(super) fn is_open(schema: Schema<'_>) -> bool {
    schema.preserves_unknown_fields() || schema.properties().len() == 0
}

fn elements(
    schema: Schema<'_>,
    list: &[Value],
    path: &mut String,
    depth: usize,
    found: &mut Vec<TypedError>,
) {
    let Some(items) = schema.items() else { return };
    let mut seen: Vec<String> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let name = if schema.is_atomic() {
            Ok(format!("[{index}]"))
        } else {
            element::name(schema, value)
        };
        let name = match name {
            Ok(name) => name,
            Err(reason) => {
                let message = format!("element {index}: {reason}");
                let path = path.clone();
                found.push(TypedError { path, message });
                return;
            }
        };
        if !schema.is_atomic() && seen.contains(&name) {
            let message = format!("{DUPLICATE} {name}");
            let path = path.clone();
            found.push(TypedError { path, message });
        }
        let length = path.len();
        path.push_str(&name);
        check(items, value, path, depth + 1, found);
        path.truncate(length);
        seen.push(name);
    }
}

/// The type of objects for which the server has no schema.
pub(super) const RAW: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";

/// Returns whether a map or an object is atomic.
pub(super) fn is_atomic_map(schema: Schema<'_>) -> bool {
    match schema.ty() {
        SchemaType::Any => false,
        SchemaType::Object => schema.is_atomic() || schema.type_name() == Some(RAW),
        _ => true,
    }
}

/// Returns the paths of lists, maps and objects that a configuration cannot set, since they would
/// be replaced as a whole.
pub(super) fn atomics(schema: Schema<'_>, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_atomics(schema, value, &mut String::new(), 0, &mut found);
    found
}

fn find_atomics(
    schema: Schema<'_>,
    value: &Value,
    path: &mut String,
    depth: usize,
    found: &mut Vec<String>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    let length = path.len();
    match (schema.ty(), value) {
        (SchemaType::Any, Value::List(_)) => found.push(path.clone()),
        (SchemaType::Object, Value::Map(map)) => {
            if is_atomic_map(schema) {
                found.push(path.clone());
            }
            for (key, value) in map.iter() {
                let Key::String(key) = key else { continue };
                if let Some(field) = schema.property(key) {
                    path.push('.');
                    path.push_str(key);
                    find_atomics(field, value, path, depth + 1, found);
                    path.truncate(length);
                }
            }
        }
        (SchemaType::Array, Value::List(list)) => {
            if schema.is_atomic() {
                found.push(path.clone());
            }
            let Some(items) = schema.items() else { return };
            for (index, value) in list.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                find_atomics(items, value, path, depth + 1, found);
                path.truncate(length);
            }
        }
        _ => {}
    }
}

/// Returns a value as the server prints it where it expects another type.
fn printed_value(value: &Value) -> String {
    format!("&{{{}}}", printed(value))
}

fn printed(value: &Value) -> String {
    match value {
        Value::Null => "NULL_VALUE".to_owned(),
        Value::List(elements) => {
            let texts: Vec<String> = elements.iter().map(printed).collect();
            format!("[{}]", texts.join(" "))
        }
        Value::Map(map) => {
            let mut texts: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}:{}", key.value(), printed(value)))
                .collect();
            texts.sort();
            format!("map[{}]", texts.join(" "))
        }
        other => other.to_string(),
    }
}

/// Returns a value in the syntax of Go.
fn in_go(value: &Value) -> String {
    format!("&value.valueUnstructured{{Value:{}}}", go_syntax(value))
}

fn go_syntax(value: &Value) -> String {
    match value {
        Value::Null => "0".to_owned(),
        Value::Uint(number) => format!("{number:#x}"),
        Value::String(text) => quote(text),
        Value::Bytes(bytes) => {
            let texts: Vec<String> = bytes.iter().map(|byte| format!("{byte:#x}")).collect();
            format!("[]uint8{{{}}}", texts.join(", "))
        }
        Value::List(elements) => {
            let texts: Vec<String> = elements.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", texts.join(", "))
        }
        Value::Map(map) => {
            let mut texts: Vec<String> = map
                .iter()
                .map(|(key, value)| {
                    let key = key.value();
                    format!(
                        "{}:{}",
                        quote(key.as_str().unwrap_or_default()),
                        go_syntax(value)
                    )
                })
                .collect();
            texts.sort();
            format!("map[string]interface {{}}{{{}}}", texts.join(", "))
        }
        other => other.to_string(),
    }
}
