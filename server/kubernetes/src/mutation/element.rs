//! The identity of an element of a list that is merged by its elements.
//!
//! Upstream: kubernetes-sigs/structured-merge-diff, typed/helpers.go, listItemToPathElement;
//! fieldpath/element.go, String.

use crate::defaults::schema_value;
use crate::openapi::{ListType, Schema};
use crate::quote::quote;
use cel::value::Value;

/// Returns the name of an element, such as `[name="app"]`. Two elements with one name are the same.
///
/// # Errors
/// It has none; the error of the server.
pub(super) fn name(list: Schema<'_>, element: &Value) -> Result<String, String> {
    if list.list_type() == Some(ListType::Map) {
        by_keys(list, element)
    } else {
        by_value(element)
    }
}

/// Returns the error of the server for a null in a list of an object.
pub(super) fn null(list: Schema<'_>) -> &'static str {
    if list.list_type() == Some(ListType::Map) {
        "associative list with keys may not have a null element"
    } else {
        "associative list without keys has an element that's an explicit null"
    }
}

fn by_keys(list: Schema<'_>, element: &Value) -> Result<String, String> {
    let fields = match element {
        Value::Map(fields) => fields,
        // Null is a Go number here, since every result of an expression is a Go value.
        _ => {
            return Err("associative list with keys may not have non-map elements".to_owned());
        }
    };
    let default = |key: &str| schema_value(&list.items()?.property(key)?.default_value()?);
    let mut parts: Vec<(&str, Value)> = Vec::new();
    for key in list.list_map_keys() {
        if let Some(value) = fields.get_str(key).cloned().or_else(|| default(key)) {
            parts.push((key, value));
        }
    }
    if parts.is_empty() {
        let keys: Vec<String> = list.list_map_keys().map(quote).collect();
        let keys = keys.join(" ");
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{keys}] (and doesn't have default values for any key fields)"
        ));
    }
    parts.sort_by_key(|(key, _)| *key);
    let parts: Vec<String> = parts
        .iter()
        .map(|(key, value)| format!("{key}={}", text(value)))
        .collect();
    Ok(format!("[{}]", parts.join(",")))
}

fn by_value(element: &Value) -> Result<String, String> {
    let refused = match element {
        Value::Map(_) => "associative list without keys has an element that's a map type",
        Value::List(_) => "not supported: associative list with lists as elements",
        Value::Null => return Ok("[={{undefined}}]".to_owned()),
        _ => return Ok(format!("[={}]", text(element))),
    };
    Err(refused.to_owned())
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => quote(text),
        Value::List(elements) => {
            let texts: Vec<String> = elements.iter().map(text).collect();
            format!("[{}]", texts.join(","))
        }
        other => other.to_string(),
    }
}
