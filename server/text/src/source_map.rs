//! The map from a decoded string to the file it was written in.
//!
//! YAML can write one string in many ways: with quotes and escapes, folded over lines, indented in
//! a block. A tool that decodes the string without keeping track of positions cannot underline an
//! error in it. The decoder therefore builds the string piece by piece, and each piece keeps its
//! origin.

use crate::{Span, TextRange, TextSize};

/// One run of the decoded string.
///
/// Verbatim pieces have the same length on both sides and map byte by byte. A replaced
/// piece, such as an escape or a folded line break, maps as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    decoded: Span,
    file: TextRange,
    verbatim: bool,
}

/// The position of every byte of a decoded string in the file.
///
/// Invariant: pieces follow each other without a gap in the decoded string, and in order in
/// the file, where gaps are bytes that decode to nothing (indentation, quotes).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SourceMap {
    pieces: Vec<Piece>,
    /// The position of an empty string.
    origin: TextSize,
}

impl SourceMap {
    /// Returns the map of a string that is verbatim in the file, from `start` on, `len` bytes long.
    #[must_use]
    pub fn verbatim(start: TextSize, len: TextSize) -> Self {
        let mut builder = SourceMapBuilder::new(start);
        builder.verbatim(TextRange::at(start, len));
        builder.finish()
    }

    /// Returns the length of the decoded string in bytes.
    #[must_use]
    pub fn decoded_len(&self) -> u32 {
        self.pieces.last().map_or(0, |piece| piece.decoded.end())
    }

    /// Returns the range in the file of a span in the decoded string.
    ///
    /// It begins with the first character of the span and ends with the last, so quotes and
    /// indentation around it are left out; those between lines of one span are inside. A span that
    /// begins or ends within an escape includes the whole escape. An empty span has an empty range.
    /// A span past the end counts as the end.
    #[must_use]
    pub fn up(&self, span: Span) -> TextRange {
        let start = self.up_start(span.start());
        if span.is_empty() {
            return TextRange::empty(start);
        }
        let end = self.up_end(span.end());
        TextRange::new(start.min(end), end)
    }

    /// Returns the ranges of [`SourceMap::up`], cut where the file holds bytes that are not part of
    /// the string, such as the indentation of a following line. No range is empty; an empty span
    /// has none.
    pub fn up_pieces(&self, span: Span) -> impl Iterator<Item = TextRange> + '_ {
        let mut index = self.piece_at(span.start());
        let mut joined: Option<TextRange> = None;
        std::iter::from_fn(move || {
            loop {
                let next = self
                    .pieces
                    .get(index)
                    .filter(|piece| !span.is_empty() && piece.decoded.start() < span.end())
                    .map(|piece| piece.part(span));
                index += 1;
                match (joined, next) {
                    (Some(before), Some(after)) if before.end() == after.start() => {
                        joined = Some(before.cover(after));
                    }
                    (before, Some(after)) => {
                        joined = Some(after);
                        if before.is_some() {
                            return before;
                        }
                    }
                    (_, None) => return joined.take(),
                }
            }
        })
        .filter(|range| !range.is_empty())
    }

    /// Returns the offset in the decoded string of an offset in the file, such as a cursor's.
    /// `None` outside the string and on bytes that decode to nothing.
    #[must_use]
    pub fn down(&self, offset: TextSize) -> Option<u32> {
        let after = self
            .pieces
            .partition_point(|piece| piece.file.start() <= offset);
        let Some(piece) = after.checked_sub(1).and_then(|at| self.pieces.get(at)) else {
            return (self.pieces.is_empty() && offset == self.origin).then_some(0);
        };
        if offset < piece.file.end() {
            let inside = u32::from(offset - piece.file.start());
            return Some(piece.decoded.start() + if piece.verbatim { inside } else { 0 });
        }
        let is_end = offset == piece.file.end();
        // Decoded characters without bytes in the file, such as a last line break, come after
        // the offset.
        let is_added = piece.file.is_empty();
        let decoded = piece.decoded;
        is_end.then(|| {
            if is_added {
                decoded.start()
            } else {
                decoded.end()
            }
        })
    }

    /// Returns the offset in the decoded string for a cursor in the file: the result of
    /// [`SourceMap::down`] or, if that is `None`, the end of the decoded text before the cursor.
    #[must_use]
    pub fn down_floor(&self, offset: TextSize) -> u32 {
        self.down(offset).unwrap_or_else(|| {
            let before = self
                .pieces
                .partition_point(|piece| piece.file.start() <= offset);
            let last = before.checked_sub(1).and_then(|at| self.pieces.get(at));
            last.map_or(0, |piece| piece.decoded.end())
        })
    }

    /// Returns the index of the piece that holds the byte at `offset`, or the number of pieces.
    fn piece_at(&self, offset: u32) -> usize {
        self.pieces
            .partition_point(|piece| piece.decoded.end() <= offset)
    }

    fn up_start(&self, offset: u32) -> TextSize {
        match self.pieces.get(self.piece_at(offset)) {
            Some(piece) if piece.verbatim => {
                piece.file.start() + TextSize::new(offset - piece.decoded.start())
            }
            Some(piece) => piece.file.start(),
            None => self.end(),
        }
    }

    fn up_end(&self, offset: u32) -> TextSize {
        match self.pieces.get(self.piece_at(offset.saturating_sub(1))) {
            Some(piece) if piece.verbatim => {
                piece.file.start() + TextSize::new(offset - piece.decoded.start())
            }
            Some(piece) => piece.file.end(),
            None => self.end(),
        }
    }

    fn end(&self) -> TextSize {
        self.pieces
            .last()
            .map_or(self.origin, |piece| piece.file.end())
    }
}

impl Piece {
    /// Returns the file range of the part of the piece that lies in `span`.
    fn part(self, span: Span) -> TextRange {
        if !self.verbatim {
            return self.file;
        }
        let from = span.start().max(self.decoded.start()) - self.decoded.start();
        let to = span.end().min(self.decoded.end()) - self.decoded.start();
        let start = self.file.start();
        TextRange::new(
            start + TextSize::new(from.min(to)),
            start + TextSize::new(to),
        )
    }
}

/// Builds a [`SourceMap`] while a string is decoded, from its first byte to its last.
#[derive(Clone, Debug)]
pub struct SourceMapBuilder {
    map: SourceMap,
}

impl SourceMapBuilder {
    /// Returns an empty map; `origin` is the position of an empty string.
    #[must_use]
    pub fn new(origin: TextSize) -> Self {
        Self {
            map: SourceMap {
                pieces: Vec::new(),
                origin,
            },
        }
    }

    /// Adds the bytes of `file`, decoded verbatim.
    pub fn verbatim(&mut self, file: TextRange) {
        if file.is_empty() {
            return;
        }
        let start = self.map.decoded_len();
        if let Some(last) = self.map.pieces.last_mut()
            && last.verbatim
            && last.file.end() == file.start()
        {
            last.file = last.file.cover(file);
            last.decoded = Span::new(last.decoded.start(), start + u32::from(file.len()));
            return;
        }
        self.map.pieces.push(Piece {
            decoded: Span::new(start, start + u32::from(file.len())),
            file,
            verbatim: true,
        });
    }

    /// Adds the bytes of `file`, decoded to `len` other bytes.
    pub fn replaced(&mut self, file: TextRange, len: u32) {
        if len == 0 {
            return;
        }
        let start = self.map.decoded_len();
        self.map.pieces.push(Piece {
            decoded: Span::new(start, start + len),
            file,
            verbatim: false,
        });
    }

    /// Cuts the decoded string to `len` bytes, for a decoder that learns late that trailing
    /// line breaks do not count.
    pub fn truncate(&mut self, len: u32) {
        let keep = self
            .map
            .pieces
            .partition_point(|piece| piece.decoded.start() < len);
        self.map.pieces.truncate(keep);
        if let Some(last) = self.map.pieces.last_mut()
            && last.decoded.end() > len
        {
            let cut = last.decoded.end() - len;
            last.decoded = Span::new(last.decoded.start(), len);
            if last.verbatim {
                last.file = TextRange::new(last.file.start(), last.file.end() - TextSize::new(cut));
            }
        }
    }

    /// Returns the finished map.
    #[must_use]
    pub fn finish(self) -> SourceMap {
        self.map
    }
}

#[cfg(test)]
mod tests;
