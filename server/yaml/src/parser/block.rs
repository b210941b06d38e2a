//! The block structure: which line belongs to which collection.
//!
//! Indentation decides. A line that fits nowhere is an error, but it is still read as what it
//! most probably should be, so that the lines around it keep their structure.

use super::frame::{Frame, Kind, Slot};
use super::lookahead::{has_item_below, is_key_line};
use super::{Parser, Position};
use crate::error::SyntaxErrorKind;

/// The position of a node, which decides whether it may be a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodePosition {
    /// At the beginning of a slot: it may be the first key of a mapping.
    Start,
    /// In a mapping: it must be a key.
    Entry,
    /// On the line of a key, after its colon: it cannot be a key.
    Inline,
}

impl Parser<'_> {
    /// Reads the document, token by token.
    pub(super) fn run(&mut self) {
        while !self.stopped && self.next_token() {
            self.token();
        }
        while !self.build.frames.is_empty() {
            self.build.close();
        }
        self.build.fill_missing();
    }

    /// Reads the token that begins here.
    fn token(&mut self) {
        let column = self.cursor.column();
        let dash = self.cursor.is_indicator(b'-') || self.is_glued_dash(column);
        if self.position == Position::Fresh {
            self.close_deeper(column, dash);
        }
        let top = *self.build.top();
        let inside = self.position != Position::Fresh || self.is_child(&top, column);
        if inside && top.awaits_node() {
            return match self.position {
                Position::Inline => self.content(column, NodePosition::Inline),
                Position::Fresh | Position::Compact => self.node(column),
            };
        }
        match top.kind {
            Kind::Mapping => self.entry(column, dash),
            Kind::Sequence { .. } => self.item(column, dash),
            Kind::Document | Kind::FlowMapping | Kind::FlowSequence | Kind::Pair => {
                self.leftover();
            }
        }
    }

    /// Returns whether `-item` is where only an item can be, so that the space was forgotten.
    fn is_glued_dash(&self, column: i32) -> bool {
        let after = self.cursor.ahead(1);
        let is_item = |byte: u8| byte.is_ascii_alphabetic() || b"\"'{[!&*".contains(&byte);
        if self.cursor.byte() != Some(b'-')
            || self.position != Position::Fresh
            || !after.is_some_and(is_item)
        {
            return false;
        }
        let frames = self.build.frames.iter().rev();
        let mut open = frames.take_while(|frame| frame.indent.max(frame.also) >= column);
        let is_key = is_key_line(self.cursor);
        open.any(|frame| {
            frame.is_level(column)
                && match frame.kind {
                    Kind::Sequence { indentless } => !indentless || !is_key,
                    Kind::Mapping => frame.awaits_node() && !is_key,
                    Kind::Document | Kind::FlowMapping | Kind::FlowSequence | Kind::Pair => false,
                }
        })
    }

    /// Closes the collections that end before a line at `column`, and reports a column that
    /// fits none. `dash` is whether the line begins with a dash.
    fn close_deeper(&mut self, column: i32, dash: bool) {
        loop {
            let (top, below) = (*self.build.top(), *self.build.below());
            if top.kind == Kind::Document || self.is_child(&top, column) {
                return;
            }
            if top.is_level(column) {
                let leaves_item = dash && below.is_sequence() && below.is_level(column);
                let ends = match top.kind {
                    Kind::Sequence { indentless } => indentless && !dash,
                    _ => leaves_item,
                };
                if !ends {
                    return;
                }
            } else if column > top.indent {
                if !(top.is_sequence() && !dash && below.kind == Kind::Mapping) {
                    return self.adopt(column, dash);
                }
            } else if self.is_misplaced(column, dash) {
                return self.adopt(column, dash);
            }
            self.build.close();
        }
    }

    /// Returns whether a line at `column` is the node that `frame` waits for. A block scalar
    /// may begin at the column of its key.
    fn is_child(&self, frame: &Frame, column: i32) -> bool {
        let is_block_scalar = || {
            matches!(self.cursor.byte(), Some(b'|' | b'>'))
                && !(frame.kind == Kind::Mapping && has_item_below(self.cursor))
        };
        frame.awaits_node()
            && (column > frame.current || (column == frame.current && is_block_scalar()))
    }

    /// Returns whether a line at `column`, left of the top collection, still belongs to it,
    /// because it is right of the collection around it.
    fn is_misplaced(&self, column: i32, dash: bool) -> bool {
        let (top, below) = (self.build.top(), self.build.below());
        if below.kind == Kind::Document {
            return true;
        }
        if below.is_level(column) {
            // A key at the column of the dashes continues the item.
            let real = below.kind == Kind::Sequence { indentless: false };
            return real && !dash && top.kind == Kind::Mapping;
        }
        column > below.indent && dash == top.is_sequence()
    }

    /// Adds a line to the top collection although its column is wrong.
    fn adopt(&mut self, column: i32, dash: bool) {
        let top = self.build.top();
        let fits = match top.kind {
            Kind::Mapping => !dash,
            Kind::Sequence { .. } => dash,
            Kind::Document | Kind::FlowMapping | Kind::FlowSequence | Kind::Pair => return,
        };
        let below = self.build.below();
        let ends_root = below.kind == Kind::Document && column < top.indent;
        if fits || top.awaits_node() || ends_root {
            let kind = if below.is_sequence() && below.is_level(column) {
                SyntaxErrorKind::KeyInSequence
            } else if ends_root {
                // It is still read, for the features of an editor.
                SyntaxErrorKind::TextAfterRoot
            } else {
                SyntaxErrorKind::BadIndentation
            };
            self.error_here(kind);
        }
        self.build.top_mut().also = column;
    }

    /// Reads a node in a slot, where keys, dashes and `?` may begin collections.
    fn node(&mut self, column: i32) {
        let at = self.cursor.at;
        if self.build.is_full() {
            return self.too_deep();
        }
        if self.cursor.is_indicator(b'-') {
            let below = self.build.top();
            let indentless = below.kind == Kind::Mapping && below.is_level(column);
            self.build
                .open(Kind::Sequence { indentless }, at, column, Slot::Next);
            self.dash();
        } else if self.cursor.is_indicator(b'?') {
            self.build.open(Kind::Mapping, at, column, Slot::Next);
            self.question();
        } else if self.cursor.is_indicator(b':') {
            self.build.open(Kind::Mapping, at, column, Slot::Next);
            self.colon();
        } else {
            self.content(column, NodePosition::Start);
        }
    }

    /// Reads the next entry of a mapping.
    fn entry(&mut self, column: i32, dash: bool) {
        self.build.top_mut().current = column;
        if dash {
            return self.dash_in_mapping(column);
        }
        if self.cursor.is_indicator(b':') {
            return self.colon();
        }
        self.build.fill_missing();
        if self.cursor.is_indicator(b'?') {
            return self.question();
        }
        self.content(column, NodePosition::Entry);
    }

    /// Reads a dash at the column of keys: the sequence that the last key waits for, or an error.
    fn dash_in_mapping(&mut self, column: i32) {
        if self.build.is_full() {
            return self.too_deep();
        }
        let at = self.cursor.at;
        if !self.build.top().awaits_node() {
            self.error_here(SyntaxErrorKind::ItemInMapping);
            self.build.fill_missing();
            self.build.add_empty(at);
            let top = self.build.top_mut();
            top.keyless = true;
            top.slot = Slot::Value(at);
        }
        let kind = Kind::Sequence { indentless: true };
        self.build.open(kind, at, column, Slot::Next);
        self.dash();
    }

    /// Reads the next item of a sequence.
    fn item(&mut self, column: i32, dash: bool) {
        if dash {
            return self.dash();
        }
        // The item has no dash. An item that lacks its node gets this one.
        self.error_here(SyntaxErrorKind::KeyInSequence);
        let at = self.cursor.at;
        let top = self.build.top_mut();
        top.current = column;
        if !top.awaits_node() {
            top.slot = Slot::Item(at);
        }
        self.node(column);
    }

    /// Reads `- `, which adds an item to the top sequence.
    pub(super) fn dash(&mut self) {
        self.build.fill_missing();
        self.build.top_mut().current = self.cursor.column();
        if !self.cursor.is_blank_ahead(1) {
            self.error_here(SyntaxErrorKind::MissingSpaceAfterDash);
        }
        self.cursor.at += 1;
        self.build.top_mut().slot = Slot::Item(self.cursor.at);
        self.position = Position::Compact;
    }

    /// Reads `? `, which adds a key to the top mapping.
    fn question(&mut self) {
        self.cursor.at += 1;
        self.build.top_mut().slot = Slot::Key(self.cursor.at);
        self.position = Position::Compact;
    }

    /// Reads `: ` at the beginning of a line: the value of a key after `?`.
    fn colon(&mut self) {
        let at = self.cursor.at;
        match self.build.top().slot {
            Slot::Colon(_) => {}
            Slot::Key(end) => self.build.add_empty(end),
            _ => {
                self.build.fill_missing();
                self.error_here(SyntaxErrorKind::MissingKey);
                self.build.add_empty(at);
                self.build.top_mut().keyless = true;
            }
        }
        self.cursor.at += 1;
        self.build.top_mut().slot = Slot::Value(self.cursor.at);
        self.position = Position::Compact;
    }

    /// Skips text after the root node.
    ///
    /// Upstream: go.yaml.in/yaml/v2, yaml.go, unmarshal: it reads the first document of its
    /// text, and parserc.go, yaml_parser_parse_document_end, ignores the tokens after it.
    pub(super) fn leftover(&mut self) {
        self.error_here(SyntaxErrorKind::TextAfterRoot);
        self.stopped = true;
    }

    pub(super) fn too_deep(&mut self) {
        self.error_here(SyntaxErrorKind::TooDeep(super::build::MAX_DEPTH));
        self.stopped = true;
    }
}
