//! The fields of objects, which may be missing, null or of another type.
//!
//! An object is only known to be valid after validation, and manifests of a project never pass it.
//! A field without a usable value counts as missing.

use cel::Value;
use cel::value::Map;
use kubernetes::defaults::key_text;
pub(crate) use kubernetes::field as get;
use std::borrow::Cow;

/// Returns a string; empty if there is none.
pub(crate) fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    get(object, field)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns the elements of a list; empty if there is no list.
pub(crate) fn list<'a>(object: &'a Value, field: &str) -> &'a [Value] {
    get(object, field)
        .and_then(Value::as_list)
        .unwrap_or_default()
}

/// Returns the entries of a map in the order of the keys.
pub(crate) fn entries(map: &Value) -> Vec<(&str, &Value)> {
    let entries = map.as_map().into_iter().flat_map(Map::iter);
    let mut entries: Vec<_> = entries
        .filter_map(|(key, value)| Some((key_text(key)?, value)))
        .collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}

/// Returns a string, a number or a Boolean as text; empty for other values.
pub(crate) fn plain(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Int(number) => number.to_string().into(),
        Value::Bool(value) => value.to_string().into(),
        _ => Cow::Borrowed(""),
    }
}

/// Returns whether a label selector matches labels, by the value of each key.
pub(crate) fn selects<'a>(selector: &Value, label: impl Fn(&str) -> Option<&'a str>) -> bool {
    let labels = get(selector, "matchLabels").and_then(Value::as_map);
    let mut labels = labels.into_iter().flat_map(Map::iter);
    labels.all(|(key, value)| key_text(key).and_then(&label) == value.as_str())
        && list(selector, "matchExpressions").iter().all(|expression| {
            let value = label(text(expression, "key"));
            let values = list(expression, "values").iter();
            let is_listed =
                value.is_some_and(|it| values.filter_map(Value::as_str).any(|v| v == it));
            match text(expression, "operator") {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => value.is_some(),
                _ => value.is_none(),
            }
        })
}
