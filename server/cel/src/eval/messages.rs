//! Objects of the messages of protocol buffers that cel-go always supports.
//!
//! `google.protobuf.Int64Value{value: 5}` is `5`: except for the message without fields, each
//! is converted to a value of CEL.
//!
//! Upstream: cel-go, common/types/provider.go, `NewValue` and `msgSetField`;
//! common/types/pb/type.go, `unwrapDynamic`; the `ConvertToNative` of each type.

use crate::types::Type;
use crate::value::{Duration, EvalError, Key, Map, Opaque, Timestamp, Value, unsupported};
use std::sync::Arc;

const EMPTY: &str = "google.protobuf.Empty";

/// The largest integer that is a number in JSON; larger ones are strings.
const MAX_JSON: u64 = (1 << 53) - 1;

/// `google.protobuf.Empty{}`
#[derive(Debug)]
struct Empty;

/// The fields of an object under construction.
struct Fields<'a> {
    message: &'a str,
    fields: &'a [(Arc<str>, Value)],
}

/// Returns the value of an object of a message. `None` if cel-go has no such message.
pub(super) fn make(
    message: &str,
    fields: &[(Arc<str>, Value)],
) -> Option<Result<Value, EvalError>> {
    let of = Fields { message, fields };
    Some(match message.strip_prefix("google.protobuf.")? {
        "Empty" => Ok(Value::opaque(Empty)),
        "Any" => Err(unsupported("*dynamicpb.Message", "")),
        "BoolValue" => of.bool("value").map(Value::Bool),
        "BytesValue" => of.bytes(),
        "DoubleValue" => of.double("value", "float64").map(Value::Double),
        "FloatValue" => of
            .double("value", "float32")
            .map(|number| Value::Double(f64::from(number as f32))),
        "Int32Value" => of.int32("value").map(Value::Int),
        "Int64Value" => of.int("value", "int64").map(Value::Int),
        "StringValue" => of.string("value").map(Value::string),
        "UInt32Value" => of.uint("uint32").and_then(|number| {
            let fits = u32::try_from(number).is_ok();
            let overflow = || of.failed("value", "unsigned integer overflow");
            fits.then_some(Value::Uint(number)).ok_or_else(overflow)
        }),
        "UInt64Value" => of.uint("uint64").map(Value::Uint),
        "Duration" => of.duration(),
        "Timestamp" => of.timestamp(),
        "ListValue" => of.json("values", Value::list(Vec::new())),
        "Struct" => of.json("fields", Value::Map(Map::default())),
        "Value" => of.value(),
        _ => return None,
    })
}

impl Fields<'_> {
    /// Returns the value of a field, which has its last one.
    fn get(&self, name: &str) -> Option<&Value> {
        let mut fields = self.fields.iter().rev();
        fields.find(|(known, _)| **known == *name).map(|it| &it.1)
    }

    fn failed(&self, name: &str, why: &str) -> EvalError {
        let message = self.message;
        EvalError::message(format!(
            "field type conversion error for {message}.{name} value type: {why}"
        ))
    }

    /// Returns a field as `read` reads it, or the default if it is not set.
    fn read<'v, T: Default>(
        &'v self,
        name: &str,
        go_type: &str,
        read: impl FnOnce(&'v Value) -> Option<T>,
    ) -> Result<T, EvalError> {
        let Some(value) = self.get(name) else {
            return Ok(T::default());
        };
        read(value).ok_or_else(|| self.failed(name, &refused(value, go_type)))
    }

    fn bool(&self, name: &str) -> Result<bool, EvalError> {
        self.read(name, "bool", Value::as_bool)
    }

    fn string(&self, name: &str) -> Result<&str, EvalError> {
        self.read(name, "string", Value::as_str)
    }

    fn int(&self, name: &str, go_type: &str) -> Result<i64, EvalError> {
        self.read(name, go_type, Value::as_int)
    }

    fn int32(&self, name: &str) -> Result<i64, EvalError> {
        let number = self.int(name, "int32")?;
        let fits = i32::try_from(number).is_ok();
        fits.then_some(number)
            .ok_or_else(|| self.failed(name, "integer overflow"))
    }

    fn uint(&self, go_type: &str) -> Result<u64, EvalError> {
        self.read("value", go_type, |value| match value {
            Value::Uint(number) => Some(*number),
            _ => None,
        })
    }

    fn double(&self, name: &str, go_type: &str) -> Result<f64, EvalError> {
        self.read(name, go_type, |value| match value {
            Value::Double(number) => Some(*number),
            _ => None,
        })
    }

    fn bytes(&self) -> Result<Value, EvalError> {
        let bytes = self.read("value", "[]uint8", |value| match value {
            Value::Bytes(bytes) => Some(&**bytes),
            _ => None,
        });
        bytes.map(Value::bytes)
    }

    /// Returns a duration, saturated if it is too long.
    fn duration(&self) -> Result<Value, EvalError> {
        let (seconds, nanos) = (self.int("seconds", "int64")?, self.int32("nanos")?);
        let nanos = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let longest = if nanos < 0 { i64::MIN } else { i64::MAX };
        let nanos = i64::try_from(nanos).unwrap_or(longest);
        Ok(Value::Duration(Duration { nanos }))
    }

    fn timestamp(&self) -> Result<Value, EvalError> {
        const SECOND: i64 = 1_000_000_000;
        let (seconds, nanos) = (self.int("seconds", "int64")?, self.int32("nanos")?);
        let seconds = seconds.checked_add(nanos.div_euclid(SECOND));
        let nanos = u32::try_from(nanos.rem_euclid(SECOND)).ok();
        let time = seconds
            .zip(nanos)
            .and_then(|(seconds, nanos)| Timestamp::from_unix(seconds, nanos));
        time.map(Value::Timestamp)
            .ok_or_else(|| EvalError::message("timestamp overflow"))
    }

    /// Returns a list or a map of JSON, or `without` if the field is not set.
    fn json(&self, name: &str, without: Value) -> Result<Value, EvalError> {
        let Some(value) = self.get(name) else {
            return Ok(without);
        };
        if std::mem::discriminant(value) != std::mem::discriminant(&without) {
            let message = self.message;
            let ty = value.ty();
            return Err(EvalError::message(format!(
                "unsupported field type for {message}.{name}: {}",
                ty.runtime_name()
            )));
        }
        to_json(value).map_err(|why| self.failed(name, &why))
    }

    /// Returns the field that is set; if several are, the last one.
    fn value(&self) -> Result<Value, EvalError> {
        match self.fields.last().map(|(name, _)| &**name) {
            Some("bool_value") => self.bool("bool_value").map(Value::Bool),
            Some("number_value") => self.double("number_value", "float64").map(Value::Double),
            Some("string_value") => self.string("string_value").map(Value::string),
            Some("list_value") => self.json("list_value", Value::list(Vec::new())),
            Some("struct_value") => self.json("struct_value", Value::Map(Map::default())),
            _ => Ok(Value::Null),
        }
    }
}

/// Returns Go's error for a value that does not convert to a Go type.
fn refused(value: &Value, go_type: &str) -> String {
    match value {
        Value::Int(_) => format!("unsupported type conversion from 'int' to {go_type}"),
        Value::Uint(_) => format!("unsupported type conversion from 'uint' to {go_type}"),
        Value::String(_) => format!("unsupported native conversion from string to '{go_type}'"),
        Value::Bool(_) => format!("type conversion error from bool to '{go_type}'"),
        Value::Double(_) => format!("type conversion error from Double to '{go_type}'"),
        Value::Bytes(_) => format!("type conversion error from Bytes to '{go_type}'"),
        Value::Duration(_) => format!("type conversion error from 'Duration' to '{go_type}'"),
        Value::Timestamp(_) => format!("type conversion error from 'Timestamp' to '{go_type}'"),
        other => {
            let ty = other.ty();
            let name = ty.runtime_name();
            format!("type conversion error from '{name}' to '{go_type}'")
        }
    }
}

/// Returns a value as in JSON: numbers are doubles, and values that JSON lacks are strings.
fn to_json(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Int(number) if number.unsigned_abs() <= MAX_JSON => Value::Double(*number as f64),
        Value::Uint(number) if *number <= MAX_JSON => Value::Double(*number as f64),
        Value::Int(_) | Value::Uint(_) | Value::Timestamp(_) => Value::string(match value {
            Value::Timestamp(time) => time.to_string(),
            number => number.to_string(),
        }),
        Value::Duration(span) => Value::string(format!("{}s", span.nanos as f64 / 1e9)),
        Value::Null | Value::Bool(_) | Value::Double(_) | Value::String(_) => value.clone(),
        Value::List(elements) => {
            let elements = elements.iter().map(to_json);
            Value::list(elements.collect::<Result<_, _>>()?)
        }
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| match key {
                Key::String(_) => Ok((key.clone(), to_json(value)?)),
                other => Err(refused(&other.value(), "string")),
            });
            Value::Map(entries.collect::<Result<Map, String>>()?)
        }
        other => return Err(refused(other, "*structpb.Value")),
    })
}

impl Opaque for Empty {
    fn ty(&self) -> Type {
        Type::object(EMPTY)
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        other.downcast_ref::<Self>().is_some()
    }

    fn equals_value(&self, other: &Value) -> Option<bool> {
        Some(matches!(other, Value::Opaque(other) if self.equals(&**other)))
    }

    fn display(&self) -> String {
        String::new()
    }

    fn go_type(&self) -> &'static str {
        "*types.protoObj"
    }

    fn is_zero(&self) -> bool {
        true
    }
}
