//! Values as rules of a schema see them: typed, with the names that rules use.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, UnstructuredToVal.

use crate::json_schema::JsonSchema;
use cel::Value;
use cel::value::{Duration, Key, List, ListKind, LostElements, Map, Repeats, Sum, Timestamp};
use kubernetes::ServerVersion;
use kubernetes::names::escape;
use kubernetes::versions::changes::{REPEATED_ELEMENTS_COUNT, SUMS_KEEP_ELEMENTS};
use std::borrow::Cow;
use std::sync::Arc;
use yaml::Node;

/// The fields of a whole object that its schema need not describe.
const STANDARD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Returns a value of a schema, on a server.
pub fn typed(
    schema: JsonSchema<'_>,
    value: &Value,
    is_resource: bool,
    server: ServerVersion,
) -> Value {
    if schema.flag("x-kubernetes-int-or-string") {
        return value.clone();
    }
    match (schema.ty(), value) {
        ("object", Value::Map(map)) => Value::Map(object(schema, map, is_resource, server)),
        ("array", Value::List(list)) => {
            let Some(item_schema) = schema.schema("items") else {
                return value.clone();
            };
            let items = list
                .iter()
                .map(|item| typed(item_schema, item, is_embedded(item_schema), server))
                .collect();
            let sum = sum(schema, item_schema, server).map(Arc::new);
            Value::List(List::with_sum(items, list_kind(schema, server), sum))
        }
        // As Go converts the number.
        ("number", Value::Int(number)) => Value::Double(*number as f64),
        ("string", Value::String(text)) => self::text(schema.text("format"), text, value),
        _ => value.clone(),
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
        ("string", "byte") => (LostElements::All, "string, got []uint8"),
        ("string", "duration") => (LostElements::All, "string, got time.Duration"),
        ("string", "date" | "date-time") => (LostElements::All, "string, got time.Time"),
        ("object", _) => (
            LostElements::Made,
            "a map for the provided schema with type=object",
        ),
        ("array", _) => (
            LostElements::Made,
            "an array for the provided schema with type=array",
        ),
        _ => return None,
    };
    let error = format!("invalid data, expected {expected}").into();
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

/// Returns a value of an object. A field that no rule can name still makes two objects different.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.Find,
/// which takes both the name and the escaped name of a field.
fn object(schema: JsonSchema<'_>, map: &Map, is_resource: bool, server: ServerVersion) -> Map {
    let mut out = Map::default();
    let values = schema
        .schema("additionalProperties")
        .filter(|_| !is_resource);
    if let Some(values) = values {
        for (key, value) in map.iter() {
            let Key::String(name) = key else { continue };
            out.set_str(name, typed(values, value, is_embedded(values), server));
        }
        // The names are not escaped.
        return out.with_spelling(|_| None);
    }
    let adds_standard = is_resource && !schema.has_standard_fields();
    let keeps_unknown = schema.flag("x-kubernetes-preserve-unknown-fields");
    for (key, value) in map.iter() {
        let Key::String(name) = key else { continue };
        // An object, unlike a map, has no null fields.
        if matches!(value, Value::Null) {
            continue;
        }
        let is_standard = is_resource && STANDARD.contains(&&**name);
        let property = schema
            .property(name)
            .filter(|_| !(adds_standard && is_standard));
        let value = match property {
            Some(property) => typed(property, value, is_embedded(property), server),
            None if keeps_unknown || is_standard => value.clone(),
            None => continue,
        };
        out.set_str(&escape(name).unwrap_or(Cow::Borrowed(name)), value);
    }
    out.with_spelling(escape)
}

fn is_embedded(schema: JsonSchema<'_>) -> bool {
    schema.flag("x-kubernetes-embedded-resource")
}
