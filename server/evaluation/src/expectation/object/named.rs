//! The listed parts of two objects.
//!
//! A mapping must have the listed fields. A list whose elements have keys, such as
//! containers, must contain the listed elements; any other list must have the same elements
//! in the same order. `null` means that a field must be missing.

use cel::Value;
use cel::value::{Key, Map, MapBuilder};
use kubernetes::openapi::{ListType, Schema};

/// Returns the fields listed in `wanted`, of the expected and of the actual object. `None` if
/// there are none.
pub(super) fn named(
    wanted: &Value,
    expected: &Value,
    found: &Value,
    schema: Option<Schema<'_>>,
) -> (Value, Option<Value>) {
    match (wanted, expected, found) {
        (Value::Map(wanted), Value::Map(expected), Value::Map(found)) => {
            let (expected, found) = fields(wanted, expected, found, schema);
            (Value::Map(expected), Some(Value::Map(found)))
        }
        (Value::List(wanted), Value::List(expected), Value::List(found)) => {
            let (expected, found) = elements(wanted, expected, found, schema);
            (Value::list(expected), Some(Value::list(found)))
        }
        _ => (expected.clone(), Some(found.clone())),
    }
}

fn fields(wanted: &Map, expected: &Map, found: &Map, schema: Option<Schema<'_>>) -> (Map, Map) {
    let mut left = MapBuilder::with_capacity(wanted.len());
    let mut right = MapBuilder::with_capacity(wanted.len());
    for (key, wanted) in wanted.iter() {
        let Key::String(name) = key else { continue };
        let (expected, found) = (expected.get_str(name), found.get_str(name));
        let schema = schema.and_then(|it| it.property(name).or(it.additional_properties()));
        match (wanted, expected, found) {
            (Value::Null, _, found) => {
                left.insert(key.clone(), Value::Null);
                right.insert(key.clone(), found.cloned().unwrap_or(Value::Null));
            }
            (_, Some(expected), Some(found)) => {
                let (expected, found) = named(wanted, expected, found, schema);
                left.insert(key.clone(), expected);
                found.and_then(|found| right.insert(key.clone(), found));
            }
            (_, expected, found) => {
                expected.and_then(|it| left.insert(key.clone(), it.clone()));
                found.and_then(|it| right.insert(key.clone(), it.clone()));
            }
        }
    }
    (left.build(), right.build())
}

fn elements(
    wanted: &[Value],
    expected: &[Value],
    found: &[Value],
    schema: Option<Schema<'_>>,
) -> (Vec<Value>, Vec<Value>) {
    let of_element = schema.and_then(Schema::items);
    let keys = keys(schema);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    if !keys.is_empty() {
        for (wanted, expected) in wanted.iter().zip(expected) {
            let is_same = |it: &&Value| {
                keys.iter()
                    .all(|key| field(it, key) == field(expected, key))
            };
            let Some(found) = found.iter().find(is_same) else {
                left.push(expected.clone());
                continue;
            };
            let (expected, found) = named(wanted, expected, found, of_element);
            left.push(expected);
            right.extend(found);
        }
        return (left, right);
    }
    // Elements that the server appends, such as tolerations, are compared as a whole.
    for place in 0..expected.len().max(found.len()) {
        match (wanted.get(place), expected.get(place), found.get(place)) {
            (Some(wanted), Some(expected), Some(found)) => {
                let (expected, found) = named(wanted, expected, found, of_element);
                left.push(expected);
                right.extend(found);
            }
            (_, expected, found) => {
                left.extend(expected.cloned());
                right.extend(found.cloned());
            }
        }
    }
    (left, right)
}

/// Returns the keys that identify the elements of a list.
fn keys(schema: Option<Schema<'_>>) -> Vec<&str> {
    let schema = schema.filter(|it| it.list_type() == Some(ListType::Map));
    schema.map_or_else(Vec::new, |it| it.list_map_keys().collect())
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_map()?.get_str(name)
}
