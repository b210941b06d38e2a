//! The boundaries between values, found without parsing.
//!
//! A `}` and a `{` with only white space between them never occur within JSON, and a JSON string
//! has no line breaks. So a line that starts with `{` after a `}` starts a value, and one that
//! starts with `---` ends a YAML document. Both can be found from any offset, which makes a large
//! text divisible. They also hold for invalid values: an error in one does not affect the next.

use memchr::{memchr_iter, memrchr_iter};

/// The separator of YAML documents.
pub(super) const DASHES: &[u8] = b"---";

/// Returns the start of the last value in a text, unless it is the first.
pub(super) fn last(text: &[u8]) -> Option<usize> {
    memrchr_iter(b'\n', text)
        .map(|end| end + 1)
        .find(|line| is_boundary(text, *line))
}

/// Returns the start of the next value after an offset.
pub(super) fn next(text: &[u8], from: usize) -> Option<usize> {
    lines(text, from).find(|line| is_boundary(text, *line))
}

/// Returns the next line after an offset that starts with `{`, regardless of what precedes it.
/// Reading continues there after an error.
pub(super) fn next_brace(text: &[u8], from: usize) -> Option<usize> {
    lines(text, from).find(|line| text.get(*line) == Some(&b'{'))
}

/// Returns the starts of the lines after an offset.
fn lines(text: &[u8], from: usize) -> impl Iterator<Item = usize> + '_ {
    let rest = text.get(from..).unwrap_or_default();
    memchr_iter(b'\n', rest).map(move |end| from + end + 1)
}

fn is_boundary(text: &[u8], line: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(line) else {
        return false;
    };
    match after.first() {
        Some(b'-') => after.starts_with(DASHES),
        Some(b'{') => before.trim_ascii_end().last() == Some(&b'}'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        let text = text.as_bytes();
        let mut found = Vec::new();
        while let Some(at) = next(text, found.last().copied().unwrap_or(0)) {
            found.push(at);
        }
        assert_eq!(found, expected);
        assert_eq!(last(text), expected.last().copied());
    }

    #[test]
    fn values_and_documents_begin_at_lines() {
        check("{}\n{}\r\n\n{}\n", &[3, 8]);
        check("a: 1\n---\nb: 1\n--- # c\n", &[5, 14]);
        check("{\n  \"a\": {}\n}\n{\"b\": 1}\n---\na: 1\n", &[14, 23]);
    }

    #[test]
    fn what_is_within_a_value_is_no_start() {
        check("{\"a\": [\n{},\n{}\n]\n}\n", &[]);
        check("a: |\n  {}\n  {}\n  ---\n", &[]);
        check("a: 1\n--", &[]);
    }

    #[test]
    fn reading_goes_on_at_a_line_with_a_brace() {
        assert_eq!(next_brace(b"{\"a\": 1\n{}\n", 0), Some(8));
        assert_eq!(next_brace(b"{\"a\": 1\n{}\n", 8), None);
    }
}
