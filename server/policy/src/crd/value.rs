//! Values as the rules of a schema see them: with types, and with the names that rules use.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, UnstructuredToVal.

use crate::json_schema::JsonSchema;
use cel::Value;
use cel::library::Version;
use cel::value::{Duration, Key, List, ListKind, Map, Repeats, Timestamp};
use kubernetes::names::escape;
use kubernetes::versions::changes::REPEATED_ELEMENTS_COUNT;
use std::borrow::Cow;
use std::sync::Arc;
use yaml::Node;

/// The fields of a whole object that its schema need not describe.
const STANDARD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A value of a schema, on a server.
pub fn typed(schema: JsonSchema<'_>, value: &Value, is_resource: bool, server: Version) -> Value {
    if schema.flag("x-kubernetes-int-or-string") {
        return value.clone();
    }
    match (schema.ty(), value) {
        ("object", Value::Map(map)) => Value::Map(object(schema, map, is_resource, server)),
        ("array", Value::List(list)) => {
            let Some(items) = schema.schema("items") else {
                return value.clone();
            };
            let items = list
                .iter()
                .map(|item| typed(items, item, is_embedded(items), server));
            Value::List(List::with_kind(items.collect(), list_kind(schema, server)))
        }
        #[expect(clippy::cast_precision_loss, reason = "as Go converts the number")]
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
fn list_kind(schema: JsonSchema<'_>, server: Version) -> ListKind {
    let repeats = match REPEATED_ELEMENTS_COUNT.applies(server) {
        true => Repeats::Counted,
        false => Repeats::Overlooked,
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

/// The fields by which the elements of a list are told apart.
pub fn list_keys(schema: JsonSchema<'_>) -> impl Iterator<Item = &str> {
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
        "date" => {
            let time = Timestamp::parse(&format!("{text}T00:00:00Z"));
            time.ok().map(Value::Timestamp)
        }
        _ => None,
    };
    converted.unwrap_or_else(|| value.clone())
}

/// A value of an object. A field that no rule can name still tells two objects apart.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.Find,
/// which takes both the name and the escaped name of a field.
fn object(schema: JsonSchema<'_>, map: &Map, is_resource: bool, server: Version) -> Map {
    let mut out = Map::default();
    let values = schema
        .schema("additionalProperties")
        .filter(|_| !is_resource);
    if let Some(values) = values {
        for (key, value) in map.iter() {
            let Key::String(name) = key else { continue };
            out.set_str(name, typed(values, value, is_embedded(values), server));
        }
        return out;
    }
    let adds_standard = is_resource && !schema.has_standard_fields();
    let keeps_unknown = schema.flag("x-kubernetes-preserve-unknown-fields");
    for (key, value) in map.iter() {
        let Key::String(name) = key else { continue };
        // An object, unlike a map, has no field that is null.
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
