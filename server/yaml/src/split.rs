//! The documents of a file as Kubernetes splits it.
//!
//! The splitter checks only the beginnings of lines and does not parse YAML. It runs before the
//! parser, here as in Kubernetes, so that an error never extends past a `---` and a caller can skip
//! documents without parsing them.
//!
//! Upstream: apimachinery, pkg/util/yaml/decoder.go, YAMLReader.Read.

use crate::decode::range;
use memchr::memmem;
use text::TextRange;

/// Returns the documents of `text`: the parts between the lines that begin with `---`. Blank
/// documents are left out.
pub fn split(text: &str) -> impl Iterator<Item = TextRange> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        loop {
            let start = next?;
            let end;
            (end, next) = end_of_document(text, start);
            let part = text.get(start..end).unwrap_or("");
            if !part.trim_start_matches('\u{FEFF}').trim_ascii().is_empty() {
                return Some(range(start, end));
            }
        }
    })
}

/// Returns the end of the document that begins at `start`, and the beginning of the next.
fn end_of_document(text: &str, start: usize) -> (usize, Option<usize>) {
    let rest = text.get(start..).unwrap_or("");
    let separator = if rest.trim_start_matches('\u{FEFF}').starts_with("---") {
        Some(0)
    } else {
        memmem::find(rest.as_bytes(), b"\n---").map(|line| line + 1)
    };
    let Some(separator) = separator.map(|separator| start + separator) else {
        return (text.len(), None);
    };
    let line = text.get(separator..).unwrap_or("");
    let next = line
        .find('\n')
        .map_or(text.len(), |end| separator + end + 1);
    (separator, Some(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let parts: Vec<&str> = split(text)
            .map(|range| text.get(range.start().into()..range.end().into()).unwrap())
            .collect();
        assert_eq!(parts, expected, "{text:?}");
    }

    #[test]
    fn lines_that_begin_with_dashes_separate() {
        check("a: 1\n---\nb: 2\n", &["a: 1\n", "b: 2\n"]);
        check("---\na: 1\n--- # c\r\nb: 2", &["a: 1\n", "b: 2"]);
        check("a: 1\n----\nb: 2\n---", &["a: 1\n", "b: 2\n"]);
        check("\u{FEFF}---\na: 1\n", &["a: 1\n"]);
    }

    #[test]
    fn dashes_within_a_line_do_not() {
        check("a: ---\n b: ---\n ---\n", &["a: ---\n b: ---\n ---\n"]);
    }

    #[test]
    fn blank_documents_are_left_out() {
        check("", &[]);
        check("---\n---\n \r\n---\n", &[]);
        check("# c\n---\n", &["# c\n"]);
    }
}
