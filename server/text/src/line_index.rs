//! Lines and columns.
//!
//! Editors use lines and columns, and each counts columns in its own unit. The index is built once
//! for a document and supports every unit. A line ends at `\n`, `\r\n` or a lone `\r`, as the
//! Language Server Protocol defines it; the text itself is never changed.
//!
//! A column is found by counting from the start of its line. In a line of megabytes with a
//! thousand findings that would take minutes, so the index keeps some columns of long lines.

use crate::{TextRange, TextSize};

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: a character outside the basic plane counts as two.
    Utf16,
    /// Characters.
    Utf32,
}

/// A position as an editor counts it. Both numbers begin at 0; the unit of `col` is that of the
/// requested [`Encoding`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct LineCol {
    /// The line.
    pub line: u32,
    /// The column.
    pub col: u32,
}

/// The columns of a line are kept about every this many bytes.
const STEP: usize = 4096;

/// A position in a line that is longer than [`STEP`], between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    offset: TextSize,
    /// The columns in UTF-16 code units and in characters.
    utf16: u32,
    utf32: u32,
}

/// The offsets at which the lines of a text begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The first byte of every line; the first is 0.
    starts: Vec<TextSize>,
    /// In the order of the text. Lines that are not long have none.
    marks: Vec<Mark>,
    len: TextSize,
}

impl LineIndex {
    /// Returns the index of `text`. A longer text is indexed up to 4 GiB.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![TextSize::new(0)];
        let bytes = text.as_bytes();
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_half = bytes.get(at..at + 2) == Some(b"\r\n");
            if !is_half {
                starts.push(size(at + 1));
            }
        }
        let mut index = Self {
            starts,
            marks: Vec::new(),
            len: size(text.len()),
        };
        index.marks = index.marks(text);
        index
    }

    /// Returns the number of lines; an empty text has one.
    #[must_use]
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    /// Returns the line of `offset`, beginning at 0. An offset past the end is on the last
    /// line.
    #[must_use]
    pub fn line(&self, offset: TextSize) -> u32 {
        let after = self.starts.partition_point(|start| *start <= offset);
        u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Returns the bytes of a line with its line ending, if there is such a line.
    #[must_use]
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        let start = *self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).copied();
        Some(TextRange::new(start, end.unwrap_or(self.len)))
    }

    /// Returns the bytes of a line without its line ending, if there is such a line.
    #[must_use]
    pub fn line_content(&self, text: &str, line: u32) -> Option<TextRange> {
        let range = self.line_range(line)?;
        let slice = text.get(usize::from(range.start())..usize::from(range.end()))?;
        let content = slice.trim_end_matches(['\n', '\r']);
        Some(TextRange::at(range.start(), size(content.len())))
    }

    /// Returns the position of `offset` in `text`, which must be the text of this index. An
    /// offset inside a character counts as its start, one past the end as the end.
    #[must_use]
    pub fn line_col(&self, text: &str, offset: TextSize, encoding: Encoding) -> LineCol {
        let offset = offset.min(self.len);
        let line = self.line(offset);
        let start = self.starts.get(line as usize).copied().unwrap_or_default();
        let mut end = usize::from(offset);
        while end > 0 && !text.is_char_boundary(end) {
            end -= 1;
        }
        let known = self.last_mark(start, |mark| usize::from(mark.offset) <= end);
        let before = text.get(usize::from(known.offset)..end).unwrap_or("");
        LineCol {
            line,
            col: known.column(start, encoding) + width(before, encoding),
        }
    }

    /// Returns the offset of a position in `text`, which must be the text of this index. A
    /// column past the end of its line counts as the end, one inside a character as its start.
    /// `None` when there is no such line.
    #[must_use]
    pub fn offset(&self, text: &str, at: LineCol, encoding: Encoding) -> Option<TextSize> {
        let content = self.line_content(text, at.line)?;
        let end = usize::from(content.end());
        let known = self.last_mark(content.start(), |mark| {
            mark.offset <= content.end() && mark.column(content.start(), encoding) <= at.col
        });
        let mut rest = at.col - known.column(content.start(), encoding);
        let mut offset = usize::from(known.offset);
        for character in text.get(offset..end)?.chars() {
            let units = units(character, encoding);
            if rest < units {
                break;
            }
            rest -= units;
            offset += character.len_utf8();
        }
        Some(size(offset))
    }

    /// Returns the last mark of the line that begins at `start` for which `is_before` holds, or the
    /// start of the line. `is_before` holds for the first marks of the line.
    fn last_mark(&self, start: TextSize, is_before: impl Fn(&Mark) -> bool) -> Mark {
        let is_before = |mark: &Mark| mark.offset <= start || is_before(mark);
        let after = self.marks.partition_point(is_before);
        let last = after.checked_sub(1).and_then(|at| self.marks.get(at));
        let in_line = last.filter(|mark| mark.offset > start);
        in_line.copied().unwrap_or(Mark {
            offset: start,
            utf16: 0,
            utf32: 0,
        })
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        let ends = self.starts.iter().skip(1).chain([&self.len]);
        for (start, end) in self.starts.iter().zip(ends) {
            let mut last = Mark {
                offset: *start,
                utf16: 0,
                utf32: 0,
            };
            while usize::from(*end - last.offset) > STEP {
                let from = usize::from(last.offset);
                let mut to = from + STEP;
                while !text.is_char_boundary(to) {
                    to -= 1;
                }
                let piece = text.get(from..to).unwrap_or_default();
                last = Mark {
                    offset: size(to),
                    utf16: last.utf16 + width(piece, Encoding::Utf16),
                    utf32: last.utf32 + width(piece, Encoding::Utf32),
                };
                marks.push(last);
            }
        }
        marks
    }
}

impl Mark {
    /// Returns the column, in a line that begins at `start`.
    fn column(self, start: TextSize, encoding: Encoding) -> u32 {
        match encoding {
            Encoding::Utf8 => u32::from(self.offset - start),
            Encoding::Utf16 => self.utf16,
            Encoding::Utf32 => self.utf32,
        }
    }
}

fn size(bytes: usize) -> TextSize {
    TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX))
}

fn width(text: &str, encoding: Encoding) -> u32 {
    let count = match encoding {
        Encoding::Utf8 => text.len(),
        // Nearly all lines are ASCII, where the units are equal.
        _ if text.is_ascii() => text.len(),
        Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        Encoding::Utf32 => text.chars().count(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn units(character: char, encoding: Encoding) -> u32 {
    let count = match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf32 => 1,
    };
    u32::try_from(count).unwrap_or(1)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "the offsets come from `char_indices`")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_line_ending_counts_once() {
        let index = LineIndex::new("a\nb\r\nc\rd");
        assert_eq!(index.line_count(), 4);
        assert_eq!(index.line(TextSize::new(3)), 1);
        assert_eq!(index.line(TextSize::new(5)), 2);
        assert_eq!(index.line(TextSize::new(7)), 3);
    }

    #[test]
    fn columns_count_in_the_unit_asked_for() {
        let text = "x: é😀!";
        let index = LineIndex::new(text);
        let at = TextSize::of("x: é😀");
        let col = |encoding| index.line_col(text, at, encoding).col;
        assert_eq!(col(Encoding::Utf8), 9);
        assert_eq!(col(Encoding::Utf16), 6);
        assert_eq!(col(Encoding::Utf32), 5);
    }

    #[test]
    fn a_column_past_the_line_is_its_end() {
        let text = "ab\r\ncd";
        let index = LineIndex::new(text);
        let at = |line, col| index.offset(text, LineCol { line, col }, Encoding::Utf16);
        assert_eq!(at(0, 99), Some(TextSize::new(2)));
        assert_eq!(at(1, 1), Some(TextSize::new(5)));
        assert_eq!(at(2, 0), None);
    }

    #[test]
    fn a_column_inside_a_character_is_its_start() {
        let text = "😀a";
        let index = LineIndex::new(text);
        let at = LineCol { line: 0, col: 1 };
        assert_eq!(
            index.offset(text, at, Encoding::Utf16),
            Some(TextSize::new(0))
        );
    }

    #[test]
    fn a_long_line_is_not_counted_again_for_every_column() {
        let text = "é".repeat(1 << 20);
        let index = LineIndex::new(&text);
        let started = std::time::Instant::now();
        for at in (0..text.len()).step_by(401) {
            let position = index.line_col(&text, size(at), Encoding::Utf32);
            assert_eq!(position.col as usize, at / 2);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn both_ends_of_a_step_are_right() {
        let text = format!("x\r\n{}\n{}", "é😀".repeat(STEP / 2), "a".repeat(STEP + 1));
        let index = LineIndex::new(&text);
        for (at, _) in text.char_indices().skip(3).step_by(37) {
            let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let position = index.line_col(&text, size(at), encoding);
                assert_eq!(position.col, width(&text[line..at], encoding), "{at}");
                assert_eq!(index.offset(&text, position, encoding), Some(size(at)));
            }
        }
    }

    proptest! {
        #[test]
        fn positions_return_to_their_offset(text in "[ab\r\n\u{e9}\u{1F600}]{0,40}", at in 0usize..60) {
            let index = LineIndex::new(&text);
            let Some(at) = text.char_indices().map(|(at, _)| at).nth(at) else { return Ok(()) };
            // The `\n` of `\r\n` has no column.
            prop_assume!(!(text[at..].starts_with('\n') && text[..at].ends_with('\r')));
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let position = index.line_col(&text, size(at), encoding);
                prop_assert_eq!(index.offset(&text, position, encoding), Some(size(at)));
            }
        }
    }
}
