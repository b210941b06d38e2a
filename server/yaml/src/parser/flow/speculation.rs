//! Lines that may show that a bracket was forgotten before them.
//!
//! Such a line is read as part of the collection at first, because a file may be written
//! without any indentation in its brackets. When an error turns up before the brackets are
//! closed, the parser goes back to the line and closes them there.

use super::Outer;
use crate::error::SyntaxErrorKind;
use crate::parser::Parser;
use crate::parser::anchors::Anchors;
use crate::parser::build::Builder;
use crate::parser::cursor::Cursor;
use crate::parser::frame::{Frame, Kind, Slot};
use crate::parser::lookahead::begins_with_key;

/// The state of the parser before a line that may not belong to the collection.
pub(in crate::parser) struct Speculation<'a> {
    /// The end of the text before the line.
    before: Cursor<'a>,
    /// The first token of the line.
    look: Cursor<'a>,
    failures: usize,
    after_mistake: bool,
    frames: Vec<Frame>,
    /// The nodes without a collection, and how many more there are below them.
    pending: Vec<u32>,
    pending_start: usize,
    nodes: usize,
    children: usize,
    properties: usize,
    decoded: usize,
    errors: usize,
    comments: usize,
    anchors: Anchors<'a>,
}

/// The conclusion from a line about the collection that contains it.
enum Membership {
    Belongs,
    Doubtful,
    Foreign,
}

impl<'a> Parser<'a> {
    /// Returns whether the line at `look` belongs to the open collections. If not, those that
    /// end before it are closed.
    pub(super) fn belongs_to_flow(
        &mut self,
        outer: Outer,
        look: Cursor<'a>,
        comments: usize,
    ) -> bool {
        match self.membership(outer, look) {
            Membership::Belongs => {
                self.begin_missing_entry(look);
                true
            }
            Membership::Doubtful if self.speculation.is_some() => true,
            Membership::Doubtful
                if self.lookahead > 0 && self.spend(self.build.pending_from(outer.base)) =>
            {
                self.speculation = Some(self.begin_speculation(outer, look, comments));
                true
            }
            Membership::Doubtful | Membership::Foreign => {
                self.build.stream.comments.truncate(comments);
                self.close_before(outer, look);
                false
            }
        }
    }

    /// Reports a key on a new line where a value or a comma is expected: the comma is missing, or
    /// the brace if the key is indented more than the one before.
    fn begin_missing_entry(&mut self, look: Cursor<'a>) {
        let top = *self.build.top();
        let awaits = matches!(top.slot, Slot::Value(_) | Slot::KeyEnd(_));
        if top.kind != Kind::FlowMapping || !awaits || !begins_with_key(look) {
            return;
        }
        let line = self.indentation();
        if look.column() <= line || self.build.is_full() {
            self.build.fill_missing();
            self.build.top_mut().slot = Slot::Comma;
            return;
        }
        if !std::mem::replace(&mut self.after_mistake, true) {
            let at = self.cursor.at;
            self.build.error(at, at, SyntaxErrorKind::MissingBrace);
        }
        self.build.top_mut().slot = Slot::Value(self.cursor.at);
        self.build
            .open(Kind::FlowMapping, look.at, line, Slot::Next);
    }

    fn membership(&self, outer: Outer, look: Cursor<'_>) -> Membership {
        if matches!(look.byte(), Some(b']' | b'}' | b',')) {
            return Membership::Belongs;
        }
        if outer.owner >= 0 && look.is_indicator(b'-') {
            return Membership::Foreign;
        }
        let entry = self.begins_entry(outer, look);
        let mut brackets = self.brackets(outer);
        let outdented = brackets.next().is_some_and(|top| ends_before(top, look));
        let nested = brackets.next().is_some();
        let outdented = outdented && (nested || outer.owner >= 0);
        match self.build.top().slot {
            Slot::Next | Slot::Item(_) | Slot::Key(_) if entry || outdented => Membership::Doubtful,
            Slot::Value(_) if outdented && !entry => Membership::Doubtful,
            Slot::Value(_) | Slot::Colon(_) | Slot::KeyEnd(_) | Slot::Comma if entry => {
                Membership::Foreign
            }
            Slot::Colon(_) | Slot::KeyEnd(_) | Slot::Comma if outdented && nested => {
                Membership::Foreign
            }
            _ => Membership::Belongs,
        }
    }

    /// Returns whether the line at `look` begins with a key that may belong to the enclosing block
    /// structure. In a file that is entirely JSON, keys have quotes.
    fn begins_entry(&self, outer: Outer, look: Cursor<'_>) -> bool {
        let frame = self.build.frames.get(outer.base);
        let column = match frame {
            Some(root) if outer.owner < 0 && look.byte() != Some(b'"') => root.indent,
            _ => outer.owner,
        };
        look.column() <= column && begins_with_key(look)
    }

    /// Returns the collections with brackets that are open, the innermost first.
    fn brackets(&self, outer: Outer) -> impl Iterator<Item = &Frame> {
        let frames = self.build.frames.get(outer.base..).unwrap_or_default();
        let with_brackets = |frame: &&Frame| frame.kind != Kind::Pair;
        frames.iter().rev().filter(with_brackets)
    }

    /// Closes the collections that end before the line at `look`.
    fn close_before(&mut self, outer: Outer, look: Cursor<'a>) {
        let leaves_all = look.is_indicator(b'-') || self.begins_entry(outer, look);
        let root = self.build.frames.get(outer.base).map(|frame| frame.node);
        self.close_unclosed(outer, look, |frame| {
            let is_root = outer.owner < 0 && Some(frame.node) == root;
            leaves_all || (!is_root && ends_before(frame, look))
        });
    }

    fn begin_speculation(
        &self,
        outer: Outer,
        look: Cursor<'a>,
        comments: usize,
    ) -> Speculation<'a> {
        let (pending_start, pending) = self.build.pending_of(outer.base);
        let stream = &self.build.stream;
        Speculation {
            before: self.cursor,
            look,
            failures: self.build.failures,
            after_mistake: self.after_mistake,
            frames: self.build.frames.clone(),
            pending,
            pending_start,
            nodes: stream.tree.nodes.len(),
            children: stream.tree.children.len(),
            properties: stream.tree.properties.len(),
            decoded: stream.tree.decoded.len(),
            errors: stream.errors.len(),
            comments,
            anchors: self.build.anchors.clone(),
        }
    }

    /// Ends the speculation when an error was found, and goes back to the doubtful line.
    pub(super) fn check_trial(&mut self, outer: Outer) {
        let stopped = self.stopped;
        let failed = |speculation: &mut Speculation<'_>| {
            stopped || self.build.failures > speculation.failures
        };
        let Some(speculation) = self.speculation.take_if(failed) else {
            return;
        };
        let read = self.cursor.at.saturating_sub(speculation.before.at);
        self.spend(read);
        let (before, look) = (speculation.before, speculation.look);
        self.after_mistake = speculation.after_mistake;
        self.stopped = false;
        self.build.go_back(speculation);
        self.cursor = before;
        self.close_before(outer, look);
    }
}

impl<'a> Builder<'a> {
    /// Returns the number of nodes that wait for the collections above the first `base` frames.
    fn pending_from(&self, base: usize) -> usize {
        self.pending.len() - self.pending_start(base)
    }

    fn pending_start(&self, base: usize) -> usize {
        let frame = self.frames.get(base);
        let start = frame.map_or(self.pending.len(), |frame| frame.from);
        start.min(self.pending.len())
    }

    fn pending_of(&self, base: usize) -> (usize, Vec<u32>) {
        let start = self.pending_start(base);
        let pending = self.pending.get(start..).unwrap_or_default();
        (start, pending.to_vec())
    }

    /// Removes the nodes that were built since the speculation began.
    fn go_back(&mut self, speculation: Speculation<'a>) {
        let stream = &mut self.stream;
        stream.tree.nodes.truncate(speculation.nodes);
        stream.tree.children.truncate(speculation.children);
        stream.tree.properties.truncate(speculation.properties);
        stream.tree.decoded.truncate(speculation.decoded);
        stream.errors.truncate(speculation.errors);
        stream.comments.truncate(speculation.comments);
        for frame in &speculation.frames {
            if let Some(node) = stream.tree.nodes.get_mut(frame.node as usize) {
                node.range = crate::decode::range(frame.start, frame.start);
            }
        }
        self.failures = speculation.failures;
        self.frames = speculation.frames;
        self.pending.truncate(speculation.pending_start);
        self.pending.extend(speculation.pending);
        self.anchors = speculation.anchors;
    }
}

/// Returns whether the collection of `frame` began on a line that is indented at least as much
/// as the line at `look`, so that it should have ended.
fn ends_before(frame: &Frame, look: Cursor<'_>) -> bool {
    look.column() <= frame.indent
}
