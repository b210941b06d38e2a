//! Flags and the beginnings of groups: `(?i)`, `(?i:`, `(?P<name>`.
//!
//! Upstream: Go, regexp/syntax/parse.go, `parsePerlFlags`.

use super::error::{Code, RegexError};

/// The flags that apply to the rest of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flags {
    /// `i`: upper and lower case are the same.
    pub(super) fold: bool,
    /// `m`: `^` and `$` match at lines.
    pub(super) lines: bool,
    /// `s`: `.` matches a line break.
    pub(super) dot_all: bool,
    /// `U`: `*` matches as little as possible, and `*?` as much as possible.
    pub(super) lazy: bool,
}

/// The construct that `(?` opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Opening {
    /// A group with a number.
    Capture,
    /// A group without one, in which other flags apply.
    Group(Flags),
    /// No group: other flags apply from here on.
    Flags(Flags),
}

impl Opening {
    /// Reads the group that begins at `(?`. Returns it and the string after it.
    pub(super) fn read(text: &str, flags: Flags) -> Result<(Self, &str), RegexError> {
        match read_name(text)? {
            Some(rest) => Ok((Self::Capture, rest)),
            None => read_flags(text, flags),
        }
    }
}

/// Returns the string after a name, if there is one.
fn read_name(text: &str) -> Result<Option<&str>, RegexError> {
    // For Go, a group that ends here has no name but unsupported flags.
    let named = text
        .strip_prefix("(?P<")
        .or_else(|| text.strip_prefix("(?<"))
        .filter(|inside| !inside.is_empty());
    let Some(inside) = named else {
        return Ok(None);
    };
    let Some((name, rest)) = inside.split_once('>') else {
        return Err(RegexError::new(Code::NamedCapture, text));
    };
    let is_name = |next: char| next == '_' || next.is_ascii_alphanumeric();
    if name.is_empty() || !name.chars().all(is_name) {
        let part = text.strip_suffix(rest).unwrap_or(text);
        return Err(RegexError::new(Code::NamedCapture, part));
    }
    Ok(Some(rest))
}

fn read_flags(text: &str, mut flags: Flags) -> Result<(Opening, &str), RegexError> {
    let mut chars = text.chars();
    chars.nth(1);
    let (mut value, mut saw_flag) = (true, false);
    while let Some(letter) = chars.next() {
        match letter {
            'i' => flags.fold = value,
            'm' => flags.lines = value,
            's' => flags.dot_all = value,
            'U' => flags.lazy = value,
            '-' if value => {
                (value, saw_flag) = (false, false);
                continue;
            }
            ':' if value || saw_flag => return Ok((Opening::Group(flags), chars.as_str())),
            ')' if value || saw_flag => return Ok((Opening::Flags(flags), chars.as_str())),
            _ => break,
        }
        saw_flag = true;
    }
    let part = text.strip_suffix(chars.as_str()).unwrap_or(text);
    Err(RegexError::new(Code::PerlSyntax, part))
}
