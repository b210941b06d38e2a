//! Flow collections: `[…]` and `{…}`, which JSON is made of.
//!
//! Indentation has no meaning in them, so a forgotten bracket could swallow the rest of the
//! file. A line that begins an item, or a key where none is expected, at the column of the
//! enclosing collection or left of it, ends them.

mod node;
mod speculation;

pub(super) use speculation::Speculation;

use super::Parser;
use super::content::{Scanned, ScannedNode};
use super::cursor::Cursor;
use super::frame::{Frame, Kind, Slot};
use super::key::is_too_long;
use super::plain::{Context, scan_line};
use crate::chars::break_at;
use crate::decode::range;
use crate::error::SyntaxErrorKind;
use crate::stream::Comment;

/// The outermost open flow collection.
#[derive(Clone, Copy)]
struct Outer {
    /// The number of frames below it.
    base: usize,
    /// The column of the enclosing block collection; -1 in the document itself.
    owner: i32,
}

impl<'a> Parser<'a> {
    /// Reads the flow collection at the cursor and adds it to the top frame.
    pub(super) fn flow(&mut self) -> Scanned {
        let start = self.cursor.at;
        let outer = Outer {
            base: self.build.frames.len(),
            owner: self.build.top().current,
        };
        self.flow_broken = false;
        self.after_mistake = false;
        self.speculation = None;
        self.open_bracket();
        while self.build.frames.len() > outer.base && !self.stopped {
            if self.flow_space(outer) {
                self.flow_token(outer);
            }
            self.check_trial(outer);
        }
        while self.build.frames.len() > outer.base {
            self.build.close();
        }
        Scanned {
            node: ScannedNode::Added,
            range: range(start, self.build.last_end()),
            broken: self.flow_broken,
        }
    }

    /// Skips to the next token. Returns `false` if none belongs to an open collection of `outer`;
    /// the open collections are then closed.
    fn flow_space(&mut self, outer: Outer) -> bool {
        let mut look = self.cursor;
        let mut crossed = false;
        let comments = self.build.stream.comments.len();
        loop {
            look.skip_blanks();
            if look.byte() == Some(b'#') {
                let start = look.at;
                look.skip_line();
                let range = range(start, look.at);
                self.build.stream.comments.push(Comment { range });
            }
            if !look.skip_break() {
                break;
            }
            crossed = true;
        }
        if look.is_end() || look.is_document_mark() {
            self.build.stream.comments.truncate(comments);
            if self.speculation.is_some() {
                self.build.failures += 1;
            } else {
                self.close_unclosed(outer, look, |_| true);
            }
            return false;
        }
        if crossed && !self.belongs_to_flow(outer, look, comments) {
            return false;
        }
        self.cursor = look;
        true
    }

    /// Closes the collections of `outer` whose frames are `affected`, and reports the
    /// innermost. The next entry begins at `look`.
    fn close_unclosed(
        &mut self,
        outer: Outer,
        look: Cursor<'a>,
        affected: impl Fn(&Frame) -> bool,
    ) {
        let mut reported = self.after_mistake;
        self.flow_broken = true;
        while self.build.frames.len() > outer.base {
            let top = *self.build.top();
            if top.kind != Kind::Pair {
                if !affected(&top) {
                    break;
                }
                if !std::mem::replace(&mut reported, true) {
                    self.report_unclosed();
                }
            }
            self.build.close();
        }
        if self.build.frames.len() > outer.base {
            self.after_node(false);
            self.cursor = look;
        }
        self.after_mistake = true;
    }

    fn report_unclosed(&mut self) {
        let top = self.build.top();
        let is_sequence = top.kind == Kind::FlowSequence;
        let start = top.start;
        let kind = SyntaxErrorKind::UnclosedBracket(if is_sequence { '[' } else { '{' });
        self.build.error(start, start + 1, kind);
    }

    fn flow_token(&mut self, outer: Outer) {
        let Outer { base, owner } = outer;
        match self.cursor.byte() {
            Some(b'/') if self.foreign_comments() => {}
            Some(b'{') if self.is_template() => self.flow_template(),
            Some(b'[' | b'{') => {
                self.begin_entry();
                self.open_bracket();
            }
            Some(b']') => self.close_bracket(base, Kind::FlowSequence),
            Some(b'}') => self.close_bracket(base, Kind::FlowMapping),
            Some(b',') => self.comma(),
            Some(b':') => self.flow_colon(),
            Some(b'?') => self.flow_question(),
            Some(_) => self.flow_node_or_mistake(owner),
            None => {}
        }
    }

    fn open_bracket(&mut self) {
        let start = self.cursor.at;
        if self.build.is_full() {
            return self.too_deep();
        }
        let is_sequence = self.cursor.byte() == Some(b'[');
        let line = self.indentation();
        self.cursor.at += 1;
        if is_sequence {
            let slot = Slot::Item(self.cursor.at);
            self.build.open(Kind::FlowSequence, start, line, slot);
        } else {
            self.build.open(Kind::FlowMapping, start, line, Slot::Next);
        }
    }

    /// Makes room for one more node, and reports a comma that is missing before it.
    fn begin_entry(&mut self) {
        let top = self.build.top();
        match top.slot {
            Slot::Comma | Slot::Colon(_) | Slot::KeyEnd(_) => {
                let at = self.build.last_end();
                if !self.after_mistake {
                    self.build.error(at, at, SyntaxErrorKind::MissingComma);
                }
                self.next_entry(self.cursor.at);
            }
            Slot::Next | Slot::Item(_) | Slot::Key(_) | Slot::Value(_) | Slot::Root => {}
        }
        self.after_mistake = false;
    }

    /// Ends an entry; the next may begin at `at`.
    fn next_entry(&mut self, at: usize) {
        self.build.fill_missing();
        if self.build.top().kind == Kind::Pair {
            self.build.close();
        }
        let top = self.build.top_mut();
        top.slot = match top.kind {
            Kind::FlowSequence => Slot::Item(at),
            _ => Slot::Next,
        };
    }

    fn comma(&mut self) {
        let at = self.cursor.at;
        let empty = matches!(self.build.top().slot, Slot::Next | Slot::Item(_));
        if empty && self.build.properties.is_empty() {
            self.error_here(SyntaxErrorKind::UnexpectedBracket(','));
        }
        self.cursor.at += 1;
        self.after_mistake = false;
        self.flush_properties();
        self.next_entry(at + 1);
    }

    /// Adds null for a tag or an anchor without a node.
    fn flush_properties(&mut self) {
        if self.build.properties.is_empty() {
            return;
        }
        let end = self.build.properties.end;
        self.build.add_empty(end);
        self.after_node(false);
    }

    fn close_bracket(&mut self, base: usize, kind: Kind) {
        let at = self.cursor.at;
        self.cursor.at += 1;
        self.flush_properties();
        let frames = self.build.frames.get(base..).unwrap_or_default();
        if !frames.iter().any(|frame| frame.kind == kind) {
            return self.wrong_bracket(base, kind);
        }
        while self.build.top().kind != kind {
            if self.build.top().kind != Kind::Pair {
                self.report_unclosed();
            }
            self.build.close();
        }
        self.build.fill_missing();
        self.build.close_at(at + 1);
        self.after_flow(base);
    }

    /// Reports a bracket without a collection to close. At the end of the line on which a
    /// collection began, it is read as the right one.
    fn wrong_bracket(&mut self, base: usize, kind: Kind) {
        let bracket = if kind == Kind::FlowSequence { ']' } else { '}' };
        let end = self.cursor.at;
        let mut look = self.cursor;
        look.skip_blanks();
        if !look.is_line_end() || self.build.top().start < self.cursor.line {
            let kind = SyntaxErrorKind::UnexpectedBracket(bracket);
            return self.build.error(end - 1, end, kind);
        }
        let kind = SyntaxErrorKind::WrongBracket(bracket);
        self.build.error(end - 1, end, kind);
        if self.build.top().kind == Kind::Pair {
            self.build.close();
        }
        self.build.fill_missing();
        self.build.close_at(end);
        self.after_flow(base);
    }

    /// Uses a collection that was just closed as a key or a value.
    fn after_flow(&mut self, base: usize) {
        if self.build.frames.len() > base {
            self.after_node(true);
        }
    }

    /// Decides whether the node that was just added to the top frame is a key.
    fn after_node(&mut self, may_be_key: bool) {
        let end = self.build.last_end();
        let mut look = self.cursor;
        look.skip_blanks();
        let colon = may_be_key && look.byte() == Some(b':');
        let top = self.build.top_mut();
        match (top.kind, top.slot) {
            (Kind::FlowSequence, _) if colon => {
                top.slot = Slot::Comma;
                self.open_pair(end);
            }
            (Kind::FlowMapping, Slot::Next) => top.slot = Slot::KeyEnd(end),
            (_, Slot::Key(_)) => top.slot = Slot::Colon(end),
            (_, Slot::Colon(_)) => top.slot = Slot::Colon(end),
            _ => top.slot = Slot::Comma,
        }
    }

    /// Opens the pair of `[key: value]`, whose key was added as an item.
    fn open_pair(&mut self, end: usize) {
        if self.build.is_full() {
            return self.too_deep();
        }
        self.check_key(end, self.cursor.at);
        let start = self.build.last_start();
        self.build.open_around_last(Kind::Pair, start, -1);
        self.build.top_mut().slot = Slot::Colon(end);
    }

    fn flow_colon(&mut self) {
        let at = self.cursor.at;
        let top = *self.build.top();
        match top.slot {
            Slot::Colon(_) | Slot::Key(_) | Slot::KeyEnd(_) => {
                if let Slot::Key(end) = top.slot {
                    self.build.add_empty(end);
                }
                if let Slot::KeyEnd(end) = top.slot {
                    self.check_key(end, at);
                }
                self.cursor.at += 1;
                self.build.top_mut().slot = Slot::Value(at + 1);
            }
            Slot::Next | Slot::Item(_) => {
                self.error_here(SyntaxErrorKind::MissingKey);
                self.cursor.at += 1;
                if top.kind == Kind::FlowSequence {
                    return;
                }
                self.build.add_empty(at);
                let top = self.build.top_mut();
                top.keyless = true;
                top.slot = Slot::Value(at + 1);
            }
            Slot::Value(_) | Slot::Comma | Slot::Root => {
                let line = scan_line(self.cursor.bytes(), at, Context::FlowText);
                let end = line.next.max(at + 1);
                self.build
                    .error(at, line.end.max(at + 1), SyntaxErrorKind::ColonInValue);
                self.cursor.at = end;
            }
        }
    }

    /// Checks that a key and its colon at `colon` are on one line, and that the key is not too
    /// long. JSON has neither restriction.
    fn check_key(&mut self, end: usize, colon: usize) {
        let start = self.build.last_start();
        let text = self.build.text.get(start..colon).unwrap_or("");
        let kind = if is_too_long(text) {
            SyntaxErrorKind::KeyTooLong
        } else if (0..text.len()).any(|at| break_at(text.as_bytes(), at).is_some()) {
            SyntaxErrorKind::KeyOverLines
        } else {
            return;
        };
        self.build.error_unless_json(range(start, end), kind);
    }

    fn flow_question(&mut self) {
        self.flush_properties();
        self.begin_entry();
        let at = self.cursor.at;
        let top = *self.build.top();
        match (top.kind, top.slot) {
            (Kind::FlowSequence, _) => {
                if self.build.is_full() {
                    return self.too_deep();
                }
                self.build.open(Kind::Pair, at, -1, Slot::Key(at + 1));
            }
            (_, Slot::Next) => self.build.top_mut().slot = Slot::Key(at + 1),
            _ => {
                let kind = SyntaxErrorKind::UnexpectedCharacter('?');
                self.error_here(kind);
                return self.flow_text();
            }
        }
        self.cursor.at += 1;
    }
}
