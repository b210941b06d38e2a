//! Positions in a document.
//!
//! A result has many offsets of one text, in one encoding.

use text::{Encoding, LineIndex, TextEdit, TextRange, TextSize};
use tower_lsp_server::ls_types as lsp;

/// Converts offsets of one text.
pub(super) struct Positions<'a> {
    text: &'a str,
    line_index: &'a LineIndex,
    encoding: Encoding,
}

impl<'a> Positions<'a> {
    pub(super) fn new(text: &'a str, line_index: &'a LineIndex, encoding: Encoding) -> Self {
        Self {
            text,
            line_index,
            encoding,
        }
    }

    pub(super) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(super) fn range(&self, range: TextRange) -> lsp::Range {
        lsp::Range::new(self.position(range.start()), self.position(range.end()))
    }

    pub(super) fn edits(&self, edits: &[TextEdit]) -> impl Iterator<Item = lsp::TextEdit> {
        edits.iter().map(|edit| lsp::TextEdit {
            range: self.range(edit.range),
            new_text: edit.insert.clone(),
        })
    }

    pub(super) fn position(&self, offset: TextSize) -> lsp::Position {
        let at = self.line_index.line_col(self.text, offset, self.encoding);
        lsp::Position::new(at.line, at.col)
    }
}
