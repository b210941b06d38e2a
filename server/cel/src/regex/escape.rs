//! Escapes of single characters: `\n`, `\x41`, `\101`, `\.`.
//!
//! Upstream: Go, regexp/syntax/parse.go, `parseEscape`.

use super::error::{Code, RegexError};

/// The largest code point.
const MAX: u32 = 0x10_ffff;

/// Reads the escape that begins at a backslash. Returns the code point and the string after it.
pub(super) fn read(text: &str) -> Result<(u32, &str), RegexError> {
    let mut chars = text.chars();
    chars.next();
    let Some(letter) = chars.next() else {
        return Err(RegexError::new(Code::TrailingBackslash, ""));
    };
    let rest = chars.as_str();
    let simple = |code: u32| Ok((code, rest));
    match letter {
        // A single digit would be a reference to a group.
        '1'..='7' if !rest.starts_with(|next| matches!(next, '0'..='7')) => {
            Err(invalid(text, rest))
        }
        '0'..='7' => Ok(octal(letter, rest)),
        'x' => hexadecimal(rest).map_err(|rest| invalid(text, rest)),
        'a' => simple(7),
        'f' => simple(12),
        'n' => simple(10),
        'r' => simple(13),
        't' => simple(9),
        'v' => simple(11),
        _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => simple(u32::from(letter)),
        _ => Err(invalid(text, rest)),
    }
}

fn invalid(text: &str, rest: &str) -> RegexError {
    RegexError::new(Code::Escape, text.strip_suffix(rest).unwrap_or(text))
}

/// Reads up to three digits.
fn octal(first: char, rest: &str) -> (u32, &str) {
    let mut code = first.to_digit(8).unwrap_or_default();
    let mut chars = rest.chars();
    for _ in 0..2 {
        let mut ahead = chars.clone();
        let Some(digit) = ahead.next().and_then(|next| next.to_digit(8)) else {
            break;
        };
        code = code * 8 + digit;
        chars = ahead;
    }
    (code, chars.as_str())
}

/// Reads two digits, or any number of them in braces. Otherwise returns the position of the error.
fn hexadecimal(text: &str) -> Result<(u32, &str), &str> {
    let mut chars = text.chars();
    let first = chars.next().ok_or(text)?;
    if first != '{' {
        let high = first.to_digit(16);
        let low = chars.next().and_then(|next| next.to_digit(16));
        let code = high.zip(low).map(|(high, low)| high * 16 + low);
        return code
            .map(|code| (code, chars.as_str()))
            .ok_or(chars.as_str());
    }
    let (mut code, mut is_empty) = (0, true);
    loop {
        let next = chars.next().ok_or("")?;
        if next == '}' && !is_empty {
            return Ok((code, chars.as_str()));
        }
        let digit = next.to_digit(16).ok_or(chars.as_str())?;
        code = code * 16 + digit;
        is_empty = false;
        if code > MAX {
            return Err(chars.as_str());
        }
    }
}
