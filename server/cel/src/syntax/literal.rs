//! The values of constants.
//!
//! Numbers and strings are decoded once, while parsing, by the rules of cel-go: a value that it
//! rejects is an error here, with the exact escape or number that is invalid.
//!
//! Upstream: cel-go, parser/parser.go, `VisitInt` and following; parser/unescape.go.

use std::ops::Range;

/// The error of an escape in a string or in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeError {
    /// No escape begins with this character.
    Unknown(char),
    /// `\x`, `\u` or `\U` with too few hexadecimal digits after it.
    MissingDigits {
        /// The letter after the backslash.
        letter: char,
        /// The number of digits that it requires.
        digits: u8,
    },
    /// An octal escape without three digits, or above `\377`.
    Octal,
    /// A code point that does not exist: a surrogate, or past U+10FFFF.
    CodePoint(u32),
    /// `\u` or `\U` in bytes.
    UnicodeInBytes,
}

impl EscapeError {
    /// Returns whether cel-go finds it in the lexer, and not later when it decodes the string.
    pub(crate) const fn breaks_token(self) -> bool {
        match self {
            EscapeError::Unknown(_) | EscapeError::MissingDigits { .. } | EscapeError::Octal => {
                true
            }
            EscapeError::CodePoint(_) | EscapeError::UnicodeInBytes => false,
        }
    }
}

/// A wrong escape and its bytes within the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadEscape {
    pub(super) range: Range<usize>,
    pub(super) error: EscapeError,
}

/// Returns the value of an integer such as `12`, `-0x1F`. `None` if it does not fit 64 bits.
pub(super) fn int(digits: &str, negative: bool) -> Option<i64> {
    let magnitude = magnitude(digits)?;
    if negative {
        0i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    }
}

/// Returns the value of an unsigned integer with its `u`. `None` if it does not fit 64 bits.
pub(super) fn uint(written: &str) -> Option<u64> {
    magnitude(written.trim_end_matches(['u', 'U']))
}

fn magnitude(digits: &str) -> Option<u64> {
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// Returns the value of a floating point number. `None` if it is too large.
pub(super) fn double(digits: &str, negative: bool) -> Option<f64> {
    let value: f64 = digits.parse().ok()?;
    let value = if negative { -value } else { value };
    value.is_finite().then_some(value)
}

/// Returns the value of a string token.
pub(super) fn string(token: &str) -> Result<Box<str>, BadEscape> {
    let body = Body::from_token(token);
    if !body.needs_decoding() {
        return Ok(body.text.into());
    }
    let mut out = String::with_capacity(body.text.len());
    body.decode(false, |piece| match piece {
        Piece::Verbatim(text) => out.push_str(text),
        Piece::Char(c) => out.push(c),
        // Unreachable for strings, and harmless: an escape below 256 is that code point.
        Piece::Byte(byte) => out.push(char::from(byte)),
    })?;
    Ok(out.into())
}

/// Returns the value of a bytes token.
pub(super) fn bytes(token: &str) -> Result<Box<[u8]>, BadEscape> {
    let body = Body::from_token(token);
    if !body.needs_decoding() {
        return Ok(body.text.as_bytes().into());
    }
    let mut out = Vec::with_capacity(body.text.len());
    body.decode(true, |piece| match piece {
        Piece::Verbatim(text) => out.extend_from_slice(text.as_bytes()),
        Piece::Char(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        Piece::Byte(byte) => out.push(byte),
    })?;
    Ok(out.into())
}

/// The content between the quotes of a token.
struct Body<'t> {
    text: &'t str,
    /// The offset in the token.
    start: usize,
    raw: bool,
}

enum Piece<'t> {
    Verbatim(&'t str),
    Char(char),
    Byte(u8),
}

impl<'t> Body<'t> {
    fn from_token(token: &'t str) -> Self {
        let prefix = token.find(['"', '\'']).unwrap_or(0);
        let quoted = token.get(prefix..).unwrap_or("");
        let is_triple =
            quoted.len() >= 6 && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''"));
        let quotes = if is_triple { 3 } else { 1 };
        let text = quoted
            .len()
            .checked_sub(quotes)
            .and_then(|end| quoted.get(quotes..end))
            .unwrap_or("");
        Self {
            text,
            start: prefix + quotes,
            raw: token
                .get(..prefix)
                .is_some_and(|it| it.contains(['r', 'R'])),
        }
    }

    fn needs_decoding(&self) -> bool {
        self.text
            .bytes()
            .any(|byte| byte == b'\r' || (byte == b'\\' && !self.raw))
    }

    /// Passes on the value piece by piece. Line endings become `\n`, even in raw strings.
    fn decode(&self, is_bytes: bool, mut push: impl FnMut(Piece<'_>)) -> Result<(), BadEscape> {
        let mut at = 0;
        while let Some(rest) = self.text.get(at..).filter(|rest| !rest.is_empty()) {
            let special = rest
                .find(|c| c == '\r' || (c == '\\' && !self.raw))
                .unwrap_or(rest.len());
            push(Piece::Verbatim(rest.get(..special).unwrap_or("")));
            at += special;
            let Some(rest) = rest.get(special..).filter(|rest| !rest.is_empty()) else {
                break;
            };
            if rest.starts_with('\r') {
                push(Piece::Byte(b'\n'));
                at += if rest.starts_with("\r\n") { 2 } else { 1 };
                continue;
            }
            let (piece, len) = escape(rest, is_bytes).map_err(|(error, len)| BadEscape {
                range: self.start + at..self.start + at + len,
                error,
            })?;
            push(piece);
            at += len;
        }
        Ok(())
    }
}

/// Returns the value and length of the escape that `rest` begins with, or the error and the
/// number of its bytes.
fn escape(rest: &str, is_bytes: bool) -> Result<(Piece<'static>, usize), (EscapeError, usize)> {
    let letter = rest.chars().nth(1).unwrap_or('\\');
    let simple = match letter {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' | '?' => letter,
        'x' | 'X' => return hexadecimal(rest, letter, 2, is_bytes),
        'u' => return hexadecimal(rest, letter, 4, is_bytes),
        'U' => return hexadecimal(rest, letter, 8, is_bytes),
        '0'..='9' => return octal(rest, is_bytes),
        _ => return Err((EscapeError::Unknown(letter), 1 + letter.len_utf8())),
    };
    Ok((Piece::Char(simple), 2))
}

fn hexadecimal(
    rest: &str,
    letter: char,
    digits: u8,
    is_bytes: bool,
) -> Result<(Piece<'static>, usize), (EscapeError, usize)> {
    let wanted = usize::from(digits);
    let body = rest.as_bytes().get(2..).unwrap_or_default();
    let present = body
        .iter()
        .take(wanted)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let len = 2 + present;
    if present < wanted {
        return Err((EscapeError::MissingDigits { letter, digits }, len));
    }
    if is_bytes && letter.eq_ignore_ascii_case(&'u') {
        return Err((EscapeError::UnicodeInBytes, len));
    }
    let code = rest
        .get(2..len)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(u32::MAX);
    code_point(code, len, is_bytes)
}

fn octal(rest: &str, is_bytes: bool) -> Result<(Piece<'static>, usize), (EscapeError, usize)> {
    let digits = rest
        .bytes()
        .skip(1)
        .take(3)
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .count();
    let len = 1 + digits.max(1);
    let code = rest
        .get(1..len)
        .and_then(|digits| u32::from_str_radix(digits, 8).ok())
        .filter(|code| digits == 3 && *code <= 0o377);
    match code {
        Some(code) => code_point(code, len, is_bytes),
        None => Err((EscapeError::Octal, len)),
    }
}

fn code_point(
    code: u32,
    len: usize,
    is_bytes: bool,
) -> Result<(Piece<'static>, usize), (EscapeError, usize)> {
    if let (true, Ok(byte)) = (is_bytes, u8::try_from(code)) {
        return Ok((Piece::Byte(byte), len));
    }
    match char::from_u32(code) {
        Some(c) => Ok((Piece::Char(c), len)),
        None => Err((EscapeError::CodePoint(code), len)),
    }
}
