//! Reading and changing an object by its field names.

pub(super) use crate::object::field as get;
use cel::Value;
use cel::value::{Map, MapBuilder};

/// Returns an object without fields.
pub(super) fn empty() -> Value {
    Value::Map(MapBuilder::default().build())
}

/// Returns a string value.
pub(super) fn text(text: &str) -> Value {
    Value::string(text)
}

/// Returns an object of these fields.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut map = Map::default();
    for (name, value) in fields {
        map.set_str(name, value);
    }
    Value::Map(map)
}

/// Returns a field at a path.
pub(super) fn at<'a>(object: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter()
        .try_fold(object, |value, field| get(value, field))
}

/// Returns a field, to change it.
pub(super) fn get_mut<'a>(object: &'a mut Value, field: &str) -> Option<&'a mut Value> {
    let value = object.as_map_mut()?.get_str_mut(field)?;
    (!matches!(value, Value::Null)).then_some(value)
}

/// Returns a field at a path, to change it.
pub(super) fn at_mut<'a>(object: &'a mut Value, path: &[&str]) -> Option<&'a mut Value> {
    path.iter()
        .try_fold(object, |value, field| get_mut(value, field))
}

/// Returns the string in a field; empty if there is none.
pub(super) fn text_of<'a>(object: &'a Value, field: &str) -> &'a str {
    get(object, field)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Sets a field.
pub(super) fn set(object: &mut Value, field: &str, value: Value) {
    if let Some(map) = object.as_map_mut() {
        map.set_str(field, value);
    }
}

/// Sets a field that is missing or an empty string.
pub(super) fn default(object: &mut Value, field: &str, value: impl FnOnce() -> Value) {
    let given = get(object, field);
    if given.is_none_or(|given| given.as_str() == Some("")) {
        set(object, field, value());
    }
}

/// Sets a missing field to a string.
pub(super) fn default_text(object: &mut Value, field: &str, value: &str) {
    default(object, field, || text(value));
}

/// Sets the number of a missing field.
pub(super) fn default_int(object: &mut Value, field: &str, value: i64) {
    default(object, field, || Value::Int(value));
}

/// Returns the object in a field, created if it is missing.
pub(super) fn child<'a>(object: &'a mut Value, field: &str) -> Option<&'a mut Value> {
    if get(object, field).is_none() {
        set(object, field, empty());
    }
    get_mut(object, field)
}

/// Returns the elements of a list in a field, to change them.
pub(super) fn elements_mut<'a>(object: &'a mut Value, field: &str) -> &'a mut [Value] {
    let list = get_mut(object, field).and_then(Value::as_list_mut);
    list.map_or(&mut [], Vec::as_mut_slice)
}

/// Returns the elements of a list in a field.
pub(super) fn elements<'a>(object: &'a Value, field: &str) -> &'a [Value] {
    get(object, field)
        .and_then(Value::as_list)
        .unwrap_or_default()
}

/// Returns whether the list, map or string in a field is empty.
pub(super) fn is_empty(object: &Value, field: &str) -> bool {
    match get(object, field) {
        None => true,
        Some(Value::List(list)) => list.is_empty(),
        Some(Value::Map(map)) => map.is_empty(),
        Some(Value::String(text)) => text.is_empty(),
        Some(_) => false,
    }
}

/// Copies the entries of one map that another does not have.
pub(super) fn add_missing(to: &mut Value, from: &Value) {
    let (Some(to), Some(from)) = (to.as_map_mut(), from.as_map()) else {
        return;
    };
    for (key, value) in from.iter() {
        if let Some(key) = key_text(key)
            && to.get_str(key).is_none()
        {
            to.set_str(key, value.clone());
        }
    }
}

/// Returns a key as a string.
pub fn key_text(key: &cel::value::Key) -> Option<&str> {
    match key {
        cel::value::Key::String(text) => Some(text),
        _ => None,
    }
}

/// Returns a default of a schema as a value.
pub fn value(json: &serde_json::Value) -> Option<Value> {
    use serde_json::Value as Json;
    Some(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Double(number.as_f64()?),
        },
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(elements) => {
            let elements = elements.iter().map(value);
            Value::list(elements.collect::<Option<_>>()?)
        }
        Json::Object(fields) => {
            let mut map = Map::default();
            for (name, field) in fields {
                map.set_str(name, value(field)?);
            }
            Value::Map(map)
        }
    })
}
