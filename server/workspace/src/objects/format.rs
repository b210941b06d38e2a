//! Detecting JSON and YAML by the first bytes.

use super::boundary::DASHES;
use super::position::BOM;
use memchr::memchr;

/// The format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Only white space and comments.
    Nothing,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
}

/// Returns the format of a string that starts at its [`content`]. YAML may also start with a brace,
/// but in JSON a quote follows.
pub(super) fn format(text: &[u8]) -> Format {
    let Some((first, rest)) = text.split_first() else {
        return Format::Nothing;
    };
    let second = rest.trim_ascii_start().first();
    match (first, second) {
        (b'{', None | Some(b'"' | b'}')) | (b'[', None | Some(b'{' | b']')) => Format::Json,
        _ => Format::Yaml,
    }
}

/// Returns the offset after white space, comments and `---` lines. An unterminated comment is also
/// skipped.
pub(super) fn content(text: &[u8], from: usize) -> usize {
    let mut at = from;
    if at == 0 && text.starts_with(BOM) {
        at = BOM.len();
    }
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_ascii_start();
        let begins_line = rest.len() == trimmed.len() && is_line(text, at)
            || is_line(text, at + rest.len() - trimmed.len());
        if !(trimmed.starts_with(b"#") || begins_line && trimmed.starts_with(DASHES)) {
            // The spaces before YAML are its indentation.
            return match format(trimmed) {
                Format::Yaml => line_start(text, at, rest.len() - trimmed.len()),
                Format::Json | Format::Nothing => at + rest.len() - trimmed.len(),
            };
        }
        let line = memchr(b'\n', trimmed).map_or(trimmed.len(), |end| end + 1);
        at += rest.len() - trimmed.len() + line;
    }
}

/// Returns whether a line starts at an offset.
fn is_line(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.is_empty() || before == BOM || before.ends_with(b"\n")
}

/// Returns the start of the line of the text after some white space, but not an offset before the
/// white space.
fn line_start(text: &[u8], at: usize, blanks: usize) -> usize {
    let skipped = text.get(at..at + blanks).unwrap_or_default();
    let last = memchr::memrchr(b'\n', skipped);
    last.map_or(at, |last| at + last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: (Format, &str)) {
        let bytes = text.as_bytes();
        let at = content(bytes, 0);
        assert_eq!((format(&bytes[at..]), text.get(at..).unwrap()), expected);
    }

    #[test]
    fn the_first_bytes_decide() {
        check("{\"a\": 1}", (Format::Json, "{\"a\": 1}"));
        check("\u{FEFF}\r\n {\n}", (Format::Json, "{\n}"));
        check("[{}]", (Format::Json, "[{}]"));
        check("{a: 1}", (Format::Yaml, "{a: 1}"));
        check("a: 1", (Format::Yaml, "a: 1"));
        check("- a", (Format::Yaml, "- a"));
    }

    #[test]
    fn what_is_before_the_content_is_passed() {
        check(
            "# {\n\n---\r\n# b\n{\"a\": 1}",
            (Format::Json, "{\"a\": 1}"),
        );
        check("--- # c\n\n  a: 1\n", (Format::Yaml, "  a: 1\n"));
        check("\n ---\n", (Format::Yaml, " ---\n"));
        check("", (Format::Nothing, ""));
        check(" \n# c", (Format::Nothing, ""));
        check("---", (Format::Nothing, ""));
    }
}
