//! The lines that a scalar can hold.
//!
//! A block scalar, and a plain or quoted scalar that is written on several lines, can hold several
//! lines. A scalar on a single line stays on it.

use cel::format::Lines;
use policy::ParsedFile;
use text::{SourceMap, TextRange, TextSize};
use yaml::{Scalar, ScalarStyle};

/// Limit: the minimum line width in characters, however far an expression is indented.
const MIN_WIDTH: usize = 40;

/// The columns by which the lines of a plain or quoted scalar are indented relative to the mapping
/// that contains it.
const INDENT: usize = 2;

/// The position of an expression in the file.
pub(super) struct Layout<'a> {
    pub(super) scalar: Scalar<'a>,
    pub(super) map: SourceMap,
    /// The column at which its lines begin. `None` if it has a single line.
    indent: Option<usize>,
    /// The column of its first character.
    first: usize,
    line_break: &'static str,
}

impl<'a> Layout<'a> {
    pub(super) fn new(file: &ParsedFile, scalar: Scalar<'a>) -> Self {
        let content = scalar.content_range();
        let is_broken = file.slice(content).contains('\n');
        let parent = scalar.node().parent();
        let indent = match scalar.block_indent() {
            Some(indent) => Some(indent as usize),
            None if !is_broken => None,
            None => parent.map(|parent| file.column(parent.range().start()) + INDENT),
        };
        let first = match scalar.block_indent() {
            Some(indent) => indent as usize,
            None => file.column(content.start()),
        };
        Self {
            scalar,
            map: scalar.source_map(),
            indent,
            first,
            line_break: file.editor().line_break(),
        }
    }

    /// Returns the available lines for the text of the expression, if the lines of the file have
    /// `width` characters.
    pub(super) fn lines(&self, file: &ParsedFile, text: &str, width: usize) -> Lines {
        let Some(indent) = self.indent else {
            return Lines::with_width(usize::MAX);
        };
        let width = width.saturating_sub(indent).max(MIN_WIDTH);
        let lines = Lines::keeping(text, width, |blank| {
            file.slice(self.map.up(blank)).matches('\n').count()
        });
        Lines {
            first: self.first.saturating_sub(indent),
            ..lines
        }
    }

    /// Returns white space between two tokens as written in the file. `None` if the scalar cannot
    /// hold it.
    pub(super) fn white_space(&self, blank: &str) -> Option<String> {
        match (blank.rsplit_once('\n'), self.indent) {
            (None, _) => Some(blank.to_owned()),
            (Some(_), None) => None,
            (Some((above, rest)), Some(indent)) => {
                let breaks = self.line_break.repeat(above.matches('\n').count() + 1);
                Some(format!("{breaks}{}{rest}", " ".repeat(indent)))
            }
        }
    }

    /// Returns the white space before the first token and after the last one that can be removed,
    /// given the range of all tokens in the file.
    pub(super) fn margins(&self, file: &ParsedFile, tokens: TextRange) -> [TextRange; 2] {
        let content = self.scalar.content_range();
        let (before, after) = match self.scalar.style() {
            ScalarStyle::Plain => (tokens.start(), tokens.end()),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                (content.start(), content.end())
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let lines = file.line_index();
                let first = lines.line_range(lines.line(tokens.start()));
                let last = lines.line_content(file.text(), lines.line(tokens.end()));
                let indent = u32::try_from(self.first).unwrap_or(u32::MAX);
                (
                    first.map_or(tokens.start(), |line| line.start() + TextSize::new(indent)),
                    last.map_or(tokens.end(), TextRange::end),
                )
            }
        };
        [
            TextRange::new(before.min(tokens.start()), tokens.start()),
            TextRange::new(tokens.end(), after.max(tokens.end())),
        ]
    }

    /// Returns whether the scalar remains a scalar with this text.
    pub(super) fn can_hold(&self, text: &str) -> bool {
        let is_key = |line: &str| line.contains(": ") || line.ends_with(':');
        self.scalar.style() != ScalarStyle::Plain || !text.lines().any(is_key)
    }
}
