//! The objects within an object: `apiVersion`, `kind` and `metadata` of embedded resources.
//!
//! The server checks them like those of a whole object. If one is missing, it runs no rule.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/objectmeta/validation.go,
//! Validate.

use crate::field_error::FieldError;
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use crate::object_meta::{ErrorCollector, MetadataError, check_embedded, child};
use cel::Value;
use cel::value::{Key, Map};
use kubernetes::names::format;
use kubernetes::versions::ServerVersion;

/// Returns the errors of a value.
type Check = fn(&str) -> Vec<String>;

/// Returns the errors in the embedded resources of an object.
pub fn check(schema: JsonSchema<'_>, object: &Value, server: ServerVersion) -> Vec<FieldError> {
    let found = wrong(schema, object, false, server).into_iter();
    found.map(MetadataError::error).collect()
}

/// Returns the errors in the embedded resources of a value, which itself is one if `is_resource`.
pub(crate) fn wrong(
    schema: JsonSchema<'_>,
    value: &Value,
    is_resource: bool,
    server: ServerVersion,
) -> Vec<MetadataError> {
    let mut found = ErrorCollector::new(server);
    if let Value::Map(map) = value
        && is_resource
        && !schema.flag("x-kubernetes-embedded-resource")
    {
        resource(map, "", &mut found);
    }
    visit(schema, value, "", MAX_DEPTH, &mut found);
    found.errors
}

fn visit(
    schema: JsonSchema<'_>,
    value: &Value,
    path: &str,
    depth: usize,
    errors: &mut ErrorCollector,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match value {
        Value::Map(map) => {
            if schema.flag("x-kubernetes-embedded-resource") {
                resource(map, path, errors);
            }
            for (key, value) in map.iter() {
                let Key::String(name) = key else { continue };
                if let Some(property) = schema.property(name) {
                    visit(property, value, &child(path, name), depth, errors);
                } else if let Some(values) = schema.schema("additionalProperties") {
                    visit(values, value, &format!("{path}[{name}]"), depth, errors);
                }
            }
        }
        Value::List(list) => {
            let Some(items) = schema.schema("items") else {
                return;
            };
            for (index, value) in list.iter().enumerate() {
                visit(items, value, &format!("{path}[{index}]"), depth, errors);
            }
        }
        _ => {}
    }
}

fn resource(map: &Map, path: &str, errors: &mut ErrorCollector) {
    let checks: [(&str, Check); 2] = [
        ("apiVersion", |text| {
            wrong_version(text).into_iter().collect()
        }),
        ("kind", |text| format::kind(text).into_iter().collect()),
    ];
    for (name, wrong) in checks {
        let field = child(path, name);
        match map.get_str(name) {
            None => errors.required(field, ""),
            Some(Value::String(text)) if text.is_empty() => {
                errors.invalid(field, text, "must not be empty");
            }
            Some(Value::String(text)) => {
                for detail in wrong(text) {
                    errors.invalid(field.clone(), text, &detail);
                }
            }
            // The types of fields are not checked here.
            Some(_) => {}
        }
    }
    if let Some(Value::Map(metadata)) = map.get_str("metadata") {
        check_embedded(metadata, &child(path, "metadata"), errors);
    }
}

fn wrong_version(text: &str) -> Option<String> {
    let is_wrong = text != "/" && text.matches('/').count() > 1;
    is_wrong.then(|| format!("unexpected GroupVersion string: {text}"))
}
