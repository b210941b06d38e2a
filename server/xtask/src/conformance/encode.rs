//! Values and types as the cases of Kubernetes write them.

use cel::value::number::shortest;
use cel::value::{Map, Timestamp};
use cel::{Type, Value};
use serde_json::{Value as Json, json};

/// Returns a value as in `cel.jsonl`. `ty` is its type if the checker has a more precise one than
/// the value.
pub(super) fn value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Int(number) => json!({ "int": number.to_string() }),
        Value::Uint(number) => json!({ "uint": number.to_string() }),
        Value::Double(number) => json!({ "double": shortest(*number) }),
        Value::String(text) => json!(&**text),
        Value::Bytes(bytes) => json!({ "bytes": text::encode_base64(bytes) }),
        Value::List(elements) => elements.iter().map(self::value).collect(),
        Value::Map(map) => json!({ "map": entries(map) }),
        Value::Duration(span) => json!({ "duration": span.to_string() }),
        Value::Timestamp(time) => json!({ "timestamp": in_utc(*time).to_string() }),
        Value::Type(ty) if matches!(**ty, Type::Optional(_)) => {
            json!({ "type": ty.runtime_name() })
        }
        Value::Type(ty) => json!({ "type": ty.full_runtime_name() }),
        Value::Optional(None) => json!({ "optional.none": true }),
        Value::Optional(Some(inner)) => json!({ "optional": self::value(inner) }),
        Value::Opaque(opaque) => {
            let ty = opaque.ty();
            let name = ty.runtime_name();
            match name {
                // Kubernetes' results only name the type.
                _ if is_built(name) => json!({ name: true }),
                _ => json!({ name: opaque.display() }),
            }
        }
    }
}

/// Returns the time without the offset with which it was written.
fn in_utc(time: Timestamp) -> Timestamp {
    Timestamp::from_unix(time.seconds(), time.nanos()).unwrap_or(time)
}

/// Returns whether a type is one that a mutation creates.
fn is_built(name: &str) -> bool {
    name == "JSONPatch" || name == "Object" || name.starts_with("Object.")
}

/// Returns the entries of a map, sorted by their keys as written.
fn entries(map: &Map) -> Vec<Json> {
    let mut entries: Vec<(String, Json)> = map
        .iter()
        .map(|(key, inner)| {
            let key = value(&key.value());
            (key.to_string(), json!([key, value(inner)]))
        })
        .collect();
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns a value as Go's `%v` prints its content, which is the form in the recorded errors.
pub(super) fn printed(value: &Value) -> String {
    match value {
        Value::Null => "NULL_VALUE".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => shortest(*number),
        Value::String(text) => text.to_string(),
        Value::Bytes(bytes) => {
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            format!("[{}]", bytes.join(" "))
        }
        Value::List(elements) => {
            let elements: Vec<String> = elements.iter().map(nested).collect();
            format!("[{}]", elements.join(" "))
        }
        Value::Map(map) => format!("map[{}]", printed_entries(map)),
        Value::Duration(span) => span.to_string(),
        Value::Timestamp(time) => time.to_string(),
        Value::Type(ty) => ty.runtime_name().into(),
        Value::Optional(inner) => inner.as_deref().map_or_else(|| "<nil>".into(), printed),
        Value::Opaque(opaque) => opaque.display(),
    }
}

fn printed_entries(map: &Map) -> String {
    let mut entries: Vec<(String, String)> = map
        .iter()
        .map(|(key, value)| (printed(&key.value()), nested(value)))
        .collect();
    entries.sort();
    let texts: Vec<String> = entries
        .into_iter()
        .map(|(key, value)| format!("{key}:{value}"))
        .collect();
    texts.join(" ")
}

/// Returns a value inside another as cel-go prints it, if that differs from Go.
fn nested(value: &Value) -> String {
    match value {
        Value::Optional(None) => "optional.none()".into(),
        Value::Optional(Some(inner)) => format!("optional({})", nested(inner)),
        Value::Map(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", printed(&key.value()), nested(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        _ => printed(value),
    }
}
