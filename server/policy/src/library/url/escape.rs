//! Percent escapes in the parts of a URL.
//!
//! Upstream: Go, net/url/url.go, `unescape`, `escape` and `shouldEscape`.

use kubernetes::quote::quote_bytes;

/// A part of a URL, which decides what must be escaped in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Host,
    /// The zone after `%25` in an IPv6 address.
    Zone,
    User,
    Query,
    Fragment,
}

/// Returns whether a byte must be escaped in a part.
pub(super) fn must_escape(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        return false;
    }
    if matches!(part, Part::Host | Part::Zone) && b"!$&'()*+,;=:[]<>\"".contains(&byte) {
        return false;
    }
    if b"$&+,/:;=?@".contains(&byte) {
        return match part {
            Part::Path => byte == b'?',
            Part::User => b"@/?:".contains(&byte),
            Part::Fragment => false,
            Part::Query | Part::Host | Part::Zone => true,
        };
    }
    !(part == Part::Fragment && b"!()*".contains(&byte))
}

/// Decodes the escapes of a part.
///
/// # Errors
/// The error of Go.
pub(super) fn unescape(text: &[u8], part: Part) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match first {
            b'%' => {
                out.push(escaped(rest, part)?);
                rest = rest.get(3..).unwrap_or_default();
                continue;
            }
            b'+' if part == Part::Query => out.push(b' '),
            byte => {
                let in_host = matches!(part, Part::Host | Part::Zone);
                if in_host && byte.is_ascii() && must_escape(*byte, part) {
                    let character = quote_bytes(&[*byte]);
                    return Err(format!("invalid character {character} in host name"));
                }
                out.push(*byte);
            }
        }
        rest = after;
    }
    Ok(out)
}

/// Decodes the escape at the beginning of a string.
fn escaped(text: &[u8], part: Part) -> Result<u8, String> {
    let error = |escape: &[u8]| Err(format!("invalid URL escape {}", quote_bytes(escape)));
    let escape = text.get(..3).unwrap_or(text);
    let [_, high, low] = escape else {
        return error(escape);
    };
    let digit = |byte: &u8| {
        char::from(*byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (Some(high), Some(low)) = (digit(high), digit(low)) else {
        return error(escape);
    };
    let byte = (high << 4) | low;
    let is_percent = byte == b'%';
    // Only non-ASCII characters may be escaped in a host, and in a zone only those that a host also
    // allows.
    let allowed = match part {
        Part::Host => is_percent || high >= 8,
        Part::Zone => is_percent || byte == b' ' || !must_escape(byte, Part::Host),
        Part::Path | Part::User | Part::Query | Part::Fragment => true,
    };
    if allowed { Ok(byte) } else { error(escape) }
}

/// Returns a part with everything escaped that must be.
pub(super) fn escape(bytes: &[u8], part: Part) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or('0');
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        if must_escape(*byte, part) {
            out.push('%');
            out.push(digit(byte >> 4));
            out.push(digit(byte & 15));
        } else {
            out.push(char::from(*byte));
        }
    }
    out
}

/// Returns a part as written if its escapes are valid, otherwise escaped.
///
/// Upstream: Go, net/url/url.go, `EscapedPath` and `EscapedFragment`.
pub(super) fn written_or_escaped(written: &str, bytes: &[u8], part: Part) -> String {
    let is_right = |byte: u8| b"!$&'()*+,;=:@[]%".contains(&byte) || !must_escape(byte, part);
    if written.bytes().all(is_right) {
        return written.to_owned();
    }
    if part == Part::Path && bytes == b"*" {
        return "*".to_owned();
    }
    escape(bytes, part)
}
