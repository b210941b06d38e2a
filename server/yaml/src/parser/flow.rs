//! Flow collections: `[…]` and `{…}`, which JSON is made of.
//!
//! Indentation means nothing in them, so a forgotten bracket could swallow the rest of the
//! file. A line that begins an item, or a key where none is expected, at the column of the
//! collection around or left of it, ends them.

mod node;

use super::Parser;
use super::content::{Scanned, ScannedNode};
use super::cursor::Cursor;
use super::frame::{Kind, Slot};
use super::lookahead::{begins_with_key, closes};
use super::plain::{Context, scan_line};
use crate::chars::break_at;
use crate::decode::range;
use crate::error::SyntaxErrorKind;

impl Parser<'_> {
    /// Reads the flow collection at the cursor and adds it to the top frame.
    pub(super) fn flow(&mut self) -> Scanned {
        let start = self.cursor.at;
        let base = self.build.frames.len();
        let owner = self.build.top().current;
        self.flow_broken = false;
        self.open_bracket();
        while self.build.frames.len() > base && !self.stopped {
            if !self.flow_space(owner) {
                self.unclosed(base);
                break;
            }
            self.flow_token(base, owner);
        }
        while self.build.frames.len() > base {
            self.build.close();
        }
        Scanned {
            node: ScannedNode::Added,
            range: range(start, self.build.last_end()),
            broken: self.flow_broken,
        }
    }

    /// Goes to the next token. Returns `false` where the collection must have ended.
    fn flow_space(&mut self, owner: i32) -> bool {
        let mut look = self.cursor;
        let mut crossed = false;
        let mut comments = Vec::new();
        loop {
            look.skip_blanks();
            if look.byte() == Some(b'#') {
                let start = look.at;
                look.skip_line();
                comments.push(range(start, look.at));
            }
            if !look.skip_break() {
                break;
            }
            crossed = true;
        }
        if look.is_end() || look.is_document_mark() || (crossed && self.flow_ends(look, owner)) {
            return false;
        }
        self.cursor = look;
        for range in comments {
            self.build
                .stream
                .comments
                .push(crate::stream::Comment { range });
        }
        true
    }

    /// Whether the line at `look` cannot belong to the collection.
    fn flow_ends(&mut self, look: Cursor<'_>, owner: i32) -> bool {
        if look.is_indicator(b'-') {
            return true;
        }
        if look.column() > owner || !begins_with_key(look) {
            return false;
        }
        let expects_entry = match self.build.top().slot {
            Slot::Next | Slot::Item(_) | Slot::Key(_) => true,
            Slot::Value(_) | Slot::Colon(_) | Slot::KeyEnd(_) | Slot::Comma | Slot::Root => false,
        };
        if !expects_entry {
            return true;
        }
        !self.is_closed_below(look)
    }

    /// Whether the collections that are open get their closing brackets after `look`.
    fn is_closed_below(&mut self, look: Cursor<'_>) -> bool {
        let (closed, read) = closes(look, self.flow_depth());
        self.spend(read) && closed
    }

    fn flow_depth(&self) -> usize {
        let frames = self.build.frames.iter().rev();
        frames
            .take_while(|frame| is_flow(frame.kind))
            .filter(|frame| frame.kind != Kind::Pair)
            .count()
    }

    /// Reports the innermost bracket that is not closed, and closes all of them.
    fn unclosed(&mut self, base: usize) {
        while self.build.frames.len() > base {
            if self.build.top().kind != Kind::Pair && !self.flow_broken {
                self.report_unclosed();
                self.flow_broken = true;
            }
            self.build.close();
        }
    }

    fn report_unclosed(&mut self) {
        let top = self.build.top();
        let bracket = if top.kind == Kind::FlowSequence {
            '['
        } else {
            '{'
        };
        let start = top.start;
        let kind = SyntaxErrorKind::UnclosedBracket(bracket);
        self.build.error(start, start + 1, kind);
    }

    fn flow_token(&mut self, base: usize, owner: i32) {
        match self.cursor.byte() {
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
        self.cursor.at += 1;
        if is_sequence {
            let slot = Slot::Item(self.cursor.at);
            self.build.open(Kind::FlowSequence, start, -1, slot);
        } else {
            self.build.open(Kind::FlowMapping, start, -1, Slot::Next);
        }
    }

    /// Makes room for one more node, and reports a comma that is missing before it.
    fn begin_entry(&mut self) {
        let top = self.build.top();
        match top.slot {
            Slot::Comma | Slot::Colon(_) | Slot::KeyEnd(_) => {
                let at = self.build.last_end();
                self.build.error(at, at, SyntaxErrorKind::MissingComma);
                self.next_entry(self.cursor.at);
            }
            Slot::Next | Slot::Item(_) | Slot::Key(_) | Slot::Value(_) | Slot::Root => {}
        }
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
        self.flush_properties();
        self.next_entry(at + 1);
    }

    /// Adds null for a tag or an anchor with nothing behind it.
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
            let bracket = if kind == Kind::FlowSequence { ']' } else { '}' };
            let kind = SyntaxErrorKind::UnexpectedBracket(bracket);
            return self.build.error(at, at + 1, kind);
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

    /// Takes a collection that was just closed as key or value.
    fn after_flow(&mut self, base: usize) {
        if self.build.frames.len() > base {
            self.after_node(true);
        }
    }

    /// A node was added to the top frame: decides whether it is a key.
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

    /// `[key: value]`: the key was added as an item.
    fn open_pair(&mut self, end: usize) {
        if self.build.is_full() {
            return self.too_deep();
        }
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
                    self.check_key_line(end, at);
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

    /// A key and its colon at `colon` must stand on one line, but not so in JSON.
    fn check_key_line(&mut self, end: usize, colon: usize) {
        let start = self.build.last_start();
        let bytes = self.cursor.bytes();
        let json = self.build.json && bytes.get(start) == Some(&b'"');
        let line = if json { start..end } else { start..colon };
        let key = bytes.get(line).unwrap_or_default();
        if (0..key.len()).any(|at| break_at(key, at).is_some()) {
            let kind = SyntaxErrorKind::KeyOverLines;
            self.build.error(start, end, kind);
        }
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

fn is_flow(kind: Kind) -> bool {
    match kind {
        Kind::FlowMapping | Kind::FlowSequence | Kind::Pair => true,
        Kind::Document | Kind::Mapping | Kind::Sequence { .. } => false,
    }
}
