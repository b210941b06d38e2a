//! Values as JSON has them.
//!
//! Upstream: cel-go, common/types, `ConvertToNative` to `structpb.Value`.

use super::json_patch::go_type;
use super::native::{self, Natives, Unread};
use super::strict;
use super::{MutationError, Object};
use crate::versions::bugs::PATCH_VALUE_PANICS;
use cel::value::{Key, Map, Value};

/// Limit: larger integers lose digits in JavaScript, so they become strings.
const MAX_EXACT: i64 = (1 << 53) - 1;

/// Returns a value as JSON.
///
/// # Errors
/// JSON cannot represent the value; the error of the server.
pub(super) fn json(value: &Value, natives: &Natives<'_>) -> Result<Value, MutationError> {
    match value.downcast::<Object>() {
        Some(object) => plain_json(&native::read(object, natives), natives),
        None => cel_json(value, natives),
    }
}

fn cel_json(value: &Value, natives: &Natives<'_>) -> Result<Value, MutationError> {
    Ok(match value {
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
        Value::Double(number) => json_number(*number),
        Value::Int(number) if (-MAX_EXACT..=MAX_EXACT).contains(number) => value.clone(),
        Value::Int(number) => Value::string(number.to_string()),
        Value::Uint(number) => match i64::try_from(*number) {
            Ok(number) if number <= MAX_EXACT => Value::Int(number),
            _ => Value::string(number.to_string()),
        },
        Value::Bytes(bytes) => Value::string(text::encode_base64(bytes)),
        Value::Timestamp(time) => Value::string(time.to_string()),
        Value::Duration(span) => Value::string(format!("{}s", span.seconds())),
        Value::Optional(Some(inner)) => cel_json(inner, natives)?,
        Value::Optional(None) => return Err(refused("optional.none() dereference")),
        Value::List(elements) => {
            let elements = elements.iter().map(|it| cel_json(it, natives));
            Value::list(elements.collect::<Result<_, _>>()?)
        }
        Value::Map(entries) => {
            let mut map = Map::default();
            for (key, value) in entries.iter() {
                map.set_str(key_text(key)?, cel_json(value, natives)?);
            }
            Value::Map(map)
        }
        Value::Type(_) => return Err(refused("type conversion not supported for 'type'")),
        Value::Opaque(_) => return opaque_json(value, natives),
    })
}

/// Returns a value of a library, or an `Object` within a list or a map.
fn opaque_json(value: &Value, natives: &Natives<'_>) -> Result<Value, MutationError> {
    if let Some(object) = value.downcast::<Object>() {
        return if PATCH_VALUE_PANICS.affects(natives.server()) {
            Err(MutationError::Internal(PANIC.to_owned()))
        } else {
            plain_json(&native::read(object, natives), natives)
        };
    }
    let ty = value.ty();
    let name = match ty.runtime_name() {
        "kubernetes.NamedFormat" => "Format",
        name if name.starts_with("kubernetes.authorization.") => name,
        name => name.rsplit('.').next().unwrap_or(name),
    };
    Err(unfit(name))
}

/// The error of older servers for an `Object` within a value: the handler panics, and the request
/// fails with an internal error.
///
/// Upstream: cel-go, common/types/list.go and map.go, ConvertToNative; kubernetes/apiserver,
/// pkg/cel/mutation/dynamic/objects.go, ConvertToNative.
const PANIC: &str = "This request caused apiserver to panic: the value of a JSON patch is a list or a map that holds an Object (reflect.Set: value of type *structpb.Struct is not assignable to type *structpb.Value)";

fn key_text(key: &Key) -> Result<&str, MutationError> {
    match key {
        Key::String(key) => Ok(key),
        Key::Bool(_) => Err(refused("type conversion error from bool to 'string'")),
        Key::Int(_) => Err(refused("unsupported type conversion from 'int' to string")),
        Key::Uint(_) => Err(refused("unsupported type conversion from 'uint' to string")),
        Key::Other(key) => Err(unfit(key.ty().runtime_name())),
    }
}

/// Returns a number in JSON, which does not distinguish `1.0` from `1`.
fn json_number(number: f64) -> Value {
    strict::whole(number).map_or(Value::Double(number), Value::Int)
}

/// Returns a value out of an `Object` as JSON.
///
/// Upstream: protobuf-go, types/known/structpb/struct.pb.go, NewValue.
fn plain_json(value: &Value, natives: &Natives<'_>) -> Result<Value, MutationError> {
    Ok(match value {
        Value::Bool(_) | Value::String(_) | Value::Int(_) => value.clone(),
        Value::Double(number) => json_number(*number),
        Value::Uint(_) | Value::Bytes(_) | Value::Optional(Some(_)) => cel_json(value, natives)?,
        Value::Optional(None) => Value::Null,
        Value::List(elements) => {
            let elements = elements.iter().map(|it| plain_json(it, natives));
            Value::list(elements.collect::<Result<_, _>>()?)
        }
        Value::Map(entries) => {
            let mut map = Map::default();
            for (key, value) in entries.iter() {
                map.set_str(key_text(key)?, plain_json(value, natives)?);
            }
            Value::Map(map)
        }
        other => {
            let unread = other.downcast::<Unread>().map(|unread| &unread.0);
            let ty = go_type(unread.unwrap_or(other));
            return Err(refused(&format!("proto: invalid type: {ty}")));
        }
    })
}

fn unfit(ty: &str) -> MutationError {
    refused(&format!(
        "type conversion error from '{ty}' to '*structpb.Value'"
    ))
}

fn refused(words: &str) -> MutationError {
    MutationError::Failed(format!(
        "JSONPath valueExpression evaluated to a type that could not marshal to JSON: {words}"
    ))
}
