//! Integers with another base, the same in every `format`.

use crate::value::Value;
use std::fmt::Write;

pub(super) fn binary(value: &Value) -> Option<String> {
    Some(match value {
        Value::Int(number) => format!("{}{:b}", sign(*number), number.unsigned_abs()),
        Value::Uint(number) => format!("{number:b}"),
        Value::Bool(value) => u8::from(*value).to_string(),
        _ => return None,
    })
}

pub(super) fn octal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Int(number) => format!("{}{:o}", sign(*number), number.unsigned_abs()),
        Value::Uint(number) => format!("{number:o}"),
        _ => return None,
    })
}

pub(super) fn hexadecimal(value: &Value, capitals: bool) -> Option<String> {
    let mut text = match value {
        Value::Int(number) => format!("{}{:x}", sign(*number), number.unsigned_abs()),
        Value::Uint(number) => format!("{number:x}"),
        Value::String(text) => bytes_as_hexadecimal(text.as_bytes()),
        Value::Bytes(bytes) => bytes_as_hexadecimal(bytes),
        _ => return None,
    };
    if capitals {
        text.make_ascii_uppercase();
    }
    Some(text)
}

fn bytes_as_hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

const fn sign(number: i64) -> &'static str {
    if number < 0 { "-" } else { "" }
}
