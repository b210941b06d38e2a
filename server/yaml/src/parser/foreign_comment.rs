//! Comments of other languages in JSON: `// …` and `/* … */`.
//!
//! kubectl accepts `#` comments in a JSON file, because it reads everything that is not JSON as
//! YAML. There, `//` begins a plain scalar, so the error comes lines later, at a colon or comma
//! that is correct. Only comments for which Kubernetes rejects the file are found here: in
//! `"a": 1 // one` the value is a string.

use super::Parser;
use super::cursor::Cursor;
use super::frame::{Kind, Slot};
use crate::error::SyntaxErrorKind;

impl Parser<'_> {
    /// Skips the comments at the cursor and reports the first of the document. Returns `false`
    /// where Kubernetes may read them as values.
    pub(super) fn foreign_comments(&mut self) -> bool {
        let Some(first) = comment_end(self.cursor) else {
            return false;
        };
        let mut look = first;
        let next = loop {
            look.skip_blanks();
            match comment_end(look) {
                _ if look.skip_break() => {}
                Some(end) => look = end,
                None => break look.byte(),
            }
        };
        let top = self.build.top();
        let is_rejected = match (top.kind, top.slot) {
            (Kind::Document, Slot::Root) => next == Some(b'{'),
            (_, Slot::Comma | Slot::KeyEnd(_)) => true,
            // On one line, the comment begins the key.
            (Kind::FlowMapping, Slot::Next) => next == Some(b'"') && look.line > self.cursor.line,
            (Kind::FlowSequence, Slot::Item(_)) | (Kind::FlowMapping, Slot::Value(_)) => {
                matches!(next, Some(b'{' | b'['))
            }
            _ => false,
        };
        let start = self.cursor;
        if !self.spend(look.at - start.at) || !is_rejected {
            return false;
        }
        self.cursor = look;
        if !std::mem::replace(&mut self.has_foreign_comment, true) {
            let kind = SyntaxErrorKind::ForeignComment;
            self.build.error(start.at, first.at, kind);
        }
        true
    }
}

/// Returns the end of the comment at the cursor.
fn comment_end(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let mut look = cursor;
    if look.starts_with(b"//") {
        look.skip_line();
        return Some(look);
    }
    if !look.starts_with(b"/*") {
        return None;
    }
    while !look.starts_with(b"*/") {
        if look.is_end() {
            return None;
        }
        if !look.skip_break() {
            look.at += 1;
        }
    }
    look.at += 2;
    Some(look)
}
