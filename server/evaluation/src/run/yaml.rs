//! Objects as YAML, for people.
//!
//! Two objects are compared line by line, so equal parts must look equal: the fields are sorted by
//! name, and every value has one spelling.

use cel::Value;
use cel::value::number::shortest;
use cel::value::{Key, Map};
use std::fmt::Write as _;
use std::sync::Arc;
use yaml::edit::quoted;

/// Limit: the maximum nesting. Deeper parts are left out.
const MAX_DEPTH: usize = 100;

/// Returns an object as YAML in blocks, with `apiVersion`, `kind` and `metadata` first and the
/// other fields in the order of their names. Values that JSON lacks are strings.
#[must_use]
pub fn to_yaml(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Map(map) if !map.is_empty() => fields(&mut out, map, 0, false),
        Value::List(list) if !list.is_empty() => items(&mut out, list, 0),
        other => inline(&mut out, other, 0),
    }
    out
}

/// Writes the fields of a map, each on separate lines. The first one follows a dash if the map is
/// an item.
fn fields(out: &mut String, map: &Map, depth: usize, is_item: bool) {
    let mut entries: Vec<(String, &Value)> = map
        .iter()
        .map(|(key, value)| (key_text(key), value))
        .collect();
    entries.sort_by(|(left, _), (right, _)| (rank(left), left).cmp(&(rank(right), right)));
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 || !is_item {
            indent(out, depth);
        }
        out.push_str(&scalar(&key));
        out.push(':');
        match value {
            Value::Map(map) if !map.is_empty() && depth < MAX_DEPTH => {
                out.push('\n');
                fields(out, map, depth + 1, false);
            }
            Value::List(list) if !list.is_empty() && depth < MAX_DEPTH => {
                out.push('\n');
                items(out, list, depth);
            }
            value => {
                out.push(' ');
                inline(out, value, depth + 1);
            }
        }
    }
}

/// Writes the items of a list, at the indentation of the list's key.
fn items(out: &mut String, list: &[Value], depth: usize) {
    for item in list {
        indent(out, depth);
        out.push_str("- ");
        match item {
            Value::Map(map) if !map.is_empty() && depth < MAX_DEPTH => {
                fields(out, map, depth + 1, true);
            }
            Value::List(list) if !list.is_empty() && depth < MAX_DEPTH => {
                out.truncate(out.len() - 1);
                out.push('\n');
                items(out, list, depth + 1);
            }
            item => inline(out, item, depth + 1),
        }
    }
}

/// Writes a value and the end of its line.
fn inline(out: &mut String, value: &Value, depth: usize) {
    let text = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => double(*value),
        Value::String(text) => match block(text, depth) {
            Some(block) => return out.push_str(&block),
            None => scalar(text),
        },
        Value::Map(map) if map.is_empty() => "{}".to_owned(),
        Value::List(list) if list.is_empty() => "[]".to_owned(),
        other => scalar(&super::result_text::to_cel(other)),
    };
    out.push_str(&text);
    out.push('\n');
}

/// Returns a string of several lines as a block scalar, if possible.
fn block(text: &str, depth: usize) -> Option<String> {
    let is_simple = |line: &str| !line.contains(char::is_control) && !line.ends_with(' ');
    let starts_well = !text.starts_with([' ', '\n']);
    if !text.contains('\n') || !starts_well || !text.split('\n').all(is_simple) {
        return None;
    }
    let (body, style) = match text.strip_suffix('\n') {
        Some(body) if body.ends_with('\n') => return None,
        Some(body) => (body, "|\n"),
        None => (text, "|-\n"),
    };
    let mut out = style.to_owned();
    for line in body.split('\n') {
        if !line.is_empty() {
            indent(&mut out, depth);
            out.push_str(line);
        }
        out.push('\n');
    }
    Some(out)
}

/// Returns a string on one line, in quotes if it would otherwise be read as another value.
fn scalar(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    quoted(text)
}

/// Returns whether the string is a valid plain scalar as the value of a key.
fn is_plain(text: &str) -> bool {
    let is_odd =
        |it: char| it.is_control() || matches!(it, '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}');
    // As a key, `<<` merges.
    if text == "<<" || text.trim() != text || text.contains(is_odd) {
        return false;
    }
    let stream = yaml::parse(Arc::from(format!("key: {text}\n")));
    let is_alone = stream.errors().is_empty() && stream.documents().count() == 1;
    let mut documents = stream.documents();
    let root = documents.next().and_then(yaml::Document::root);
    let value = root.and_then(|root| root.get("key"));
    is_alone && value.and_then(yaml::Node::as_str) == Some(text)
}

/// Returns the rank of a field: those of every object are first.
fn rank(key: &str) -> usize {
    let first = ["apiVersion", "kind", "metadata"];
    first
        .iter()
        .position(|it| *it == key)
        .unwrap_or(first.len())
}

fn key_text(key: &Key) -> String {
    match key {
        Key::String(text) => text.to_string(),
        key => super::result_text::to_cel(&key.value()),
    }
}

/// Returns a number as in JSON.
fn double(number: f64) -> String {
    match number {
        _ if number.is_nan() => ".nan".to_owned(),
        f64::INFINITY => ".inf".to_owned(),
        f64::NEG_INFINITY => "-.inf".to_owned(),
        _ => shortest(number),
    }
}

fn indent(out: &mut String, depth: usize) {
    let _ = write!(out, "{:1$}", "", 2 * depth);
}

#[cfg(test)]
mod tests;
