//! Positions in a text, for many offsets at once.
//!
//! A column is found by counting from the start of its line. That is cheap for the lines that
//! people write; in a line of megabytes with a thousand findings it would take minutes, so the
//! columns along such a line are counted once and kept.

use std::cell::RefCell;
use std::collections::HashMap;
use text::{Encoding, LineIndex, TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

/// Lines that are longer than this are counted in steps of this length, in bytes.
const STEP: usize = 4096;

/// Converts offsets of one text.
pub(super) struct Positions<'a> {
    text: &'a str,
    line_index: &'a LineIndex,
    encoding: Encoding,
    /// The columns at every [`STEP`] bytes of a long line, by line.
    long_lines: RefCell<HashMap<u32, Vec<Column>>>,
}

/// A position in a long line.
#[derive(Clone, Copy)]
struct Column {
    /// In bytes from the start of the text, between two characters.
    offset: usize,
    /// In the unit of the encoding.
    column: u32,
}

impl<'a> Positions<'a> {
    pub(super) fn new(text: &'a str, line_index: &'a LineIndex, encoding: Encoding) -> Self {
        Self {
            text,
            line_index,
            encoding,
            long_lines: RefCell::default(),
        }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn range(&self, range: TextRange) -> lsp::Range {
        lsp::Range::new(self.position(range.start()), self.position(range.end()))
    }

    pub(super) fn position(&self, offset: TextSize) -> lsp::Position {
        let line = self.line_index.line(offset);
        let bytes = self.line_index.line_range(line).unwrap_or_default();
        if usize::from(bytes.len()) <= STEP {
            let at = self.line_index.line_col(self.text, offset, self.encoding);
            return lsp::Position::new(at.line, at.col);
        }
        let offset = self.boundary(usize::from(offset));
        let mut long_lines = self.long_lines.borrow_mut();
        let columns = long_lines
            .entry(line)
            .or_insert_with(|| self.columns(bytes));
        let after = columns.partition_point(|known| known.offset <= offset);
        let known = columns.get(after.saturating_sub(1)).copied();
        let nearest = known.unwrap_or(Column {
            offset: usize::from(bytes.start()),
            column: 0,
        });
        let rest = self.text.get(nearest.offset..offset).unwrap_or_default();
        lsp::Position::new(line, nearest.column + width(rest, self.encoding))
    }

    fn columns(&self, line: TextRange) -> Vec<Column> {
        let (start, end) = (usize::from(line.start()), usize::from(line.end()));
        let mut last = Column {
            offset: start,
            column: 0,
        };
        let mut columns = vec![last];
        for step in (start + STEP..end).step_by(STEP) {
            let offset = self.boundary(step);
            let piece = self.text.get(last.offset..offset).unwrap_or_default();
            last = Column {
                offset,
                column: last.column + width(piece, self.encoding),
            };
            columns.push(last);
        }
        columns
    }

    /// Returns the start of the character at `offset`, or the end of the text.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn width(text: &str, encoding: Encoding) -> u32 {
    let width = match encoding {
        Encoding::Utf8 => text.len(),
        Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        Encoding::Utf32 => text.chars().count(),
    };
    u32::try_from(width).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_alike(text: &str, offset: u32) {
        let index = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let positions = Positions::new(text, &index, encoding);
            let at = positions.position(offset.into());
            let expected = index.line_col(text, offset.into(), encoding);
            assert_eq!((at.line, at.character), (expected.line, expected.col));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn long_lines_count_like_short_ones(
            piece in "[ab\u{e9}\u{1F600}]{1,9}",
            times in 1usize..3000,
            offset in 0u32..40_000,
        ) {
            let line = piece.repeat(times);
            assert_alike(&format!("x\r\n{line}\n{line}"), offset);
        }
    }

    #[test]
    fn both_ends_of_a_step_are_right() {
        let text = "😀".repeat(STEP);
        for offset in [0, 1, 4095, 4096, 4097, 8192, 16_383, 16_384, 20_000] {
            assert_alike(&text, offset);
        }
    }
}
