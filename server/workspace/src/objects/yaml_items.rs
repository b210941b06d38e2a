//! The items of a YAML list, as kubectl writes it.
//!
//! A list of all pods of a cluster is one document of gigabytes. Its `items:` are a block sequence
//! whose dashes have the same indentation, so that each entry ends at the next line with a dash
//! there. Nothing else within an entry can begin at that column.

use super::boundary::DASHES;
use super::scan::ListHead;
use memchr::memchr;

/// Returns the start of the next entry after an offset, for dashes with this indentation.
pub(super) fn next(text: &[u8], from: usize, indent: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at = line_after(text, at)?;
        if is_entry(text.get(at..)?, indent) {
            return Some(at);
        }
    }
}

/// Returns the start of the last entry in a text, unless it is the first.
pub(super) fn last(text: &[u8], indent: usize) -> Option<usize> {
    let mut lines = memchr::memrchr_iter(b'\n', text).map(|end| end + 1);
    lines.find(|line| {
        let rest = text.get(*line..).unwrap_or_default();
        is_entry(rest, indent)
    })
}

/// Returns the end of the list after an offset: a line that does not belong to it.
pub(super) fn end(text: &[u8], from: usize, indent: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let line = text.get(at..)?;
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        let ends = match line.get(blanks) {
            None => return None,
            Some(b'\n' | b'\r' | b'#') => false,
            Some(_) if line.starts_with(DASHES) => true,
            Some(b'-') => blanks < indent,
            Some(_) => blanks <= indent,
        };
        if ends {
            return Some(at);
        }
        at = line_after(text, at)?;
    }
}

/// Returns the type of the list, the indentation of the dashes and the offset of the first entry.
/// `None` if the text is not such a list.
pub(super) fn start(text: &[u8]) -> Option<(ListHead, usize, usize)> {
    let mut head = ListHead::default();
    let mut at = 0;
    loop {
        let line = text.get(at..)?;
        let next = line_after(text, at)?;
        if is_items(text.get(at..next)?) {
            let (first, indent) = first_entry(text, next)?;
            return Some((head, indent, first));
        }
        head.line(line);
        at = next;
    }
}

/// Returns the first entry after an offset, and its indentation.
fn first_entry(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let line = text.get(at..)?;
        let blanks = line.iter().take_while(|byte| **byte == b' ').count();
        match line.get(blanks)? {
            b'\n' | b'\r' | b'#' => at = line_after(text, at)?,
            _ => return is_entry(line, blanks).then_some((at, blanks)),
        }
    }
}

fn is_items(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"items:") else {
        return false;
    };
    matches!(rest.trim_ascii_start().first(), None | Some(b'#'))
}

fn is_entry(line: &[u8], indent: usize) -> bool {
    let blanks = line.get(..indent);
    blanks.is_some_and(|blanks| blanks.iter().all(|byte| *byte == b' '))
        && line.get(indent) == Some(&b'-')
        && matches!(line.get(indent + 1), Some(b' ' | b'\n' | b'\r'))
}

fn line_after(text: &[u8], at: usize) -> Option<usize> {
    memchr(b'\n', text.get(at..)?).map(|end| at + end + 1)
}

impl ListHead {
    /// Takes the type from a line of YAML that is not indented.
    pub(super) fn line(&mut self, text: &[u8]) {
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let value = |field: &[u8]| {
            let value = line.strip_prefix(field)?;
            let stream = yaml::parse(std::str::from_utf8(value).ok()?.into());
            let root = stream.documents().next()?.root()?;
            root.as_str().map(str::to_owned)
        };
        if let Some(kind) = value(b"kind:") {
            self.kind = Some(kind);
        } else if let Some(api_version) = value(b"apiVersion:") {
            self.api_version = Some(api_version);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "apiVersion: v1\n# c\nitems: # i\n\n- a: |\n    - b\n    x\n-\n  a: 2\n\n# c\n- a: 3\nkind: \"PodList\"\n";

    #[test]
    fn entries_begin_at_their_dashes() {
        let text = LIST.as_bytes();
        let (head, indent, first) = start(text).unwrap();
        assert_eq!(head.api_version.as_deref(), Some("v1"));
        assert_eq!((head.kind, indent), (None, 0));
        assert!(text[first..].starts_with(b"- a: |"));
        let second = next(text, first, indent).unwrap();
        assert!(text[second..].starts_with(b"-\n  a: 2"));
        let third = next(text, second, indent).unwrap();
        assert!(text[third..].starts_with(b"- a: 3"));
        assert_eq!(next(text, third, indent), None);
        assert_eq!(last(text, indent), Some(third));
        let end = end(text, first, indent).unwrap();
        let mut head = ListHead::default();
        head.line(&text[end..]);
        assert_eq!(head.kind.as_deref(), Some("PodList"));
    }

    #[test]
    fn dashes_may_be_indented() {
        let text =
            "items:\r\n  - a: 1\r\n    b:\r\n    - c\r\n  - a: 2\r\nkind: List\r\n".as_bytes();
        let (_, indent, first) = start(text).unwrap();
        assert_eq!((indent, first), (2, 8));
        let second = next(text, first, indent).unwrap();
        assert!(text[second..].starts_with(b"  - a: 2"));
        assert!(text[end(text, first, indent).unwrap()..].starts_with(b"kind"));
    }

    #[test]
    fn what_is_written_otherwise_is_no_list() {
        for text in [
            "items: [{a: 1}]\n",
            "items:\n  a: 1\n",
            "spec:\n  items:\n  - a\n",
            "items:\n",
        ] {
            assert_eq!(start(text.as_bytes()), None, "{text}");
        }
    }
}
