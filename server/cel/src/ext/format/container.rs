//! Lists and maps in a string.
//!
//! Both versions of `format` write them the same way, except for the separator between a key and
//! its value, and for the format of elements.

use super::FormatErrorKind;
use crate::library::Context;
use crate::value::{EvalError, Hidden, Map, Value, quoted};

/// Writes a value that is inside.
type Part = fn(&Context<'_>, &Value) -> Result<String, FormatErrorKind>;

/// Returns a list: `[1, 2]`.
pub(super) fn list(
    context: &Context<'_>,
    elements: &[Value],
    part: Part,
) -> Result<String, FormatErrorKind> {
    let mut parts = Vec::with_capacity(elements.len());
    for element in elements {
        let part = part(context, element)?;
        context.allocate(part.len())?;
        parts.push(part);
    }
    Ok(format!("[{}]", parts.join(", ")))
}

/// Returns a map, sorted by the strings of its keys: `{a: 1, b: 2}`.
pub(super) fn map(
    context: &Context<'_>,
    map: &Map,
    separator: &str,
    part: Part,
) -> Result<String, FormatErrorKind> {
    let mut entries = Vec::with_capacity(map.len());
    for (key, value) in map.iter() {
        entries.push((part(context, &key.value())?, part(context, value)?));
    }
    if let Some(hidden) = map.hidden().next() {
        return Err(match hidden {
            Hidden::Null(name) => {
                FormatErrorKind::Value(format!("could not find key: {}", quoted(name)))
            }
            Hidden::Unknown(..) => FormatErrorKind::Fatal(EvalError::nil_pointer()),
        });
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(key, value)| format!("{key}{separator}{value}"))
        .collect();
    context.allocate(entries.iter().map(String::len).sum())?;
    Ok(format!("{{{}}}", entries.join(", ")))
}
