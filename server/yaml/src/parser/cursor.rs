//! A position in a document, and the text at it.

use crate::chars::{Break, break_at, is_blank, line_end};

/// A byte order mark in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The columns that a tab counts in the indentation, where it is an error: one step of the usual
/// indentation, so that what follows is at the expected column.
const TAB_WIDTH: usize = 2;

/// A position in the bytes of a file, up to the end of one document.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    /// The first byte of the line.
    pub(super) line: usize,
    /// Columns that tabs add to the bytes before the position.
    widened: usize,
}

impl<'a> Cursor<'a> {
    /// Returns the position `at`, which begins a line, in `bytes`.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at,
            line: at,
            widened: 0,
        }
    }

    pub(super) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    #[inline]
    pub(super) fn byte(self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub(super) fn ahead(self, count: usize) -> Option<u8> {
        self.bytes.get(self.at + count).copied()
    }

    pub(super) fn is_end(self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(super) fn starts_with(self, text: &[u8]) -> bool {
        self.bytes
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(text))
    }

    /// Returns whether a blank, a line break or the end is `count` bytes ahead.
    #[inline]
    pub(super) fn is_blank_ahead(self, count: usize) -> bool {
        is_blank_or_end(self.bytes, self.at + count)
    }

    /// Returns whether the byte here is `indicator` followed by a blank or the end, as in `- `
    /// and `: `.
    #[inline]
    pub(super) fn is_indicator(self, indicator: u8) -> bool {
        self.byte() == Some(indicator) && self.is_blank_ahead(1)
    }

    pub(super) fn line_break(self) -> Option<Break> {
        break_at(self.bytes, self.at)
    }

    /// Returns whether the line ends here.
    pub(super) fn is_line_end(self) -> bool {
        self.is_end() || self.line_break().is_some()
    }

    /// Returns whether a line with `---` or `...` begins here, which ends the document.
    pub(super) fn is_document_mark(self) -> bool {
        self.at == self.line
            && (self.starts_with(b"---") || self.starts_with(b"..."))
            && self.is_blank_ahead(3)
    }

    /// Returns the column, beginning at 0.
    #[inline]
    pub(super) fn column(self) -> i32 {
        i32::try_from(self.at - self.line + self.widened).unwrap_or(i32::MAX)
    }

    /// Returns the column of the first text in the line.
    pub(super) fn indentation(self) -> i32 {
        let mut look = self;
        look.at = self.line;
        look.widened = 0;
        look.skip_blanks();
        look.column()
    }

    /// Skips spaces and tabs.
    pub(super) fn skip_blanks(&mut self) {
        while self.byte().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// Skips spaces.
    #[inline]
    pub(super) fn skip_spaces(&mut self) {
        while self.byte() == Some(b' ') {
            self.at += 1;
        }
    }

    /// Skips blanks in the indentation, where tabs count as wide as they look.
    pub(super) fn skip_wide_blanks(&mut self) {
        while let Some(byte) = self.byte().filter(|byte| is_blank(*byte)) {
            self.widened += if byte == b'\t' { TAB_WIDTH - 1 } else { 0 };
            self.at += 1;
        }
    }

    /// Goes to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.at = line_end(self.bytes, self.at);
    }

    /// Skips a line break, if there is one here.
    pub(super) fn skip_break(&mut self) -> bool {
        let Some(line) = self.line_break() else {
            return false;
        };
        self.at = line.end;
        self.begin_line();
        true
    }

    /// Marks this position as the beginning of a line.
    pub(super) fn begin_line(&mut self) {
        self.line = self.at;
        self.widened = 0;
    }
}

/// Returns whether a blank, a line break or the end is at `at`.
#[inline]
pub(super) fn is_blank_or_end(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        None => true,
        Some(&byte) => is_blank(byte) || break_at(bytes, at).is_some(),
    }
}
