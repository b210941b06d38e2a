//! Values as Go prints them.
//!
//! Error messages of the API server quote the user's strings in the form of Go's `%q`, and write
//! everything else as JSON.
//!
//! Upstream: Go, strconv/quote.go, `Quote`; encoding/json, `Marshal`.

use cel::Value;
use cel::value::Key;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The characters that Go escapes in JSON, besides those that JSON requires.
const ESCAPES: [(char, &str); 5] = [
    ('<', "\\u003c"),
    ('>', "\\u003e"),
    ('&', "\\u0026"),
    ('\u{2028}', "\\u2028"),
    ('\u{2029}', "\\u2029"),
];

/// Returns JSON as Go's `json.Marshal` writes it.
pub fn json_text(json: &Json) -> String {
    let mut text = json.to_string();
    for (letter, escape) in ESCAPES {
        if text.contains(letter) {
            text = text.replace(letter, escape);
        }
    }
    text
}

/// Returns a value as JSON, with the keys of maps in order, as in Go.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => Json::from(*number),
        Value::Uint(number) => Json::from(*number),
        Value::Double(number) => Json::from(*number),
        Value::String(text) => Json::from(&**text),
        Value::List(elements) => elements.iter().map(to_json).collect(),
        Value::Map(map) => {
            let fields = map.iter().filter_map(|(key, value)| match key {
                Key::String(name) => Some((name, value)),
                _ => None,
            });
            let sorted: BTreeMap<_, _> = fields.collect();
            let fields = sorted
                .into_iter()
                .map(|(name, value)| (name.to_string(), to_json(value)));
            Json::Object(fields.collect())
        }
        _ => Json::Null,
    }
}

/// Returns a string in double quotes with Go's escapes.
pub fn quote(text: &str) -> String {
    quote_bytes(text.as_bytes())
}

/// Quotes bytes, which need not be UTF-8.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            push(&mut out, char);
        }
        for byte in chunk.invalid() {
            push_hex(&mut out, u32::from(*byte));
        }
    }
    out.push('"');
    out
}

fn push(out: &mut String, char: char) {
    let escape = match char {
        '"' | '\\' => char,
        '\x07' => 'a',
        '\x08' => 'b',
        '\x0c' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\x0b' => 'v',
        _ if is_printable(char) => {
            out.push(char);
            return;
        }
        _ => {
            push_code(out, u32::from(char));
            return;
        }
    };
    out.push('\\');
    out.push(escape);
}

/// Appends a code in hexadecimal. Writing to a string does not fail.
fn push_hex(out: &mut String, code: u32) {
    let _ = write!(out, "\\x{code:02x}");
}

fn push_code(out: &mut String, code: u32) {
    let _ = match code {
        0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
        0x20..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Returns whether Go prints a character as it is.
pub fn is_printable(char: char) -> bool {
    if char.is_ascii() {
        return (' '..='~').contains(&char);
    }
    // Within a string Rust escapes unprintable characters and, unlike for a single character,
    // leaves combining marks alone, as Go does.
    let mut text = [0_u8; 5];
    let (first, rest) = text.split_at_mut(1);
    first.fill(b'a');
    let length = char.encode_utf8(rest).len();
    let text = text
        .get(..=length)
        .and_then(|text| str::from_utf8(text).ok());
    text.is_some_and(|text| text.escape_debug().count() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_in_go() {
        let cases = [
            ("a b", r#""a b""#),
            ("\"\\", r#""\"\\""#),
            ("\n\t\x07\x0b\x00\x7f", r#""\n\t\a\v\x00\x7f""#),
            ("é😀", r#""é😀""#),
            ("e\u{301}", "\"e\u{301}\""),
            ("\u{a0}\u{200b}\u{feff}", r#""\u00a0\u200b\ufeff""#),
            ("\u{e0001}", r#""\U000e0001""#),
        ];
        for (text, quoted) in cases {
            assert_eq!(quote(text), quoted);
        }
        assert_eq!(quote_bytes(b"%\xc3"), r#""%\xc3""#);
    }
}
