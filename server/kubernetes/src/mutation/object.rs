//! `Object` and the types within.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go.

use crate::quote::quote;
use cel::types::Type;
use cel::value::{EvalError, Key, Opaque, Value};
use std::sync::Arc;

/// A part of an apply configuration, as created by `Object.spec{replicas: 3}`.
#[derive(Debug)]
pub struct Object {
    type_name: Arc<str>,
    fields: Vec<(Arc<str>, Value)>,
}

impl Object {
    /// Returns a value of that type. Of several fields with one name the last one wins.
    #[must_use]
    pub fn new(type_name: &str, fields: Vec<(Arc<str>, Value)>) -> Self {
        let mut unique: Vec<(Arc<str>, Value)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            match unique.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = value,
                None => unique.push((name, value)),
            }
        }
        Self {
            type_name: type_name.into(),
            fields: unique,
        }
    }

    /// Returns the name of its type, such as `Object.spec`.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the fields in the order of the source.
    #[must_use]
    pub fn fields(&self) -> &[(Arc<str>, Value)] {
        &self.fields
    }

    fn get(&self, name: &str) -> Option<&Value> {
        let found = self.fields.iter().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// Returns the types that do not fit their field: the value of `spec` of an `Object` must be an
    /// `Object.spec`. Lists and maps between are ignored. Each is a message of the API server.
    ///
    /// Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, typeCheck.
    #[must_use]
    pub fn misplaced_types(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.check_types(&mut self.type_name.to_string(), &mut found);
        found
    }

    fn check_types(&self, path: &mut String, found: &mut Vec<String>) {
        if *path != *self.type_name {
            found.push(format!(
                "unexpected type name {}, expected {}, which matches field name path from root \
                 Object type",
                quote(&self.type_name),
                quote(path)
            ));
        }
        let length = path.len();
        for (name, value) in &self.fields {
            path.push('.');
            path.push_str(name);
            check_value(value, path, found);
            path.truncate(length);
        }
    }
}

fn check_value(value: &Value, path: &mut String, found: &mut Vec<String>) {
    match value {
        Value::Opaque(_) => {
            if let Some(object) = value.downcast::<Object>() {
                object.check_types(path, found);
            }
        }
        Value::List(elements) => {
            for element in &**elements {
                check_value(element, path, found);
            }
        }
        Value::Map(map) => {
            for (_, value) in map.iter() {
                check_value(value, path, found);
            }
        }
        _ => {}
    }
}

/// Returns a value with maps in place of objects, as the server reads it from an object.
///
/// Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, convertField.
fn plain(value: &Value) -> Value {
    match value {
        Value::List(elements) => Value::list(elements.iter().map(plain).collect()),
        Value::Map(map) => Value::Map(
            map.iter()
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect(),
        ),
        _ => value
            .downcast::<Object>()
            .map_or_else(|| value.clone(), Object::to_map),
    }
}

impl Object {
    /// Returns the fields as a map, including those of nested objects.
    #[must_use]
    pub(crate) fn to_map(&self) -> Value {
        let fields = self.fields.iter();
        let entry =
            |(name, value): &(Arc<str>, Value)| (Key::String(Arc::clone(name)), plain(value));
        Value::Map(fields.map(entry).collect())
    }
}

impl Opaque for Object {
    fn ty(&self) -> Type {
        Type::object(&self.type_name)
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let Some(other) = other.downcast_ref::<Self>() else {
            return false;
        };
        let same = |(name, value): &(Arc<str>, Value)| other.get(name) == Some(value);
        self.type_name == other.type_name
            && self.fields.len() == other.fields.len()
            && self.fields.iter().all(same)
    }

    fn equals_value(&self, other: &Value) -> Option<bool> {
        Some(matches!(other, Value::Opaque(other) if self.equals(&**other)))
    }

    fn display(&self) -> String {
        let fields = self.fields.iter();
        let fields: Vec<String> = fields
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        format!("{}{{{}}}", self.type_name, fields.join(", "))
    }

    fn go_type(&self) -> &'static str {
        "*dynamic.ObjectVal"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Ok(self.to_map()))
    }

    /// Returns a field. An unset field is null, since the server reads it from a map without a
    /// check.
    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        Some(Ok(self.get(name).map_or(Value::Null, plain)))
    }

    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        Some(Ok(self.get(name).is_some()))
    }

    fn is_zero(&self) -> bool {
        self.fields.is_empty()
    }
}
