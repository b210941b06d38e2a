//! Plain and quoted scalars: line breaks fold to spaces, and quotes allow escapes.

use super::Sink;
use super::escape::escape;
use crate::chars::{Break, break_at, is_blank};
use text::TextRange;

/// Decodes a plain scalar.
pub(crate) fn plain(text: &str, content: TextRange, sink: &mut impl Sink) {
    fold(text, content, None, sink);
}

/// Decodes the content of `'…'`, where `''` is one quote.
pub(crate) fn single_quoted(text: &str, content: TextRange, sink: &mut impl Sink) {
    fold(text, content, Some(b'\''), sink);
}

/// Decodes the content of `"…"`, where `\` begins an escape.
pub(crate) fn double_quoted(text: &str, content: TextRange, sink: &mut impl Sink) {
    fold(text, content, Some(b'\\'), sink);
}

/// Walks over `content` and folds line breaks. `special` is the byte that is not copied
/// verbatim.
fn fold(text: &str, content: TextRange, special: Option<u8>, sink: &mut impl Sink) {
    let end = usize::from(content.end()).min(text.len());
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let mut at = usize::from(content.start());
    let mut run = at;
    while let Some(&byte) = bytes.get(at) {
        if is_blank(byte) || break_at(bytes, at).is_some() {
            let space = at;
            let folded = Folded::read(bytes, at);
            at = folded.end;
            if folded.first.is_some() {
                sink.verbatim(run, space);
                folded.write(bytes, sink);
                run = at;
            }
        } else if special != Some(byte) {
            at += 1;
        } else {
            sink.verbatim(run, at);
            at = replace(text, bytes, at, sink);
            run = at;
        }
    }
    sink.verbatim(run, end);
}

/// Processes the special byte at `at`, and returns the offset after it.
fn replace(text: &str, bytes: &[u8], at: usize, sink: &mut impl Sink) -> usize {
    if bytes.get(at) == Some(&b'\'') {
        let end = (at + 2).min(bytes.len());
        sink.replaced(at, end, "'");
        return end;
    }
    let Some(line) = break_at(bytes, at + 1) else {
        return escape(text, bytes, at, sink);
    };
    // A backslash at the end of a line: the break and the indentation are dropped, but empty
    // lines are kept.
    let folded = Folded::read(bytes, line.end);
    folded.write_all(bytes, sink);
    folded.end
}

/// A run of blanks and line breaks.
struct Folded {
    first: Option<Break>,
    start: usize,
    end: usize,
}

impl Folded {
    fn read(bytes: &[u8], start: usize) -> Self {
        let mut folded = Folded {
            first: None,
            start,
            end: start,
        };
        loop {
            if let Some(line) = break_at(bytes, folded.end) {
                folded.first.get_or_insert(line);
                folded.end = line.end;
            } else if bytes.get(folded.end).copied().is_some_and(is_blank) {
                folded.end += 1;
            } else {
                return folded;
            }
        }
    }

    /// Writes one break as a space; of several, drops the first and keeps the others. Unicode
    /// separators are always kept.
    fn write(&self, bytes: &[u8], sink: &mut impl Sink) {
        let Some(first) = self.first else {
            return;
        };
        if first.is_separator() {
            first.write(sink);
        }
        if !write_breaks(bytes, first.end, self.end, sink) && !first.is_separator() {
            sink.replaced(first.start, first.end, " ");
        }
    }

    fn write_all(&self, bytes: &[u8], sink: &mut impl Sink) {
        write_breaks(bytes, self.start, self.end, sink);
    }
}

/// Writes the line breaks between two offsets and returns whether there were any.
pub(super) fn write_breaks(bytes: &[u8], start: usize, end: usize, sink: &mut impl Sink) -> bool {
    let mut at = start;
    let mut any = false;
    while at < end {
        match break_at(bytes, at) {
            Some(line) => {
                line.write(sink);
                at = line.end;
                any = true;
            }
            None => at += 1,
        }
    }
    any
}
