//! `JSONPatch`, an operation of a JSON patch.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/mutation/jsonpatch.go.

use super::JSON_PATCH;
use cel::types::Type;
use cel::value::{EvalError, Opaque, Value};
use std::sync::Arc;

/// The fields.
pub(super) const FIELDS: &[&str] = &["op", "from", "path", "value"];

/// Returns the type of a field.
pub(super) fn field_type(field: &str) -> Option<Type> {
    match field {
        "op" | "from" | "path" => Some(Type::String),
        "value" => Some(Type::Dyn),
        // The server accepts any name as a field, with an unnamed type without values.
        _ => Some(Type::object("")),
    }
}

/// An operation of a JSON patch. Unset fields are empty.
#[derive(Debug, Default)]
pub struct JsonPatch {
    /// The operation: `add`, `remove`, `replace`, `copy`, `move` or `test`.
    pub op: Arc<str>,
    /// The path from which `copy` and `move` take the value.
    pub from: Arc<str>,
    /// The path to change.
    pub path: Arc<str>,
    /// The value.
    pub value: Option<Value>,
}

impl JsonPatch {
    /// Returns an operation with these fields.
    ///
    /// # Errors
    /// A string field is not a string, or the field does not exist.
    pub fn new(fields: Vec<(Arc<str>, Value)>) -> Result<Self, EvalError> {
        let mut patch = Self::default();
        for (name, value) in fields {
            match &*name {
                "op" => patch.op = text(&name, value)?,
                "from" => patch.from = text(&name, value)?,
                "path" => patch.path = text(&name, value)?,
                "value" => patch.value = Some(value),
                _ => {
                    let message = format!("unexpected JSONPatchType field: {name}");
                    return Err(EvalError::message(message));
                }
            }
        }
        Ok(patch)
    }
}

fn text(field: &str, value: Value) -> Result<Arc<str>, EvalError> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(EvalError::message(format!(
            "unexpected type {} for JSONPatchType '{field}' field",
            go_type(&other)
        ))),
    }
}

/// Returns the name of the type in which the API server stores a value.
pub(super) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "structpb.NullValue",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Uint(_) => "uint64",
        Value::Double(_) => "float64",
        Value::String(_) => "string",
        Value::Bytes(_) => "[]uint8",
        Value::List(_) => "[]ref.Val",
        Value::Map(_) => "map[ref.Val]ref.Val",
        Value::Duration(_) => "time.Duration",
        Value::Timestamp(_) => "time.Time",
        Value::Type(_) => "string",
        Value::Optional(_) => "*types.Optional",
        Value::Opaque(_) => "map[string]interface {}",
    }
}

impl Opaque for JsonPatch {
    fn ty(&self) -> Type {
        Type::object(JSON_PATCH)
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let Some(other) = other.downcast_ref::<Self>() else {
            return false;
        };
        self.op == other.op
            && self.from == other.from
            && self.path == other.path
            && self.value == other.value
    }

    fn equals_value(&self, other: &Value) -> Option<bool> {
        Some(matches!(other, Value::Opaque(other) if self.equals(&**other)))
    }

    fn display(&self) -> String {
        let texts = [("op", &self.op), ("from", &self.from), ("path", &self.path)]
            .into_iter()
            .filter(|(_, text)| !text.is_empty());
        let texts =
            texts.map(|(name, text)| format!("{name}: {}", Value::String(Arc::clone(text))));
        let value = self.value.iter().map(|value| format!("value: {value}"));
        let fields: Vec<String> = texts.chain(value).collect();
        format!("{JSON_PATCH}{{{}}}", fields.join(", "))
    }

    fn go_type(&self) -> &'static str {
        "*mutation.JSONPatchVal"
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        Some(Ok(match name {
            "op" => Value::String(Arc::clone(&self.op)),
            "from" => Value::String(Arc::clone(&self.from)),
            "path" => Value::String(Arc::clone(&self.path)),
            "value" => self.value.clone()?,
            _ => return None,
        }))
    }

    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        Some(Ok(match name {
            "op" => !self.op.is_empty(),
            "from" => !self.from.is_empty(),
            "path" => !self.path.is_empty(),
            "value" => self.value.is_some(),
            _ => return None,
        }))
    }
}
