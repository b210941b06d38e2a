//! Offsets in a decoded string.
//!
//! A CEL expression is parsed after YAML has removed quotes, escapes and indentation, so an offset
//! in it is not an offset in the file. A separate type makes the compiler reject a forgotten
//! conversion.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes in a decoded string, for example in a CEL expression.
///
/// Invariant: `start <= end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Returns the span from `start` to `end`, in bytes. If the offsets are in the wrong order, the
    /// span is empty at the smaller one.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        if start <= end {
            Self { start, end }
        } else {
            Self { start: end, end }
        }
    }

    /// Returns the empty span at `offset`.
    #[must_use]
    pub const fn empty(offset: u32) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    /// Returns the first byte.
    #[must_use]
    pub const fn start(self) -> u32 {
        self.start
    }

    /// Returns the byte after the last one.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.end
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether `offset` lies in the span or at its end, as a cursor does.
    #[must_use]
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Returns whether `other` lies wholly in this span.
    #[must_use]
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that holds both.
    #[must_use]
    pub fn cover(self, other: Span) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the part of `text` in the span; empty if the span does not fit.
    #[must_use]
    pub fn slice(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }

    /// Returns the span as a range of `usize`.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slice_of_a_foreign_text_is_empty() {
        assert_eq!(Span::new(1, 9).slice("abc"), "");
        assert_eq!(Span::new(1, 2).slice("é"), "");
        assert_eq!(Span::new(1, 3).slice("abc"), "bc");
    }

    #[test]
    fn offsets_in_the_wrong_order_do_not_break_the_invariant() {
        assert_eq!(Span::new(5, 2), Span::empty(2));
    }

    #[test]
    fn cover_holds_both() {
        assert_eq!(Span::new(1, 2).cover(Span::new(5, 6)), Span::new(1, 6));
    }
}
