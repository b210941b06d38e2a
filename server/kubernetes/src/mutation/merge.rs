//! Merging an apply configuration into an object.
//!
//! Maps and objects are merged by their fields, lists by their elements if their list type
//! allows it, and everything else is replaced.
//!
//! Upstream: kubernetes-sigs/structured-merge-diff, typed/merge.go; kubernetes/apiserver,
//! pkg/admission/plugin/policy/mutating/patch/smd.go, ApplyStructuredMergeDiff.

use super::element;
use super::typed::{atomics, errors, errors_of_object, is_atomic_map};
use crate::openapi::Schema;
use crate::versions::ServerVersion;
use cel::value::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Returns the object with the fields of a configuration, which is a map.
///
/// # Errors
/// Why it is rejected; the error of the server.
pub fn apply(
    schema: Option<Schema<'_>>,
    object: &Value,
    configuration: &Value,
    server: ServerVersion,
) -> Result<Value, String> {
    let Some(schema) = schema else {
        return Ok(merged(None, object, configuration));
    };
    if let Some(errors) = errors(schema, configuration) {
        return Err(format!(
            "failed to convert patch object to typed object: {errors}"
        ));
    }
    let atomics = atomics(schema, configuration);
    if !atomics.is_empty() {
        let atomics = atomics.join(", ");
        return Err(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {atomics}"
        ));
    }
    if let Some(errors) = errors_of_object(schema, object, server) {
        return Err(format!(
            "failed to convert original object to typed object: {errors}"
        ));
    }
    Ok(merged(Some(schema), object, configuration))
}

/// Merges two values of one type. Maps of unknown types are merged, other values replaced.
fn merged(schema: Option<Schema<'_>>, old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Map(old), Value::Map(new)) => {
            if new.is_empty() && old.is_empty() || schema.is_some_and(is_atomic_map) {
                return Value::Map(new.clone());
            }
            Value::Map(merged_maps(schema, old, new))
        }
        (Value::List(old), Value::List(new)) => match schema {
            Some(list) if !(list.is_atomic() || old.is_empty() && new.is_empty()) => {
                Value::list(merged_lists(list, old, new))
            }
            _ => Value::List(new.clone()),
        },
        _ => new.clone(),
    }
}

fn merged_maps(schema: Option<Schema<'_>>, old: &Map, new: &Map) -> Map {
    let mut out = old.clone();
    for (key, value) in new.iter() {
        let Some(name) = crate::defaults::key_text(key) else {
            continue;
        };
        let field = schema.and_then(|schema| {
            let property = schema.property(name);
            property.or_else(|| schema.additional_properties())
        });
        match old.get_str(name) {
            Some(old) => out.set_str(name, merged(field, old, value)),
            None => out.set_str(name, value.clone()),
        }
    }
    out
}

/// The elements of a list by their names.
struct Named<'a> {
    names: Vec<String>,
    elements: &'a [Value],
    /// The index of each name. `None` if several elements have it.
    places: HashMap<String, Option<usize>>,
}

impl<'a> Named<'a> {
    fn new(list: Schema<'_>, elements: &'a [Value]) -> Self {
        let mut named = Self {
            names: Vec::with_capacity(elements.len()),
            elements,
            places: HashMap::new(),
        };
        for (place, value) in elements.iter().enumerate() {
            let name = element::name(list, value).unwrap_or_else(|_| format!("[{place}]"));
            let known = named.places.contains_key(&name);
            let place = (!known).then_some(place);
            named.places.insert(name.clone(), place);
            named.names.push(name);
        }
        named
    }

    fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Returns the element with a name, if there is exactly one.
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.elements.get((*self.places.get(name)?)?)
    }
}

/// Returns the elements of both lists. Those of the new one keep their order, and those that only
/// the old one has stay near their neighbors.
fn merged_lists(list: Schema<'_>, old: &[Value], new: &[Value]) -> Vec<Value> {
    let (old, new) = (Named::new(list, old), Named::new(list, new));
    let mut merging = Merging::new(list, &old, &new);
    let mut shared = new.names.iter().filter(|name| old.has(name));
    let mut next_shared = shared.next();
    let (mut at_old, mut at_new) = (0, 0);
    while at_old < old.names.len() || at_new < new.names.len() {
        let (left, right) = (old.names.get(at_old), new.names.get(at_new));
        if let (Some(left), Some(right)) = (left, right) {
            if left == right {
                merging.take(left);
                (at_old, at_new) = (at_old + 1, at_new + 1);
                next_shared = shared.next();
                continue;
            }
            if new.has(left) && next_shared.is_some_and(|next| next != left) {
                at_old += 1;
                continue;
            }
        }
        if let Some(left) = left {
            if !new.has(left) {
                merging.out.extend(old.elements.get(at_old).cloned());
                at_old += 1;
                continue;
            }
            at_old += usize::from(merging.merged.contains(left.as_str()));
        }
        if let Some(right) = right {
            merging.take(right);
            at_new += 1;
            if next_shared == Some(right) {
                next_shared = shared.next();
            }
        }
    }
    merging.out
}

/// The state of a merge of two lists.
struct Merging<'a> {
    list: Schema<'a>,
    old: &'a Named<'a>,
    new: &'a Named<'a>,
    /// The names of the elements of the new list that are in `out`.
    merged: HashSet<&'a str>,
    out: Vec<Value>,
}

impl<'a> Merging<'a> {
    fn new(list: Schema<'a>, old: &'a Named<'a>, new: &'a Named<'a>) -> Self {
        Self {
            list,
            old,
            new,
            merged: HashSet::new(),
            out: Vec::with_capacity(old.names.len().max(new.names.len())),
        }
    }

    /// Adds the element with a name of the new list, merged with the old one.
    fn take(&mut self, name: &'a str) {
        let value = match (self.old.get(name), self.new.get(name)) {
            (Some(old), Some(new)) => merged(self.list.items(), old, new),
            (_, Some(new)) => new.clone(),
            (old, None) => old.cloned().unwrap_or(Value::Null),
        };
        self.merged.insert(name);
        self.out.push(value);
    }
}
