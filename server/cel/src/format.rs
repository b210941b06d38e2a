//! Formatting of expressions.
//!
//! An expression is written on one line if it fits, otherwise it is broken at its operators of
//! lowest precedence. Only white space and trailing commas change: constants keep their spelling,
//! parentheses stay, and comments stay where they are. A line break of the author next to the
//! operators of a chain, or after an opening bracket, keeps that part on several lines. Of several
//! empty lines between lines, one is kept.

mod chain;
mod layout;
mod printer;
mod proof;

pub use proof::is_same;

use crate::syntax::{MAX_CODE_POINTS, Parse, TokenKind, tokens};
use layout::lay_out;
use printer::print;
use text::Span;

/// The default width of a line, in characters.
///
/// The lines of policies in public repositories are at most 100 characters long if their authors
/// break lines at all; a narrower line breaks most expressions that authors keep on one line.
pub const LINE_WIDTH: usize = 100;

/// The lines into which an expression is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The width of a line, in characters, which is not exceeded if possible.
    pub width: usize,
    /// The characters that precede the expression on its first line.
    pub first: usize,
    /// The offsets of the white space in which the author breaks a line, in order.
    pub breaks: Vec<u32>,
    /// The ends of the white space in which the author leaves lines empty, in order. One of them is
    /// kept at the start of a line.
    pub blanks: Vec<u32>,
}

impl Lines {
    /// Returns a layout of a width that ignores the author's lines. With `usize::MAX` an expression
    /// without comments is one line.
    #[must_use]
    pub const fn with_width(width: usize) -> Self {
        Self {
            width,
            first: 0,
            breaks: Vec::new(),
            blanks: Vec::new(),
        }
    }

    /// Returns a layout of a width that keeps the line breaks in `text`.
    #[must_use]
    pub fn keeping_breaks(text: &str, width: usize) -> Self {
        Self::keeping(text, width, |blank| blank.slice(text).matches('\n').count())
    }

    /// Returns a layout of a width that keeps the author's line breaks. `breaks_in` returns the
    /// number of line breaks in white space of `text`.
    #[must_use]
    pub fn keeping(text: &str, width: usize, breaks_in: impl Fn(Span) -> usize) -> Self {
        let mut lines = Self::with_width(width);
        let blanks = tokens(text).filter(|token| token.kind == TokenKind::Whitespace);
        for token in blanks {
            let breaks = breaks_in(token.span);
            if breaks > 0 {
                lines.breaks.push(token.span.start());
            }
            if breaks > 1 {
                lines.blanks.push(token.span.end());
            }
        }
        lines
    }

    /// Returns whether the author breaks a line between two offsets.
    fn has_break(&self, start: u32, end: u32) -> bool {
        let next = self.breaks.partition_point(|at| *at < start);
        self.breaks.get(next).is_some_and(|at| *at < end)
    }
}

/// Returns the formatted expression, without a line break at the end. `None` if it has a syntax
/// error. The result parses to the same tree, and formatting it again does not change it.
///
/// The API server counts white space too: if the result exceeds its limit, lines are not broken,
/// and if that does not suffice, the result is `None`.
#[must_use]
pub fn format(parse: &Parse, lines: &Lines) -> Option<String> {
    if !parse.is_ok() {
        return None;
    }
    let items = print(parse, lines);
    let fits =
        |text: &String| text.len() <= MAX_CODE_POINTS || text.chars().count() <= MAX_CODE_POINTS;
    let broken = Some(lay_out(&items, lines.width, lines.first)).filter(fits);
    broken.or_else(|| Some(lay_out(&items, usize::MAX, 0)).filter(fits))
}

#[cfg(test)]
mod tests;
