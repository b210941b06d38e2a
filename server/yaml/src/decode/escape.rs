//! The escapes of double-quoted scalars.
//!
//! Kubernetes accepts YAML's escapes, but neither `\/` nor halves of surrogate pairs, which JSON
//! has. Both are decoded here as in JSON, and reported, because a file that is entirely JSON goes
//! through a JSON reader that accepts them. There, half of a pair is U+FFFD.
//!
//! Upstream: encoding/json, decode.go, unquoteBytes.

use super::Sink;
use crate::error::SyntaxErrorKind;

/// Writes the escape whose backslash is at `at`, and returns the offset after it.
///
/// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_parser_scan_flow_scalar.
pub(super) fn escape(text: &str, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
    let digits = match bytes.get(at + 1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        Some(&byte) => {
            if let Some(replacement) = simple(byte) {
                sink.replaced(at, at + 2, replacement);
                return at + 2;
            }
            return unknown(text, at, sink);
        }
        None => {
            sink.verbatim(at, at + 1);
            return at + 1;
        }
    };
    match hex(bytes, at + 2, digits) {
        Some(code) => coded(bytes, at, at + 2 + digits, code, sink),
        None => unknown(text, at, sink),
    }
}

fn simple(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'0' => "\0",
        b'a' => "\x07",
        b'b' => "\x08",
        b't' | b'\t' => "\t",
        b'n' => "\n",
        b'v' => "\x0B",
        b'f' => "\x0C",
        b'r' => "\r",
        b'e' => "\x1B",
        b' ' => " ",
        b'"' => "\"",
        b'\'' => "'",
        b'\\' => "\\",
        b'N' => "\u{85}",
        b'_' => "\u{A0}",
        b'L' => "\u{2028}",
        b'P' => "\u{2029}",
        _ => return None,
    })
}

/// Handles an unknown escape: drops the backslash and keeps the rest.
fn unknown(text: &str, at: usize, sink: &mut impl Sink) -> usize {
    let after = text.get(at + 1..).and_then(|rest| rest.chars().next());
    let end = at + 1 + after.map_or(0, char::len_utf8);
    let kind = after.map_or(
        SyntaxErrorKind::UnknownEscape('\\'),
        |character| match character {
            'x' | 'u' | 'U' => SyntaxErrorKind::IncompleteEscape(character),
            other => SyntaxErrorKind::UnknownEscape(other),
        },
    );
    sink.error(at, end, kind);
    sink.verbatim(at + 1, end);
    end
}

fn hex(bytes: &[u8], start: usize, digits: usize) -> Option<u32> {
    let digits = bytes.get(start..start + digits)?;
    digits.iter().try_fold(0u32, |code, digit| {
        let value = char::from(*digit).to_digit(16)?;
        code.checked_mul(16)?.checked_add(value)
    })
}

/// Writes the character of a numeric escape that ends at `end`.
fn coded(bytes: &[u8], at: usize, end: usize, code: u32, sink: &mut impl Sink) -> usize {
    let mut buffer = [0; 4];
    if let Some(character) = char::from_u32(code) {
        sink.replaced(at, end, character.encode_utf8(&mut buffer));
        return end;
    }
    if let Some((character, end)) = pair(bytes, end, code) {
        sink.error(at, end, SyntaxErrorKind::SurrogateEscape);
        sink.replaced(at, end, character.encode_utf8(&mut buffer));
        return end;
    }
    sink.error(at, end, SyntaxErrorKind::InvalidEscape(code));
    sink.replaced(at, end, "\u{FFFD}");
    end
}

/// Returns the character that a high surrogate and the escape after it encode.
fn pair(bytes: &[u8], at: usize, high: u32) -> Option<(char, usize)> {
    let high = u16::try_from(high).ok()?;
    if bytes.get(at..at + 2)? != b"\\u" {
        return None;
    }
    let low = u16::try_from(hex(bytes, at + 2, 4)?).ok()?;
    let character = char::decode_utf16([high, low]).next()?.ok()?;
    Some((character, at + 6))
}
