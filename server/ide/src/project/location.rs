//! A position in another file.
//!
//! A finding may point into a file that is not at hand where the finding is shown. The line and
//! the columns in every unit are therefore computed while the other file is read.

use policy::ParsedFile;
use std::path::Path;
use std::sync::Arc;
use text::{Encoding, LineCol, TextRange, TextSize};

/// Limit: bytes of a line whose characters are counted. A list that is written on one line
/// has thousands of places, and each would count from its start; there a column is a byte.
const MAX_LINE: usize = 4096;

/// A place in a file, as every user of it counts.
#[derive(Clone, Debug)]
pub struct Location {
    /// The file, by the path under which it belongs to the project.
    pub file: Arc<Path>,
    /// The bytes in the file.
    pub range: TextRange,
    start: Columns,
    end: Columns,
}

/// A line and its columns by unit.
#[derive(Clone, Copy, Debug)]
struct Columns {
    line: u32,
    utf8: u32,
    utf16: u32,
    utf32: u32,
}

impl Location {
    pub(crate) fn new(file: &Arc<Path>, source: &ParsedFile, range: TextRange) -> Self {
        Self {
            file: Arc::clone(file),
            range,
            start: Columns::new(source, range.start()),
            end: Columns::new(source, range.end()),
        }
    }

    /// Where it begins.
    #[must_use]
    pub fn start(&self, encoding: Encoding) -> LineCol {
        self.start.at(encoding)
    }

    /// Where it ends.
    #[must_use]
    pub fn end(&self, encoding: Encoding) -> LineCol {
        self.end.at(encoding)
    }
}

/// Two locations are equal when they are in the same file: a change of a line above does not
/// change the meaning of the file, and other files need not be analyzed again.
impl PartialEq for Location {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

impl Eq for Location {}

impl Columns {
    fn new(source: &ParsedFile, offset: TextSize) -> Self {
        let at = |encoding| {
            let lines = source.line_index();
            lines.line_col(source.text(), offset, encoding)
        };
        let bytes = source.column(offset);
        if bytes > MAX_LINE {
            let column = u32::try_from(bytes).unwrap_or(u32::MAX);
            return Self {
                line: source.line_index().line(offset),
                utf8: column,
                utf16: column,
                utf32: column,
            };
        }
        Self {
            line: at(Encoding::Utf8).line,
            utf8: at(Encoding::Utf8).col,
            utf16: at(Encoding::Utf16).col,
            utf32: at(Encoding::Utf32).col,
        }
    }

    fn at(self, encoding: Encoding) -> LineCol {
        let col = match encoding {
            Encoding::Utf8 => self.utf8,
            Encoding::Utf16 => self.utf16,
            Encoding::Utf32 => self.utf32,
        };
        LineCol {
            line: self.line,
            col,
        }
    }
}
