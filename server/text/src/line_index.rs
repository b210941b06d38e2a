//! Lines and columns.
//!
//! Editors use lines and columns, and each counts columns in units of its own. The index is
//! built once for a text and supports every unit. A line ends at `\n`, `\r\n` or a lone `\r`,
//! as the Language Server Protocol defines it; the text itself is never changed.

use crate::{TextRange, TextSize};

/// The unit in which a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: a character outside the basic plane counts two.
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

/// The offsets at which the lines of a text begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The first byte of every line; the first is 0.
    starts: Vec<TextSize>,
    len: TextSize,
}

impl LineIndex {
    /// Returns the index of `text`. A text of 4 GiB or more is indexed up to there.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![TextSize::new(0)];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(size(at + 1));
            }
        }
        Self {
            starts,
            len: size(text.len()),
        }
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
        let before = text.get(usize::from(start)..end).unwrap_or("");
        LineCol {
            line,
            col: width(before, encoding),
        }
    }

    /// Returns the offset of a position in `text`, which must be the text of this index. A
    /// column past the end of its line counts as the end, one inside a character as its start.
    /// `None` when there is no such line.
    #[must_use]
    pub fn offset(&self, text: &str, at: LineCol, encoding: Encoding) -> Option<TextSize> {
        let content = self.line_content(text, at.line)?;
        let (start, end) = (usize::from(content.start()), usize::from(content.end()));
        let mut rest = at.col;
        let mut offset = start;
        for character in text.get(start..end)?.chars() {
            let units = units(character, encoding);
            if rest < units {
                break;
            }
            rest -= units;
            offset += character.len_utf8();
        }
        Some(size(offset))
    }
}

fn size(bytes: usize) -> TextSize {
    TextSize::new(u32::try_from(bytes).unwrap_or(u32::MAX))
}

fn width(text: &str, encoding: Encoding) -> u32 {
    let count = match encoding {
        Encoding::Utf8 => text.len(),
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

    proptest! {
        #[test]
        fn positions_return_to_their_offset(text in "[ab\r\n\u{e9}\u{1F600}]{0,40}", at in 0usize..60) {
            let index = LineIndex::new(&text);
            let Some(at) = text.char_indices().map(|(at, _)| at).nth(at) else { return Ok(()) };
            // The `\n` of `\r\n` has no column of its own.
            prop_assume!(!(text[at..].starts_with('\n') && text[..at].ends_with('\r')));
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let position = index.line_col(&text, size(at), encoding);
                prop_assert_eq!(index.offset(&text, position, encoding), Some(size(at)));
            }
        }
    }
}
