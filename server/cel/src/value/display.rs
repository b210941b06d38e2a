//! Values in messages.
//!
//! cel-go prints values in its messages with Go's `%v`.

use super::{Map, Value, number};
use std::fmt;

/// The values that a message shows, with a value for every few bytes of a string. Lists that share
/// their parts can be larger than memory when printed.
const MAX_VALUES: u32 = 1 << 16;

/// The bytes of a string that count as a value.
const BYTES: usize = 16;

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(out, self, &mut { MAX_VALUES })
    }
}

fn write_value(out: &mut fmt::Formatter<'_>, value: &Value, left: &mut u32) -> fmt::Result {
    let size = match value {
        Value::String(text) => text.len() / BYTES,
        Value::Bytes(bytes) => bytes.len() / BYTES,
        _ => 0,
    };
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    *left = left.saturating_sub(size.saturating_add(1));
    match value {
        // Go has a number for it.
        Value::Null => out.write_str("0"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Int(number) => write!(out, "{number}"),
        Value::Uint(number) => write!(out, "{number}"),
        Value::Double(number) => out.write_str(&number::shortest(*number)),
        Value::String(text) => out.write_str(text),
        Value::Bytes(bytes) => write_bytes(out, bytes),
        Value::List(elements) => write_list(out, elements, left),
        Value::Map(map) => write_map(out, map, left),
        Value::Duration(span) => write!(out, "{span}"),
        Value::Timestamp(time) => time.write_go(out),
        Value::Type(ty) => out.write_str(ty.runtime_name()),
        Value::Optional(None) => out.write_str("optional.none()"),
        Value::Optional(Some(value)) => {
            out.write_str("optional(")?;
            write_value(out, value, left)?;
            out.write_str(")")
        }
        Value::Opaque(opaque) => out.write_str(&opaque.display()),
    }
}

fn write_bytes(out: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    out.write_str("[")?;
    for (at, byte) in bytes.iter().enumerate() {
        let separator = if at == 0 { "" } else { " " };
        write!(out, "{separator}{byte}")?;
    }
    out.write_str("]")
}

fn write_list(out: &mut fmt::Formatter<'_>, elements: &[Value], left: &mut u32) -> fmt::Result {
    out.write_str("[")?;
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        if *left == 0 {
            out.write_str("…")?;
            break;
        }
        write_value(out, element, left)?;
    }
    out.write_str("]")
}

fn write_map(out: &mut fmt::Formatter<'_>, map: &Map, left: &mut u32) -> fmt::Result {
    out.write_str("{")?;
    for (at, (key, value)) in map.iter().enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        if *left == 0 {
            out.write_str("…")?;
            break;
        }
        write_value(out, &key.value(), left)?;
        out.write_str(": ")?;
        write_value(out, value, left)?;
    }
    out.write_str("}")
}
