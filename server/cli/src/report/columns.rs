//! Lines and columns as people and programs count them.
//!
//! An editor counts both from 0 and in its own unit; a report begins at 1 and shows several units.

use super::Source;
use text::{Encoding, LineCol, TextRange, TextSize};

/// The byte order mark.
const MARK: char = '\u{feff}';

/// A position in a file. Lines and columns begin at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The line.
    pub(crate) line: u32,
    /// The column in characters.
    pub(crate) column: u32,
    /// The column in UTF-16 code units.
    pub(crate) utf16: u32,
    /// The offset in bytes, beginning at 0.
    pub(crate) offset: u32,
}

/// The two ends of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The first character.
    pub(crate) start: Position,
    /// The position after the last character.
    pub(crate) end: Position,
}

impl Region {
    /// Returns a position in another file, whose columns are counted already.
    pub(crate) fn elsewhere(place: &ide::Location) -> Self {
        let at = |count: &dyn Fn(Encoding) -> LineCol, offset: TextSize| Position {
            line: count(Encoding::Utf32).line + 1,
            column: count(Encoding::Utf32).col + 1,
            utf16: count(Encoding::Utf16).col + 1,
            offset: offset.into(),
        };
        Self {
            start: at(&|encoding| place.start(encoding), place.range.start()),
            end: at(&|encoding| place.end(encoding), place.range.end()),
        }
    }
}

impl Source {
    /// Returns the positions of a range.
    pub(crate) fn region(&self, range: TextRange) -> Region {
        Region {
            start: self.position(range.start()),
            end: self.position(range.end()),
        }
    }

    /// Returns the position of an offset.
    fn position(&self, offset: TextSize) -> Position {
        let text: &str = &self.text;
        let offset = boundary(text, usize::from(offset));
        let size = TextSize::new(u32::try_from(offset).unwrap_or(u32::MAX));
        let at = |encoding| self.lines.line_col(text, size, encoding);
        // Editors do not count a byte order mark as a character.
        let is_marked = offset > 0 && at(Encoding::Utf32).line == 0 && text.starts_with(MARK);
        let column = |encoding| at(encoding).col + 1 - u32::from(is_marked);
        Position {
            line: at(Encoding::Utf32).line + 1,
            column: column(Encoding::Utf32),
            utf16: column(Encoding::Utf16),
            offset: u32::from(size),
        }
    }
}

/// Returns the nearest start of a character at or before `offset`.
pub(crate) fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new(text.into())
    }

    #[track_caller]
    fn check(text: &str, ranges: &[(u32, u32)], expected: &[&str]) {
        let source = source(text);
        let actual: Vec<String> = ranges
            .iter()
            .map(|(start, end)| TextRange::new((*start).into(), (*end).into()))
            .map(|range| source.region(range))
            .map(|Region { start, end }| {
                format!(
                    "{}:{}/{}-{}:{}/{}",
                    start.line, start.column, start.utf16, end.line, end.column, end.utf16
                )
            })
            .collect();
        assert_eq!(actual, expected);
    }

    #[test]
    fn both_units_are_counted() {
        check(
            "a: 😀é x\r\nb",
            &[(0, 1), (3, 9), (10, 13)],
            &["1:1/1-1:2/2", "1:4/4-1:6/7", "1:7/8-2:1/1"],
        );
    }

    #[test]
    fn ranges_in_any_order_give_the_same_places() {
        let text = "😀😀😀\n😀é\n";
        check(
            text,
            &[(4, 8), (0, 8), (13, 17), (17, 19), (4, 4)],
            &[
                "1:2/3-1:3/5",
                "1:1/1-1:3/5",
                "2:1/1-2:2/3",
                "2:2/3-2:3/4",
                "1:2/3-1:2/3",
            ],
        );
    }

    #[test]
    fn a_byte_order_mark_is_not_counted() {
        check(
            "\u{feff}a: b",
            &[(3, 4), (6, 7)],
            &["1:1/1-1:2/2", "1:4/4-1:5/5"],
        );
    }

    #[test]
    fn offsets_outside_of_the_text_are_its_end() {
        check("é", &[(1, 99)], &["1:1/1-1:2/2"]);
    }
}
