//! Positions in a text that is never in memory as a whole.

use memchr::{memchr_iter, memrchr};

/// A position in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamPosition {
    /// The offset in bytes, starting at 0.
    pub offset: u64,
    /// The line, starting at 1.
    pub line: u64,
    /// The column in characters, starting at 1. A byte order mark does not count.
    pub column: u64,
}

impl StreamPosition {
    /// The start of a stream.
    pub(super) const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };

    /// Returns the position after some bytes that start here.
    pub(super) fn after(self, bytes: &[u8]) -> Self {
        let lines = memchr_iter(b'\n', bytes).count();
        let (column, rest) = match memrchr(b'\n', bytes) {
            Some(last) => (1, bytes.get(last + 1..).unwrap_or_default()),
            None => (self.column, bytes),
        };
        let rest = match self.offset {
            0 if lines == 0 => rest.strip_prefix(BOM).unwrap_or(rest),
            _ => rest,
        };
        Self {
            offset: self.offset + bytes.len() as u64,
            line: self.line + lines as u64,
            column: column + rest.iter().filter(|byte| is_first(**byte)).count() as u64,
        }
    }
}

/// The byte order mark of UTF-8.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Returns whether a byte is the first of a character.
fn is_first(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, expected: (u64, u64, u64)) {
        let at = StreamPosition::START.after(bytes.as_bytes());
        assert_eq!((at.offset, at.line, at.column), expected);
        // The same in two steps.
        for cut in (0..bytes.len()).filter(|cut| bytes.is_char_boundary(*cut) && *cut != 0) {
            let (before, after) = bytes.as_bytes().split_at(cut);
            assert_eq!(StreamPosition::START.after(before).after(after), at);
        }
    }

    #[test]
    fn columns_count_characters() {
        check("", (0, 1, 1));
        check("a: 😀é", (9, 1, 6));
        check("a\r\n😀", (7, 2, 2));
        check("\u{FEFF}ab", (5, 1, 3));
        check("a\n\n", (3, 3, 1));
    }
}
