//! Reading an object into the type of its kind, where nothing may be too much.
//!
//! After a JSON patch the server reads the document again and refuses fields that the type
//! does not have.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/serializer/json/json.go, Decode;
//! kubernetes-sigs/json, internal/golang/encoding/json/decode.go.

use crate::library::Quantity;
use crate::library::quote::quote;
use crate::openapi::{Schema, SchemaType};
use cel::value::{Key, Map, Value};

/// Limit: how deep an object is looked through.
const MAX_DEPTH: usize = 200;

/// Limit: so many mistakes are named.
const MAX_MISTAKES: usize = 100;

/// What the server says of an object that does not fit its type. `None` where it fits.
pub(crate) fn mistake(schema: Schema<'_>, object: &Value) -> Option<String> {
    let mut reader = Reader {
        path: String::new(),
        unknown: Vec::new(),
    };
    if let Err(mismatch) = reader.read(schema, object, "", 0) {
        return Some(format!("Internal error occurred: {mismatch}"));
    }
    if reader.unknown.is_empty() {
        return None;
    }
    let unknown = reader.unknown.join(", ");
    Some(format!(
        "Internal error occurred: strict decoding error: {unknown}"
    ))
}

struct Reader {
    /// The path with places in lists.
    path: String,
    /// A sentence for each unknown field.
    unknown: Vec<String>,
}

impl Reader {
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
            (SchemaType::Object, Value::Map(map)) => self.fields(schema, map, owner, depth),
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
            _ => Err(self.mismatch(schema, value, owner)),
        }
    }

    fn fields(
        &mut self,
        schema: Schema<'_>,
        map: &Map,
        owner: &str,
        depth: usize,
    ) -> Result<(), String> {
        let name = schema.type_name().and_then(|name| name.rsplit('.').next());
        let owner = name.unwrap_or(owner);
        let mut entries: Vec<(&str, &Value)> = map
            .iter()
            .filter_map(|(key, value)| match key {
                Key::String(key) => Some((&**key, value)),
                _ => None,
            })
            .collect();
        entries.sort_by_key(|(key, _)| *key);
        for (key, value) in entries {
            let length = self.path.len();
            if !self.path.is_empty() {
                self.path.push('.');
            }
            self.path.push_str(key);
            let field = schema
                .property(key)
                .or_else(|| schema.additional_properties());
            match field {
                Some(field) => self.read(field, value, owner, depth + 1)?,
                None if super::typed::is_open(schema) => {}
                None if self.unknown.len() < MAX_MISTAKES => {
                    let field = format!("unknown field {}", quote(&self.path));
                    self.unknown.push(field);
                }
                None => {}
            }
            self.path.truncate(length);
        }
        Ok(())
    }

    fn mismatch(&self, schema: Schema<'_>, value: &Value, owner: &str) -> String {
        let found = match value {
            Value::Bool(_) => "bool".to_owned(),
            // A number that is a number, but not such a one, is named.
            Value::Int(_) | Value::Uint(_) | Value::Double(_)
                if matches!(schema.ty(), SchemaType::Integer | SchemaType::IntOrString) =>
            {
                format!("number {value}")
            }
            Value::Int(_) | Value::Uint(_) | Value::Double(_) => "number".to_owned(),
            Value::String(_) => "string".to_owned(),
            Value::List(_) => "array".to_owned(),
            _ => "object".to_owned(),
        };
        let ty = match (schema.ty(), schema.format()) {
            (SchemaType::Integer, format) => format.unwrap_or("int").to_owned(),
            (SchemaType::IntOrString, _) => "int32".to_owned(),
            (SchemaType::Number, _) => "float64".to_owned(),
            (SchemaType::Boolean, _) => "bool".to_owned(),
            (SchemaType::String, _) => "string".to_owned(),
            (SchemaType::Array, _) => format!("[]{}", go_name(schema.items())),
            _ => go_name(Some(schema)),
        };
        // Go leaves the places in lists out.
        let mut path = String::new();
        let mut is_place = false;
        for c in self.path.chars() {
            match c {
                '[' => is_place = true,
                ']' => is_place = false,
                c if !is_place => path.push(c),
                _ => {}
            }
        }
        format!("json: cannot unmarshal {found} into Go struct field {owner}.{path} of type {ty}")
    }
}

/// Reads a quantity, which is a text or a number.
///
/// # Errors
/// It is none, in the words of the server.
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

/// Whether a whole number is one of the size that a type has.
fn fits(schema: Schema<'_>, number: i64) -> bool {
    schema.format() != Some("int32") || i32::try_from(number).is_ok()
}

/// The name of a type in Go: `v1.Container`.
fn go_name(schema: Option<Schema<'_>>) -> String {
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
