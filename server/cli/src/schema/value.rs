//! The schema of a value, from its type in a table of keys.

use serde_json::{Map, Value, json};
use text::{Key, ValueType};

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// TOML, which has no null.
    Toml,
    /// YAML and JSON.
    Yaml,
}

impl Format {
    /// Returns the schema of a mapping with these keys and no others.
    pub(super) fn keys(self, keys: &[Key]) -> Value {
        let mut schema = self.open(keys);
        insert(&mut schema, "additionalProperties", Value::Bool(false));
        schema
    }

    /// Returns the schema of a mapping with these keys and any others.
    fn open(self, keys: &[Key]) -> Value {
        let properties = keys.iter().map(|key| (key.name.to_owned(), self.key(key)));
        let mut schema = json!({
            "type": "object",
            "properties": properties.collect::<Map<String, Value>>(),
        });
        let required = keys.iter().filter(|key| key.is_required);
        let required: Vec<&str> = required.map(|key| key.name).collect();
        if !required.is_empty() {
            insert(&mut schema, "required", json!(required));
        }
        schema
    }

    /// Returns the schema of the value of a key.
    pub(super) fn key(self, key: &Key) -> Value {
        let mut schema = self.value(&key.value);
        if self == Format::Yaml && key.allows_null && key.value != ValueType::Any {
            schema = nullable(schema);
        }
        insert(&mut schema, "description", json!(key.description));
        let default = key.default.and_then(|it| serde_json::from_str(it).ok());
        if let Some(default) = default {
            insert(&mut schema, "default", default);
        }
        schema
    }

    fn value(self, ty: &ValueType) -> Value {
        match ty {
            ValueType::Any => json!({}),
            ValueType::String => json!({ "type": "string" }),
            ValueType::NonEmptyString => json!({ "type": "string", "minLength": 1 }),
            ValueType::Bool => json!({ "type": "boolean" }),
            ValueType::Integer { min, max } => {
                json!({ "type": "integer", "minimum": min, "maximum": max })
            }
            ValueType::Words(words) => json!({ "enum": words }),
            ValueType::List(item) => json!({ "type": "array", "items": self.item(item) }),
            ValueType::NonEmptyList(item) => {
                json!({ "type": "array", "items": self.value(item), "minItems": 1 })
            }
            ValueType::Map(value) => {
                json!({ "type": "object", "additionalProperties": self.value(value) })
            }
            ValueType::Keys(keys) => self.keys(keys),
            ValueType::SomeKeys(keys) => {
                let mut schema = self.keys(keys);
                insert(&mut schema, "anyOf", some_of(keys));
                schema
            }
            ValueType::Open(keys) => self.open(keys),
            ValueType::OneOf(types) => {
                let types = types.iter().map(|ty| self.value(ty));
                json!({ "anyOf": types.collect::<Vec<Value>>() })
            }
        }
    }

    /// Returns the schema of an item of a list. A missing mapping is ignored.
    fn item(self, ty: &ValueType) -> Value {
        let schema = self.value(ty);
        let is_mapping = matches!(ty, ValueType::Keys(_));
        if self == Format::Yaml && is_mapping {
            nullable(schema)
        } else {
            schema
        }
    }
}

/// Returns alternatives, each with one of the keys.
fn some_of(keys: &[Key]) -> Value {
    keys.iter().map(|key| has(key.name)).collect()
}

/// Returns the schema of a mapping that has a key with a value.
pub(super) fn has(name: &str) -> Value {
    json!({ "required": [name], "properties": { name: { "not": { "type": "null" } } } })
}

fn nullable(mut schema: Value) -> Value {
    if let Some(alternatives) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        alternatives.push(json!({ "type": "null" }));
    } else if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    } else if let Some(ty) = schema.get_mut("type") {
        *ty = json!([ty.take(), "null"]);
    }
    schema
}

pub(super) fn insert(schema: &mut Value, name: &str, value: Value) {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert(name.to_owned(), value);
    }
}
