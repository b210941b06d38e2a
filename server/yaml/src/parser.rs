//! From the text of a document to its nodes.
//!
//! The parser accepts and reads what the parser of Kubernetes does, but it never stops: it reports
//! an error at its position, reads the line as what it most probably should be, and parses the next
//! line as usual. One pass is enough for that, because the indentation of a line shows where it
//! belongs.
//!
//! Upstream: go.yaml.in/yaml/v2, scannerc.go and parserc.go.

mod anchors;
mod block;
mod block_scalar;
mod build;
mod content;
mod cursor;
mod document;
mod flow;
mod foreign_comment;
mod frame;
mod key;
mod key_rules;
mod lookahead;
mod plain;
mod quoted;
mod tokens;

pub use document::{parse, parse_documents};

use crate::error::SyntaxErrorKind;
use build::Builder;
use cursor::Cursor;
use flow::Speculation;

/// Limit: the bytes that recovery may look ahead in a document, so that a broken file costs
/// no more than a few times an intact one.
const MAX_LOOKAHEAD: usize = 1 << 20;

/// The content before the cursor in its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    /// Only indentation.
    Fresh,
    /// A dash or a `?`: collections may begin, but tabs are still wrong.
    Compact,
    /// A key or a value.
    Inline,
}

/// The parser of one document.
struct Parser<'a> {
    cursor: Cursor<'a>,
    position: Position,
    build: Builder<'a>,
    /// Whether the rest of the document is skipped.
    stopped: bool,
    /// Whether a template was reported.
    has_template: bool,
    /// Whether a comment of another language was reported.
    has_foreign_comment: bool,
    /// Whether the current flow collection lacks a bracket, which was reported.
    flow_broken: bool,
    /// Whether an error was just reported in the flow collection, so that missing parts up to
    /// its next entry have the same cause.
    after_mistake: bool,
    speculation: Option<Speculation<'a>>,
    lookahead: usize,
    /// A line, and the column of its first text.
    indented: (usize, i32),
}

impl<'a> Parser<'a> {
    fn new(cursor: Cursor<'a>, build: Builder<'a>) -> Self {
        Self {
            cursor,
            position: Position::Fresh,
            build,
            stopped: false,
            has_template: false,
            has_foreign_comment: false,
            flow_broken: false,
            after_mistake: false,
            speculation: None,
            lookahead: MAX_LOOKAHEAD,
            indented: (usize::MAX, 0),
        }
    }

    /// Spends bytes of the budget for lookahead in recovery. Returns `false` when the budget is
    /// spent.
    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.lookahead.checked_sub(bytes);
        self.lookahead = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns the column of the first text in the line of the cursor.
    fn indentation(&mut self) -> i32 {
        if self.indented.0 != self.cursor.line {
            self.indented = (self.cursor.line, self.cursor.indentation());
        }
        self.indented.1
    }

    /// Reports the character at the cursor.
    fn error_here(&mut self, kind: SyntaxErrorKind) {
        let at = self.cursor.at;
        let rest = self.build.text.get(at..).unwrap_or("");
        let len = rest.chars().next().map_or(0, char::len_utf8);
        self.build.error(at, at + len, kind);
    }
}

#[cfg(test)]
mod tests;
