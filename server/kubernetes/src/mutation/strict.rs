//! Strict decoding of an object into the type of its kind.
//!
//! After a JSON patch the server decodes the document again and rejects unknown fields.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/serializer/json/json.go, Decode;
//! kubernetes-sigs/json, internal/golang/encoding/json/decode.go.

use crate::defaults::UnknownField;
use crate::openapi::{Schema, SchemaType};
use crate::quantity::Quantity;
use crate::quote::quote;
use cel::value::{Key, Map, Value};

/// Limit: the depth to which an object is visited.
const MAX_DEPTH: usize = 200;

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
        fields: String::new(),
        mismatch: None,
        unknown: Vec::new(),
    };
    reader.read(schema, value, "", 0)?;
    reader.mismatch.map_or(Ok(reader.unknown), Err)
}

struct Reader {
    /// The path with list indexes and map keys.
    path: String,
    /// The path of struct fields only, as Go reports a value of a wrong type.
    fields: String,
    /// The first value of a wrong type. Decoding continues after it.
    mismatch: Option<String>,
    unknown: Vec<UnknownField>,
}

impl Reader {
    /// Reads a value. A type with a custom decoder stops at an error.
    fn read(
        &mut self,
        schema: Schema<'_>,
        value: &Value,
        owner: &str,
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        match (schema.ty(), value) {
            (_, Value::Null) | (SchemaType::Any, _) => Ok(()),
            (SchemaType::Quantity, _) => quantity(value),
            (SchemaType::Object, Value::Map(map)) => self.entries(schema, map, owner, depth),
            (SchemaType::Array, Value::List(list)) => {
                let Some(items) = schema.items() else {
                    return Ok(());
                };
                let length = self.path.len();
                for (index, value) in list.iter().enumerate() {
                    self.path.push_str(&format!("[{index}]"));
                    self.read(items, value, owner, depth + 1)?;
                    self.path.truncate(length);
                }
                Ok(())
            }
            (SchemaType::String, Value::String(_))
            | (SchemaType::Boolean, Value::Bool(_))
            | (SchemaType::Number, Value::Int(_) | Value::Double(_))
            | (SchemaType::IntOrString, Value::Int(_) | Value::String(_)) => Ok(()),
            (SchemaType::Integer, Value::Int(number)) if fits(schema, *number) => Ok(()),
            // Go writes a whole number without a fraction.
            (SchemaType::Integer, Value::Double(number)) if number.fract() == 0.0 => Ok(()),
            (SchemaType::IntOrString, _) => Err(self.mismatch(schema, value, owner)),
            _ => {
                if self.mismatch.is_none() {
                    self.mismatch = Some(self.mismatch(schema, value, owner));
                }
                Ok(())
            }
        }
    }

    /// Reads the fields of an object, or the entries of a map.
    fn entries(
        &mut self,
        schema: Schema<'_>,
        map: &Map,
        owner: &str,
        depth: usize,
    ) -> Result<(), String> {
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
                let name = schema.type_name().and_then(|name| name.rsplit('.').next());
                push(&mut self.fields, key);
                self.read(field, value, name.unwrap_or(owner), depth + 1)?;
            } else if let Some(values) = schema.additional_properties() {
                self.read(values, value, owner, depth + 1)?;
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

    fn mismatch(&self, schema: Schema<'_>, value: &Value, owner: &str) -> String {
        // A valid number that does not fit is part of the message.
        let is_named = matches!(schema.ty(), SchemaType::Integer | SchemaType::IntOrString);
        let found = match value {
            Value::Int(_) | Value::Uint(_) | Value::Double(_) if is_named => {
                format!("number {value}")
            }
            other => json_type(other).to_owned(),
        };
        let ty = match (schema.ty(), schema.format()) {
            (SchemaType::Integer, format) => format.unwrap_or("int").to_owned(),
            (SchemaType::IntOrString, _) => "int32".to_owned(),
            (SchemaType::Number, _) => "float64".to_owned(),
            (SchemaType::Boolean, _) => "bool".to_owned(),
            (SchemaType::String, Some("byte")) => "[]uint8".to_owned(),
            (SchemaType::String, _) => "string".to_owned(),
            (SchemaType::Array, _) => format!("[]{}", go_name(schema.items())),
            _ => go_name(Some(schema)),
        };
        let fields = &self.fields;
        format!("json: cannot unmarshal {found} into Go struct field {owner}.{fields} of type {ty}")
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
