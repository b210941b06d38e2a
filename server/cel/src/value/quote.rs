//! Strings in double quotes as Go writes them.
//!
//! Upstream: Go, strconv/quote.go, `Quote`.

use std::fmt::Write;

/// Returns a string in double quotes, as `%q` of Go: `"a\tb"`. Unprintable characters are escaped.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for next in text.chars() {
        match next {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            _ if is_printable(next) => out.push(next),
            _ => escape(&mut out, u32::from(next)),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, code: u32) {
    // Writing to a string does not fail.
    let _ = match code {
        ..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
        ..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Returns whether Go prints a character unescaped: letters, marks, numbers, punctuation, symbols
/// and the space.
fn is_printable(next: char) -> bool {
    if next.is_ascii() {
        return (' '..='~').contains(&next);
    }
    // Rust escapes the same characters, and marks only at the start of a string.
    let text: String = ['a', next].iter().collect();
    text.escape_debug().count() == 2
}
