//! The output of a decoder.

use super::range;
use crate::chars::{Break, BreakKind};
use crate::error::SyntaxErrorKind;
use crate::tree::ScalarText;
use text::{SourceMapBuilder, TextRange, TextSize};

/// Receives a decoded string from its first byte to its last.
pub(crate) trait Sink {
    /// Adds bytes of the file verbatim.
    fn verbatim(&mut self, start: usize, end: usize);
    /// Adds `text` in place of bytes of the file.
    fn replaced(&mut self, start: usize, end: usize, text: &str);
    /// Reports bytes of the file that are not an escape that Kubernetes supports.
    fn error(&mut self, start: usize, end: usize, kind: SyntaxErrorKind);
}

impl Break {
    /// Writes the break as it decodes.
    pub(crate) fn write(self, sink: &mut impl Sink) {
        match self.kind {
            BreakKind::LineFeed | BreakKind::Separator => sink.verbatim(self.start, self.end),
            BreakKind::Other => sink.replaced(self.start, self.end, "\n"),
        }
    }
}

impl Sink for SourceMapBuilder {
    fn verbatim(&mut self, start: usize, end: usize) {
        SourceMapBuilder::verbatim(self, range(start, end));
    }

    fn replaced(&mut self, start: usize, end: usize, text: &str) {
        let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        SourceMapBuilder::replaced(self, range(start, end), len);
    }

    fn error(&mut self, _: usize, _: usize, _: SyntaxErrorKind) {}
}

/// Keeps the text: as a range of the file as long as it is one verbatim piece, and in a buffer
/// from the first byte that is not.
pub(crate) struct TextSink<'a> {
    file: &'a str,
    verbatim: TextRange,
    buffer: &'a mut String,
    /// The start of the text in the buffer, if it has been moved there.
    start: Option<usize>,
    errors: &'a mut Vec<(TextRange, SyntaxErrorKind)>,
}

impl<'a> TextSink<'a> {
    /// Returns a sink for the string of a scalar whose content begins at `origin`. Decoded bytes
    /// go to the end of `buffer`.
    pub(crate) fn new(
        file: &'a str,
        origin: TextSize,
        buffer: &'a mut String,
        errors: &'a mut Vec<(TextRange, SyntaxErrorKind)>,
    ) -> Self {
        Self {
            file,
            verbatim: TextRange::empty(origin),
            buffer,
            start: None,
            errors,
        }
    }

    /// Returns the position of the text.
    pub(crate) fn finish(self) -> ScalarText {
        match self.start {
            None => ScalarText::Verbatim(self.verbatim),
            Some(start) => ScalarText::Decoded(range(start, self.buffer.len())),
        }
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.file.get(start..end).unwrap_or("")
    }

    /// Moves the text that was verbatim so far to the buffer.
    fn spill(&mut self) {
        if self.start.is_none() {
            self.start = Some(self.buffer.len());
            let (start, end) = (self.verbatim.start(), self.verbatim.end());
            let before = self.slice(usize::from(start), usize::from(end));
            self.buffer.push_str(before);
        }
    }
}

impl Sink for TextSink<'_> {
    fn verbatim(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        if self.start.is_none() {
            let piece = range(start, end);
            if self.verbatim.is_empty() {
                self.verbatim = piece;
                return;
            }
            if self.verbatim.end() == piece.start() {
                self.verbatim = self.verbatim.cover(piece);
                return;
            }
            self.spill();
        }
        let piece = self.slice(start, end);
        self.buffer.push_str(piece);
    }

    fn replaced(&mut self, _: usize, _: usize, text: &str) {
        if !text.is_empty() {
            self.spill();
            self.buffer.push_str(text);
        }
    }

    fn error(&mut self, start: usize, end: usize, kind: SyntaxErrorKind) {
        self.errors.push((range(start, end), kind));
    }
}
