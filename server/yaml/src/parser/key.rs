//! Keys: a node with its colon, or without one where it must still be a key.
//!
//! While a key is typed it has no colon yet. The lines around show that it is a key, and the
//! lines below keep their structure when it is read as one.

use super::anchors::Properties;
use super::block::NodePosition;
use super::content::{NodeStart, Scanned, ScannedNode, scalar};
use super::cursor::Cursor;
use super::frame::{Kind, Slot};
use super::lookahead::{is_key_byte, is_key_line};
use super::plain::PlainLine;
use super::{Parser, Position};
use crate::error::SyntaxErrorKind;

/// Limit: the characters of a key, with the blanks after it.
///
/// Upstream: go.yaml.in/yaml/v2, scannerc.go, yaml_simple_key_is_valid.
const MAX_KEY: usize = 1_024;

/// Returns whether a key is longer than the reader looks ahead.
pub(super) fn is_too_long(key: &str) -> bool {
    key.len() > MAX_KEY && (key.len() > 4 * MAX_KEY || key.chars().count() > MAX_KEY)
}

impl Parser<'_> {
    /// Reads a line of a mapping that lacks its colon, or the space after it.
    pub(super) fn key_without_colon(
        &mut self,
        start: usize,
        line: PlainLine,
        node_start: NodeStart,
    ) {
        self.cursor.at = line.next;
        let text = self.build.text.get(start..line.end).unwrap_or("");
        let Some(colon) = glued_colon(text).map(|colon| start + colon) else {
            let kind = SyntaxErrorKind::MissingColon;
            self.build.error(start, line.end, kind);
            self.place_key(scalar(start, line.end, true), node_start, line.end);
            self.position = Position::Inline;
            return;
        };
        let kind = SyntaxErrorKind::MissingSpaceAfterColon;
        self.build.error(colon, colon + 1, kind);
        self.place_key(scalar(start, colon, true), node_start, colon + 1);
        if !self.stopped {
            self.value(scalar(colon + 1, line.end, true), Properties::default());
            self.position = Position::Inline;
        }
    }

    /// Adds a node that is not a plain scalar as a key or a value.
    pub(super) fn settle_node(&mut self, scanned: Scanned, node_start: NodeStart) {
        let mut look = self.cursor;
        look.skip_blanks();
        let (start, end) = (scanned.range.start().into(), scanned.range.end().into());
        if look.is_indicator(b':') && node_start.place != NodePosition::Inline {
            if self.cursor.line != node_start.line {
                self.build.error(start, end, SyntaxErrorKind::KeyOverLines);
            }
            return self.key(scanned, node_start, look.at);
        }
        let key = match node_start.place {
            NodePosition::Entry => Some(node_start.column),
            NodePosition::Start => self.key_below(self.cursor, node_start),
            NodePosition::Inline => None,
        };
        if let Some(key) = key {
            if !scanned.broken {
                self.build.error(start, end, SyntaxErrorKind::MissingColon);
            }
            self.place_key(scanned, node_start.for_key(key), end);
        } else {
            self.value(scanned, node_start.own);
        }
        self.end_of_line();
    }

    /// Adds a node as a key whose colon is at `colon`.
    pub(super) fn key(&mut self, scanned: Scanned, node_start: NodeStart, colon: usize) {
        let text = self.build.text.get(node_start.start..colon).unwrap_or("");
        if is_too_long(text) {
            self.build
                .error_at(scanned.range, SyntaxErrorKind::KeyTooLong);
        }
        self.place_key(scanned, node_start, colon + 1);
        self.cursor.at = colon + 1;
        self.position = Position::Inline;
    }

    /// Adds a node as a key. Its value is searched for from `after` on.
    fn place_key(&mut self, scanned: Scanned, node_start: NodeStart, after: usize) {
        let added = matches!(scanned.node, ScannedNode::Added);
        if node_start.place == NodePosition::Start {
            if self.build.is_full() {
                return self.too_deep();
            }
            let (start, column) = (node_start.start, node_start.column);
            if added {
                self.build.open_around_last(Kind::Mapping, start, column);
            } else {
                self.build.open(Kind::Mapping, start, column, Slot::Next);
            }
        }
        if !added {
            self.build.properties = node_start.own;
            self.add(scanned);
        }
        self.build.top_mut().slot = Slot::Value(after);
    }

    /// Returns the column of the line below `cursor`, if it shows that the node before must be a
    /// key without a colon: a key next to it, or a value below it.
    pub(super) fn key_below(&mut self, cursor: Cursor<'_>, node_start: NodeStart) -> Option<i32> {
        let mut look = cursor;
        look.skip_blanks();
        if !look.is_line_end() && look.byte() != Some(b'#') {
            return None;
        }
        loop {
            look.skip_line();
            if !look.skip_break() {
                return None;
            }
            look.skip_blanks();
            if !look.is_line_end() && look.byte() != Some(b'#') {
                break;
            }
        }
        let column = look.column();
        let item = column > node_start.column && look.is_indicator(b'-');
        let key = column > self.build.top().current && is_key_line(look);
        let found = (item || key) && self.spend(look.at - cursor.at);
        found.then_some(column)
    }
}

/// Returns the colon of `key:value`, unless it belongs to something like `http://`.
fn glued_colon(text: &str) -> Option<usize> {
    let (key, value) = text.split_once(':')?;
    let is_name = !key.is_empty() && key.bytes().all(is_key_byte);
    (is_name && !value.is_empty() && !value.starts_with(['/', ':'])).then_some(key.len())
}
