//! Which properties an object has when the rules of its definition are evaluated.
//!
//! A property with a default is present, and so is a required one. Null counts as absent.
//! Constraints on presence in `allOf`, `anyOf`, `oneOf` and `not` depend on other properties, and
//! so does `minProperties`: such a property counts as required, since an author who reads it
//! checks the others first.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/strategy.go,
//! Validate: no rule runs where a required property is missing; kubernetes/apiserver,
//! pkg/cel/common/valuesunstructured.go, unstructuredMap.Find.

use serde_json::{Map, Value};
use std::collections::HashSet;

/// Writes the properties that are guaranteed to be present into `required` of a schema and of
/// all schemas inside it.
pub(super) fn add_required(schema: &mut Value) {
    let mut named = HashSet::new();
    named_in(schema, false, &mut named);
    add_required_of(schema, &named);
}

/// The names in `required` of every schema within a junctor.
fn named_in(value: &Value, is_within: bool, found: &mut HashSet<String>) {
    match value {
        Value::Object(fields) => {
            if is_within && let Some(Value::Array(names)) = fields.get("required") {
                found.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            for (name, inner) in fields {
                let is_junctor = matches!(name.as_str(), "allOf" | "anyOf" | "oneOf" | "not");
                named_in(inner, is_within || is_junctor, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| named_in(it, is_within, found)),
        _ => {}
    }
}

fn add_required_of(schema: &mut Value, named: &HashSet<String>) {
    let Value::Object(fields) = schema else {
        return;
    };
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(inner) {
            add_required_of(inner, named);
        }
    }
    let least = fields.get("minProperties").and_then(Value::as_u64);
    let mut required: Vec<String> = match fields.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(as_text).collect(),
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = fields.get_mut("properties") else {
        return;
    };
    for (name, property) in properties {
        add_required_of(property, named);
        let Value::Object(property) = property else {
            continue;
        };
        let depends = named.contains(name) || least.is_some_and(|least| least > 0);
        if depends {
            required.push(name.clone());
        } else if is_nullable(property) {
            required.retain(|other| other != name);
            property.remove("default");
        }
    }
    let required = required.into_iter().map(Value::from).collect();
    fields.insert("required".to_owned(), Value::Array(required));
}

fn as_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn is_nullable(property: &Map<String, Value>) -> bool {
    property.get("nullable").and_then(Value::as_bool) == Some(true)
}
