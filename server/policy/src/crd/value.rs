//! Values as rules of a schema see them: typed, with the names that rules use.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, UnstructuredToVal.

use super::preserved::Preserved;
use crate::json_schema::JsonSchema;
use cel::Value;
use cel::value::{
    Duration, EvalError, Key, List, ListKind, LostElements, Map, Repeats, Spelling, Sum, Timestamp,
    View,
};
use kubernetes::ServerVersion;
use kubernetes::names::escape;
use kubernetes::versions::changes::{REPEATED_ELEMENTS_COUNT, SUMS_KEEP_ELEMENTS};
use std::borrow::Cow;
use std::sync::Arc;
use yaml::Node;

/// The fields of a whole object that its schema need not describe.
const STANDARD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The fields of `metadata` that a schema declares if it need not describe it.
const NAMES: [&str; 2] = ["name", "generateName"];

/// Returns a value of a schema, on a server. A value that the schema does not allow, which an old
/// object can have, fails when it is read.
pub fn typed(
    schema: JsonSchema<'_>,
    value: &Value,
    is_resource: bool,
    server: ServerVersion,
) -> Value {
    if schema.flag("x-kubernetes-int-or-string") && !matches!(value, Value::Null) {
        return value.clone();
    }
    match (schema.ty(), value) {
        (_, Value::Null) if schema.flag("nullable") => Value::Null,
        (_, Value::Null) => invalid("got null for schema with nullable=false"),
        ("object", Value::Map(map)) => Value::Map(object(schema, map, is_resource, server)),
        ("array", Value::List(list)) => {
            let Some(item_schema) = schema.schema("items") else {
                return value.clone();
            };
            let items = list
                .iter()
                .map(|item| typed(item_schema, item, false, server))
                .collect();
            let sum = sum(schema, item_schema, server).map(Arc::new);
            Value::List(List::with_sum(items, list_kind(schema, server), sum))
        }
        // As Go converts the number.
        ("number", Value::Int(number)) => Value::Double(*number as f64),
        ("string", Value::String(text)) => self::text(schema.text("format"), text, value),
        ("number", Value::Double(_)) | ("integer", Value::Int(_)) | ("boolean", Value::Bool(_)) => {
            value.clone()
        }
        ("object" | "array", _) => invalid(expected_collection(schema.ty())),
        ("", _) if schema.flag("x-kubernetes-preserve-unknown-fields") => {
            Value::opaque(Preserved(value.clone()))
        }
        ("", _) => value.clone(),
        (ty, _) => {
            let expected = match ty {
                "number" => "float",
                "integer" => "int",
                "boolean" => "bool",
                other => other,
            };
            invalid(&format!("expected {expected}, got {}", go_type(value)))
        }
    }
}

/// Returns a value that cannot be read.
fn invalid(detail: &str) -> Value {
    Value::failed(EvalError::message(format!("invalid data, {detail}")))
}

/// Returns the type of a decoded value in Go.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Double(_) => "float64",
        Value::String(_) => "string",
        Value::List(_) => "[]interface {}",
        _ => "map[string]interface {}",
    }
}

/// Returns why a value is not an object or an array.
fn expected_collection(ty: &str) -> &'static str {
    if ty == "object" {
        "expected a map for the provided schema with type=object"
    } else {
        "expected an array for the provided schema with type=array"
    }
}

/// Returns how the elements of a list are identified.
///
/// The server looks up keys by their escaped names in objects with unescaped names. A key that
/// needs an escape is therefore never found, and does not identify anything. An empty key is
/// never found either.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go,
/// unstructuredMapList.toMapKey.
fn list_kind(schema: JsonSchema<'_>, server: ServerVersion) -> ListKind {
    let repeats = if REPEATED_ELEMENTS_COUNT.applies(server) {
        Repeats::Counted
    } else {
        Repeats::Overlooked
    };
    match schema.text("x-kubernetes-list-type") {
        "set" => ListKind::Set(repeats),
        "map" => {
            let is_plain = |key: &&str| matches!(escape(key), Some(Cow::Borrowed(_)));
            let keys = list_keys(schema).map(|key| Some(key).filter(is_plain).unwrap_or(""));
            ListKind::Keyed(keys.map(Arc::from).collect(), repeats)
        }
        _ => ListKind::Atomic,
    }
}

/// Returns the effect of an addition on a list. Up to Kubernetes 1.36 added elements are converted
/// again by the schema of the items, which fails unless they are plain JSON. Later servers keep
/// them, and find their keys by the names that rules use.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredList.Add,
/// unstructuredSetList.Add and unstructuredMapList.Add; valuesreflect.go, refValMapKey.
fn sum(schema: JsonSchema<'_>, items: JsonSchema<'_>, server: ServerVersion) -> Option<Sum> {
    if SUMS_KEEP_ELEMENTS.applies(server) {
        let keys = || list_keys(schema).map(|key| escape(key).unwrap_or(Cow::Borrowed(key)));
        let is_escaped = keys().any(|key| matches!(key, Cow::Owned(_)));
        let keys = is_escaped.then(|| keys().map(Arc::from).collect());
        return keys.is_some().then_some(Sum { keys, lost: None });
    }
    if items.flag("x-kubernetes-int-or-string") {
        return None;
    }
    let (lost, expected) = match (items.ty(), items.text("format")) {
        ("string", "byte") => (LostElements::All, "expected string, got []uint8"),
        ("string", "duration") => (LostElements::All, "expected string, got time.Duration"),
        ("string", "date" | "date-time") => (LostElements::All, "expected string, got time.Time"),
        (ty @ ("object" | "array"), _) => (LostElements::Made, expected_collection(ty)),
        _ => return None,
    };
    let error = format!("invalid data, {expected}").into();
    Some(Sum {
        keys: None,
        lost: Some((lost, error)),
    })
}

/// Returns the fields that identify the elements of a list.
pub(crate) fn list_keys(schema: JsonSchema<'_>) -> impl Iterator<Item = &str> {
    let keys = schema.node().get("x-kubernetes-list-map-keys");
    let keys = keys.and_then(Node::as_sequence);
    let keys = keys.into_iter().flat_map(yaml::Sequence::items);
    keys.filter_map(Node::as_str)
}

fn text(format: &str, text: &str, value: &Value) -> Value {
    let converted = match format {
        "byte" => text::decode_base64(text).map(Value::bytes),
        "duration" => Duration::parse(text).map(Value::Duration),
        "date-time" => Timestamp::parse(text).ok().map(Value::Timestamp),
        "date" => Timestamp::parse(&format!("{text}T00:00:00Z"))
            .ok()
            .map(Value::Timestamp),
        _ => None,
    };
    converted.unwrap_or_else(|| value.clone())
}

/// Returns a value of an object. Fields that the schema does not declare cannot be read, but still
/// count.
fn object(schema: JsonSchema<'_>, map: &Map, is_resource: bool, server: ServerVersion) -> Map {
    let is_resource = is_resource || schema.flag("x-kubernetes-embedded-resource");
    let has_fields = is_resource || schema.has_any("properties");
    let values = schema
        .schema("additionalProperties")
        .filter(|_| !has_fields);
    let adds_standard = is_resource && !schema.has_standard_fields();
    view(map, has_fields, |name, value| {
        if adds_standard && STANDARD.contains(&name) {
            return Some(match value {
                Value::Map(map) if name == "metadata" => {
                    Value::Map(view(map, true, |name, value| {
                        NAMES.contains(&name).then(|| value.clone())
                    }))
                }
                value => value.clone(),
            });
        }
        let schema = schema.property(name).or(values)?;
        Some(typed(schema, value, false, server))
    })
}

/// Returns the view of a map that has the values of `read`: `None` for a name that the schema does
/// not declare. An object with fields, unlike a map, has no null fields and escapes the names.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.
fn view(map: &Map, has_fields: bool, read: impl Fn(&str, &Value) -> Option<Value>) -> Map {
    let (mut out, mut nulls) = (Map::default(), Vec::new());
    for (key, value) in map.iter() {
        let Key::String(name) = key else { continue };
        let Some(typed) = read(name, value) else {
            continue;
        };
        if has_fields && matches!(value, Value::Null) {
            nulls.push(Arc::clone(name));
            continue;
        }
        match escape(name) {
            Some(Cow::Owned(escaped)) if has_fields => out.set_str(&escaped, typed),
            _ => out.add_str(name, typed),
        }
    }
    let spelling: Spelling = if has_fields { escape } else { |_| None };
    let source = map.clone();
    out.with_view(View {
        spelling,
        source,
        nulls,
    })
}
