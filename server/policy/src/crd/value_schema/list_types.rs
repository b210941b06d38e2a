//! Lists whose elements are unique: sets by the whole element, maps by their keys.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/listtype/validation.go,
//! ValidateListSetsAndMaps.

use super::error::{json, printed};
use super::{ListType, ValueSchema};
use crate::field_error::{ErrorType, FieldError};
use crate::field_path::{FieldPath, PathRef};
use cel::Value;
use cel::value::{Key, Map};
use std::collections::HashMap;

impl ValueSchema {
    /// Returns the errors of lists with repeated elements, in a whole object.
    #[must_use]
    pub fn repeated_elements(&self, object: &Value) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let base = FieldPath::root();
        visit(self, object, PathRef::new(&base), &mut errors);
        errors
    }
}

fn visit(schema: &ValueSchema, value: &Value, path: PathRef<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let Key::String(name) = key else { continue };
                if let Some(property) = schema.property(name) {
                    visit(property, value, path.child(name), errors);
                } else if let Some(values) = schema.values() {
                    visit(values, value, path.key(name), errors);
                }
            }
        }
        Value::List(list) => {
            match schema.list_type {
                ListType::Set => {
                    let elements: Vec<String> = list.iter().map(json).collect();
                    for index in repeated(&elements) {
                        let value = list.get(index).map(printed);
                        errors.push(duplicate(path, index, value));
                    }
                }
                ListType::Map => keyed(schema, list, path, errors),
                ListType::Atomic => {}
            }
            let Some(items) = schema.items() else { return };
            for (index, value) in list.iter().enumerate() {
                visit(items, value, path.index(index), errors);
            }
        }
        _ => {}
    }
}

fn keyed(schema: &ValueSchema, list: &[Value], path: PathRef<'_>, errors: &mut Vec<FieldError>) {
    let other = |it: &Value| !matches!(it, Value::Map(_) | Value::Null);
    if let Some((index, value)) = list.iter().enumerate().find(|(_, it)| other(it)) {
        let field = path.index(index).to_path().to_string();
        let detail = "must be an object for an array of list-type map";
        let error = FieldError::new(field, ErrorType::Invalid, Some(printed(value)), detail);
        errors.push(error);
        return;
    }
    let keys = |element: &Value| {
        let fields = element.as_map();
        let keys = schema.list_keys.iter().filter_map(|name| {
            let value = fields?.get_str(name)?.clone();
            Some((Key::String((&**name).into()), value))
        });
        Value::Map(keys.collect::<Map>())
    };
    let keys: Vec<String> = list.iter().map(|element| json(&keys(element))).collect();
    for index in repeated(&keys) {
        errors.push(duplicate(path, index, keys.get(index).cloned()));
    }
}

/// Returns the second index of each repeated element.
fn repeated(elements: &[String]) -> Vec<usize> {
    let mut times: HashMap<&str, usize> = HashMap::with_capacity(elements.len());
    let mut found = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let times = times.entry(element).or_default();
        *times += 1;
        if *times == 2 {
            found.push(index);
        }
    }
    found
}

fn duplicate(path: PathRef<'_>, index: usize, value: Option<String>) -> FieldError {
    let field = path.index(index).to_path().to_string();
    FieldError::new(field, ErrorType::Duplicate, value, "")
}
