//! From source to tokens.
//!
//! The lexer never fails: characters that are not a token of CEL become a token of a separate kind,
//! and the parser reports the error, since only it has the context. The tokens are those of cel-go
//! wherever cel-go accepts the source.
//!
//! Upstream: cel-go, parser/gen/CEL.g4, the lexer rules.

use super::token::{Token, TokenKind};
use text::Span;

/// Returns the tokens of an expression, trivia included, without the end marker.
///
/// Limit: offsets have 32 bits, so only the first 4 GiB of a source are read.
#[must_use]
pub const fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

/// The tokens of a source, one after the other.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Tokens<'_> {
    /// Continues at `offset`, which is the beginning of a character.
    pub(super) fn seek(&mut self, offset: u32) {
        self.at = offset as usize;
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if rest.is_empty() {
            return None;
        }
        let (kind, len) = first_token(self.text, self.at, rest);
        let start = u32::try_from(self.at).ok()?;
        let end = u32::try_from(self.at + len).ok()?;
        self.at += len;
        Some(Token {
            kind,
            span: Span::new(start, end),
        })
    }
}

/// Returns the kind and the length of the token that `rest`, the bytes of `text` from `at` on,
/// begins with.
fn first_token(text: &str, at: usize, rest: &[u8]) -> (TokenKind, usize) {
    use TokenKind as T;
    let byte = |index: usize| rest.get(index).copied().unwrap_or(0);
    let pick = |second: u8, long: T, short: T| {
        if byte(1) == second {
            (long, 2)
        } else {
            (short, 1)
        }
    };
    match byte(0) {
        b' ' | b'\t' | b'\r' | b'\n' | 0x0c => (T::Whitespace, count(rest, is_space)),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(text, at, rest),
        b'0'..=b'9' => number(rest),
        b'"' | b'\'' => quoted(rest, 0, T::String),
        b'.' if byte(1).is_ascii_digit() => number(rest),
        b'.' => (T::Dot, 1),
        b'/' if byte(1) == b'/' => (T::Comment, count(rest, |b| b != b'\n')),
        b'/' => (T::Slash, 1),
        b'!' => pick(b'=', T::NotEquals, T::Exclamation),
        b'<' => pick(b'=', T::LessEquals, T::Less),
        b'>' => pick(b'=', T::GreaterEquals, T::Greater),
        b'=' => equals(rest),
        b'&' => pick(b'&', T::AmpersandAmpersand, T::Foreign),
        b'|' => pick(b'|', T::BarBar, T::Foreign),
        b'^' | b'~' | b';' => (T::Foreign, 1),
        b'`' => escaped_ident(rest),
        other => match single(other) {
            Some(kind) => (kind, 1),
            None => unknown(text, at),
        },
    }
}

/// Returns the token of a byte that is always a token by itself.
const fn single(byte: u8) -> Option<TokenKind> {
    Some(match byte {
        b',' => TokenKind::Comma,
        b'(' => TokenKind::OpenParen,
        b')' => TokenKind::CloseParen,
        b'[' => TokenKind::OpenBracket,
        b']' => TokenKind::CloseBracket,
        b'{' => TokenKind::OpenBrace,
        b'}' => TokenKind::CloseBrace,
        b'?' => TokenKind::Question,
        b':' => TokenKind::Colon,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'%' => TokenKind::Percent,
        _ => return None,
    })
}

/// Returns the number of leading bytes that satisfy `holds`.
fn count(bytes: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    bytes
        .iter()
        .position(|byte| !holds(*byte))
        .unwrap_or(bytes.len())
}

fn count_from(bytes: &[u8], from: usize, holds: impl Fn(u8) -> bool) -> usize {
    bytes.get(from..).map_or(0, |rest| count(rest, holds))
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

const fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns `==`, or an operator with `=` of other languages.
fn equals(rest: &[u8]) -> (TokenKind, usize) {
    match rest {
        [b'=', b'=', b'=', ..] => (TokenKind::Foreign, 3),
        [b'=', b'=', ..] => (TokenKind::EqualsEquals, 2),
        [b'=', b'>' | b'~', ..] => (TokenKind::Foreign, 2),
        _ => (TokenKind::Foreign, 1),
    }
}

/// Returns a name, a keyword, or a string with a prefix.
fn word(text: &str, at: usize, rest: &[u8]) -> (TokenKind, usize) {
    let len = count(rest, is_ident_byte);
    let next = rest.get(len).copied().unwrap_or(0);
    let word = rest.get(..len).unwrap_or_default();
    if matches!(next, b'"' | b'\'') {
        match word {
            [b'r' | b'R'] => return quoted(rest, 1, TokenKind::String),
            [b'b' | b'B'] | [b'b' | b'B', b'r' | b'R'] => {
                return quoted(rest, len, TokenKind::Bytes);
            }
            _ => {}
        }
    }
    if !next.is_ascii() {
        // A name with a letter that CEL does not have is one error, not two.
        let all = foreign_word_len(text, at);
        if all > len {
            return (TokenKind::Unknown, all);
        }
    }
    let kind = match word {
        b"in" => TokenKind::In,
        b"true" => TokenKind::True,
        b"false" => TokenKind::False,
        b"null" => TokenKind::Null,
        _ => TokenKind::Ident,
    };
    (kind, len)
}

/// Returns a number: `0x1F`, `17`, `17u`, `1.5`, `.5e-3`. What follows directly, as in `12abc`, is
/// the next token, as in cel-go.
fn number(rest: &[u8]) -> (TokenKind, usize) {
    let is_unsigned = |at: usize| matches!(rest.get(at), Some(b'u' | b'U'));
    if rest.starts_with(b"0x") {
        let digits = count_from(rest, 2, |byte| byte.is_ascii_hexdigit());
        match (digits, is_unsigned(2 + digits)) {
            (0, _) => {}
            (_, true) => return (TokenKind::Uint, 3 + digits),
            (_, false) => return (TokenKind::Int, 2 + digits),
        }
    }
    let whole = count(rest, |byte| byte.is_ascii_digit());
    let fraction = match rest.get(whole) {
        Some(b'.') => count_from(rest, whole + 1, |byte| byte.is_ascii_digit()),
        _ => 0,
    };
    let mantissa = if fraction > 0 {
        whole + 1 + fraction
    } else {
        whole
    };
    let exponent = exponent_len(rest, mantissa);
    if fraction > 0 || exponent > 0 {
        return (TokenKind::Double, mantissa + exponent);
    }
    if is_unsigned(whole) {
        return (TokenKind::Uint, whole + 1);
    }
    (TokenKind::Int, whole)
}

/// Returns the length of an exponent such as `e+12` at `at`, 0 if there is none.
fn exponent_len(rest: &[u8], at: usize) -> usize {
    if !matches!(rest.get(at), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(rest.get(at + 1), Some(b'+' | b'-')));
    match count_from(rest, at + 1 + sign, |byte| byte.is_ascii_digit()) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

/// Returns the kind and the length of a string whose prefix is `prefix` bytes long.
///
/// A backslash includes the next character, even if they are not an escape, so
/// that an invalid escape does not hide the end of the string.
fn quoted(rest: &[u8], prefix: usize, kind: TokenKind) -> (TokenKind, usize) {
    let raw = prefix
        .checked_sub(1)
        .and_then(|last| rest.get(last))
        .is_some_and(|byte| matches!(byte, b'r' | b'R'));
    let quote = rest.get(prefix).copied().unwrap_or(b'"');
    let triple = rest.get(prefix..prefix + 3) == Some(&[quote; 3]);
    let quotes = if triple { 3 } else { 1 };
    let mut at = prefix + quotes;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' if !raw => {
                let taken = rest.get(at + 1).copied().unwrap_or(b'\n');
                let ends_line = matches!(taken, b'\n' | b'\r') && !triple;
                at += if ends_line { 1 } else { 2 };
            }
            b'\n' | b'\r' if !triple => return (TokenKind::Unterminated, at),
            _ if byte == quote && !triple => return (kind, at + 1),
            _ if byte == quote && rest.get(at..at + 3) == Some(&[quote; 3]) => {
                return (kind, at + 3);
            }
            _ => at += 1,
        }
    }
    (TokenKind::Unterminated, rest.len())
}

/// Returns a name in backticks, or a lone backtick.
fn escaped_ident(rest: &[u8]) -> (TokenKind, usize) {
    let len = count_from(rest, 1, |byte| {
        is_ident_byte(byte) || matches!(byte, b'.' | b'-' | b'/' | b' ')
    });
    if len > 0 && rest.get(len + 1) == Some(&b'`') {
        return (TokenKind::EscapedIdent, len + 2);
    }
    (TokenKind::Unknown, 1)
}

/// Returns a character that no token begins with, or a whole word with non-ASCII letters.
fn unknown(text: &str, at: usize) -> (TokenKind, usize) {
    let first = text.get(at..).and_then(|rest| rest.chars().next());
    let len = first.map_or(1, char::len_utf8);
    (TokenKind::Unknown, len.max(foreign_word_len(text, at)))
}

/// Returns the length of a word in which letters of every script count.
fn foreign_word_len(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or("");
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len())
}
