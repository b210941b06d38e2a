//! Values in messages.
//!
//! cel-go puts values in its messages as Go prints them with `%v`.

use super::{Map, Value, number};
use std::fmt;

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Go has a number for it.
            Value::Null => out.write_str("0"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Int(number) => write!(out, "{number}"),
            Value::Uint(number) => write!(out, "{number}"),
            Value::Double(number) => out.write_str(&number::shortest(*number)),
            Value::String(text) => out.write_str(text),
            Value::Bytes(bytes) => write_all(out, '[', bytes.iter(), " ", ']'),
            Value::List(elements) => write_all(out, '[', elements.iter(), ", ", ']'),
            Value::Map(map) => write_map(out, map),
            Value::Duration(span) => write!(out, "{span}"),
            Value::Timestamp(time) => time.write_go(out),
            Value::Type(ty) => out.write_str(ty.runtime_name()),
            Value::Optional(None) => out.write_str("optional.none()"),
            Value::Optional(Some(value)) => write!(out, "optional({value})"),
            Value::Opaque(opaque) => out.write_str(&opaque.display()),
        }
    }
}

fn write_all<T: fmt::Display>(
    out: &mut fmt::Formatter<'_>,
    open: char,
    elements: impl Iterator<Item = T>,
    separator: &str,
    close: char,
) -> fmt::Result {
    write!(out, "{open}")?;
    for (at, element) in elements.enumerate() {
        let separator = if at == 0 { "" } else { separator };
        write!(out, "{separator}{element}")?;
    }
    write!(out, "{close}")
}

fn write_map(out: &mut fmt::Formatter<'_>, map: &Map) -> fmt::Result {
    let entries = map.iter().map(|(key, value)| {
        let key = key.value();
        format!("{key}: {value}")
    });
    write_all(out, '{', entries, ", ", '}')
}
