//! Strict decoding of an object into the type of its kind.
//!
//! After a JSON patch the server decodes the document again and rejects unknown fields.
//!
//! Limit: durations are strings of any form here.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/serializer/json/json.go, Decode;
//! kubernetes-sigs/json, internal/golang/encoding/json/decode.go.

use super::typed::RAW;
use super::{base64, go_types, time};
use crate::defaults::UnknownField;
use crate::openapi::{Schema, SchemaType};
use crate::quantity::Quantity;
use crate::quote::quote;
use cel::value::{Key, Map, Value};

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 200;

/// The types that hold any JSON, although the API reference calls them objects.
const OPEN: [&str; 2] = ["io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", RAW];

/// Limit: doubles below this are 64-bit integers if they are whole.
const MAX_WHOLE: f64 = 9_223_372_036_854_775_807.0;

/// Limit: errors in one message.
const MAX_ERRORS: usize = 100;

/// Returns the error of the server for an object that does not fit its type. `None` if it fits.
pub(super) fn error(schema: Schema<'_>, object: &Value) -> Option<String> {
    let unknown = match decode(schema, object, String::new()) {
        Ok(unknown) if unknown.is_empty() => return None,
        Ok(unknown) => unknown,
        Err(mismatch) => return Some(mismatch),
    };
    let unknown: Vec<String> = unknown.into_iter().map(|it| it.message).collect();
    Some(format!("strict decoding error: {}", unknown.join(", ")))
}

/// Decodes the metadata of an object, which is at `path`. Returns the unknown fields.
///
/// # Errors
/// The metadata does not fit its type; the error of the server.
pub(super) fn metadata(
    schema: Schema<'_>,
    value: &Value,
    path: String,
) -> Result<Vec<UnknownField>, String> {
    if !matches!(value, Value::Map(_) | Value::Null) {
        let (found, ty) = (json_type(value), go_name(Some(schema)));
        return Err(format!(
            "json: cannot unmarshal {found} into Go value of type {ty}"
        ));
    }
    decode(schema, value, path)
}

/// Decodes a value at `path`. Returns the unknown fields.
///
/// # Errors
/// A field does not fit its type; the error of the server.
pub(super) fn decode(
    schema: Schema<'_>,
    value: &Value,
    path: String,
) -> Result<Vec<UnknownField>, String> {
    let mut reader = Reader {
        path,
        fields: Vec::new(),
        mismatch: None,
        unknown: Vec::new(),
    };
    reader.read(schema, value, 0)?;
    reader.mismatch.map_or(Ok(reader.unknown), Err)
}

struct Reader<'a> {
    /// The path with list indexes and map keys.
    path: String,
    /// The struct fields of the path, as Go reports a value of a wrong type, with the names of
    /// their structs.
    fields: Vec<(&'a str, &'a str)>,
    /// The first value of a wrong type. Decoding continues after it.
    mismatch: Option<String>,
    unknown: Vec<UnknownField>,
}

impl<'a> Reader<'a> {
    /// Reads a value. A type with a custom decoder stops at an error.
    fn read(&mut self, schema: Schema<'a>, value: &'a Value, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        match (schema.ty(), value) {
            (_, Value::Null) | (SchemaType::Any, _) => Ok(()),
            _ if schema.type_name().is_some_and(|name| OPEN.contains(&name)) => Ok(()),
            (SchemaType::Quantity, _) => quantity(value),
            (SchemaType::Object, Value::Map(map)) => self.entries(schema, map, depth),
            (SchemaType::Array, Value::List(list)) => {
                let Some(items) = schema.items() else {
                    return Ok(());
                };
                let length = self.path.len();
                for (index, value) in list.iter().enumerate() {
                    self.path.push_str(&format!("[{index}]"));
                    self.read(items, value, depth + 1)?;
                    self.path.truncate(length);
                }
                Ok(())
            }
            (SchemaType::String, _) if schema.format() == Some("date-time") => {
                let name = schema.type_name().unwrap_or_default();
                match value.as_str() {
                    Some(text) => time::error(text, name).map_or(Ok(()), Err),
                    None => Err(self.mismatch(schema, value)),
                }
            }
            (SchemaType::IntOrString, _) if !is_scalar(schema, value) => {
                Err(self.mismatch(schema, value))
            }
            _ => {
                if self.mismatch.is_none() {
                    self.mismatch = self.mismatch_of_scalar(schema, value);
                }
                Ok(())
            }
        }
    }

    fn mismatch_of_scalar(&self, schema: Schema<'_>, value: &Value) -> Option<String> {
        if !is_scalar(schema, value) {
            return Some(self.mismatch(schema, value));
        }
        let text = value.as_str().filter(|_| schema.format() == Some("byte"))?;
        let offset = base64::corrupt_at(text)?;
        Some(format!("illegal base64 data at input byte {offset}"))
    }

    /// Reads the fields of an object, or the entries of a map.
    fn entries(&mut self, schema: Schema<'a>, map: &'a Map, depth: usize) -> Result<(), String> {
        let mut entries: Vec<(&str, &Value)> = map
            .iter()
            .filter_map(|(key, value)| match key {
                Key::String(key) => Some((&**key, value)),
                _ => None,
            })
            .collect();
        entries.sort_by_key(|(key, _)| *key);
        for (key, value) in entries {
            let (path, fields) = (self.path.len(), self.fields.len());
            push(&mut self.path, key);
            if let Some(field) = schema.property(key) {
                self.fields
                    .push((schema.type_name().unwrap_or_default(), key));
                self.read(field, value, depth + 1)?;
            } else if let Some(values) = schema.additional_properties() {
                self.read(values, value, depth + 1)?;
            } else if !super::typed::is_open(schema) && self.unknown.len() < MAX_ERRORS {
                self.unknown.push(UnknownField {
                    path: self.path.clone(),
                    message: format!("unknown field {}", quote(&self.path)),
                });
            }
            self.path.truncate(path);
            self.fields.truncate(fields);
        }
        Ok(())
    }

    fn field_path(&self) -> String {
        let mut path = String::new();
        for (owner, field) in &self.fields {
            if let Some(embedded) = go_types::embedded(owner, field) {
                push(&mut path, embedded);
            }
            push(&mut path, field);
        }
        path
    }

    fn mismatch(&self, schema: Schema<'_>, value: &Value) -> String {
        // A valid number that does not fit is part of the message.
        let is_named = matches!(schema.ty(), SchemaType::Integer | SchemaType::IntOrString);
        let found = match value {
            Value::Int(_) | Value::Uint(_) | Value::Double(_) if is_named => {
                format!("number {value}")
            }
            other => json_type(other).to_owned(),
        };
        let (owner, field) = self.fields.last().copied().unwrap_or_default();
        let declared = go_types::declared(owner, field);
        // The type of an element of a list or of a map.
        let element = declared.and_then(|ty| ty.rsplit(']').next());
        let ty = match (schema.ty(), schema.format()) {
            (SchemaType::Array | SchemaType::Object, _)
                if declared.is_some() && schema.type_name().is_none() =>
            {
                declared.unwrap_or_default().to_owned()
            }
            (SchemaType::Integer, format) => format.unwrap_or("int").to_owned(),
            (SchemaType::IntOrString, _) => "int32".to_owned(),
            (SchemaType::Number, _) => "float64".to_owned(),
            (SchemaType::Boolean, _) => "bool".to_owned(),
            (SchemaType::String, Some("byte")) => "[]uint8".to_owned(),
            (SchemaType::String, _) => element.unwrap_or("string").to_owned(),
            (SchemaType::Array, _) => format!("[]{}", go_name(schema.items())),
            _ => go_name(Some(schema)),
        };
        let fields = self.field_path();
        let owner = owner.rsplit('.').next().unwrap_or_default();
        format!("json: cannot unmarshal {found} into Go struct field {owner}.{fields} of type {ty}")
    }
}

/// Returns whether a value is a scalar of the type of the schema.
fn is_scalar(schema: Schema<'_>, value: &Value) -> bool {
    match (schema.ty(), value) {
        (SchemaType::String | SchemaType::IntOrString, Value::String(_))
        | (SchemaType::Boolean, Value::Bool(_))
        | (SchemaType::Number, Value::Int(_) | Value::Double(_)) => true,
        (SchemaType::Integer, Value::Int(number)) => fits(schema, *number),
        (SchemaType::Integer, Value::Double(number)) => {
            whole(*number).is_some_and(|it| fits(schema, it))
        }
        (SchemaType::IntOrString, Value::Int(number)) => i32::try_from(*number).is_ok(),
        _ => false,
    }
}

fn push(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

/// Returns the type of a JSON value, as Go calls it.
pub(super) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Uint(_) | Value::Double(_) => "number",
        Value::String(_) => "string",
        Value::List(_) => "array",
        _ => "object",
    }
}

/// Checks a quantity, which is a string or a number.
///
/// # Errors
/// It is invalid; the error of the server.
///
/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, UnmarshalJSON.
pub(super) fn quantity(value: &Value) -> Result<(), String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Int(_) | Value::Double(_) => return Ok(()),
        other => other.to_string(),
    };
    Quantity::refusal(&text).map_or(Ok(()), |words| Err(words.to_owned()))
}

/// Returns the whole number that a double is.
pub(super) fn whole(number: f64) -> Option<i64> {
    // The range is checked below.
    let whole = number as i64;
    (number.fract() == 0.0 && number.abs() < MAX_WHOLE).then_some(whole)
}

/// Returns an integer as a type of its size holds it: Go drops the bits that do not fit.
pub(super) fn wrapped(schema: Schema<'_>, number: i64) -> i64 {
    match schema.format() {
        Some("int32") => i64::from(number as i32),
        _ => number,
    }
}

/// Returns whether an integer fits the size of a type.
fn fits(schema: Schema<'_>, number: i64) -> bool {
    schema.format() != Some("int32") || i32::try_from(number).is_ok()
}

/// Returns the name of a type in Go: `v1.Container`.
pub(super) fn go_name(schema: Option<Schema<'_>>) -> String {
    let Some(schema) = schema else {
        return "interface {}".to_owned();
    };
    let Some(name) = schema.type_name() else {
        return match schema.ty() {
            SchemaType::String => "string",
            SchemaType::Boolean => "bool",
            SchemaType::Integer => "int32",
            SchemaType::Object => "map[string]string",
            _ => "interface {}",
        }
        .to_owned();
    };
    let mut parts = name.rsplit('.');
    let (kind, package) = (parts.next().unwrap_or(name), parts.next().unwrap_or("v1"));
    format!("{package}.{kind}")
}
