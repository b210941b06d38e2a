//! The nodes of the block structure: a key with its colon, or a value with the end of its
//! line.

use super::anchors::Properties;
use super::block::NodePosition;
use super::build::verbatim;
use super::frame::{Kind, Slot};
use super::plain::{Context, PlainLine, Stop, scan_line};
use super::{Parser, Position};
use crate::decode::range;
use crate::error::SyntaxErrorKind;
use crate::style::ScalarStyle;
use crate::tree::ScalarData;
use text::TextRange;

/// The start of a node and its possible kinds.
#[derive(Clone, Copy)]
pub(super) struct NodeStart {
    /// The first byte of the node, with its tag and anchor.
    pub(super) start: usize,
    /// The first byte of its line.
    pub(super) line: usize,
    pub(super) column: i32,
    pub(super) place: NodePosition,
    /// The tag and the anchor on its line.
    pub(super) own: Properties,
}

impl NodeStart {
    /// Returns the start of a key next to one that begins at `column`.
    pub(super) fn for_key(self, column: i32) -> Self {
        Self {
            column: self.column.min(column),
            ..self
        }
    }
}

/// A node that is scanned and becomes a key or a value.
#[derive(Clone, Copy)]
pub(super) struct Scanned {
    pub(super) node: ScannedNode,
    pub(super) range: TextRange,
    /// Whether it lacks its closing quote or bracket, which was reported.
    pub(super) broken: bool,
}

#[derive(Clone, Copy)]
pub(super) enum ScannedNode {
    /// A scalar, and whether its content is verbatim.
    Scalar(ScalarData, bool),
    Alias,
    /// An alias without a name.
    Nothing,
    /// A flow collection, which is in the tree already.
    Added,
}

/// The lines of a plain scalar after its first.
struct Tail {
    end: usize,
    is_multiline: bool,
    /// The column of a line that stopped the scalar because it is a key.
    key: Option<i32>,
}

impl Parser<'_> {
    /// Reads a node that is not a block collection, with its tag and anchor.
    pub(super) fn content(&mut self, column: i32, place: NodePosition) {
        let (start, line) = (self.cursor.at, self.cursor.line);
        let own = self.properties();
        let node_start = NodeStart {
            start,
            line,
            column,
            place,
            own,
        };
        if !own.is_empty() && (self.cursor.is_line_end() || self.cursor.byte() == Some(b'#')) {
            return self.properties_alone(node_start);
        }
        if !own.is_empty() && place != NodePosition::Inline && self.cursor.is_indicator(b':') {
            let node = scalar(own.end, own.end, true);
            return self.key(node, node_start, self.cursor.at);
        }
        match self.cursor.byte() {
            Some(b'"' | b'\'') => {
                let threshold = match place {
                    NodePosition::Start => column,
                    NodePosition::Entry | NodePosition::Inline => self.build.top().current,
                };
                let scanned = self.quoted(threshold, false);
                self.settle_node(scanned, node_start);
            }
            Some(b'*') => {
                let scanned = self.alias();
                self.settle_node(scanned, node_start);
            }
            Some(b'{') if self.is_template() => self.template(node_start),
            Some(b'[' | b'{') => self.flow_node(node_start),
            Some(b'|' | b'>') if self.begins_block_scalar(node_start) => {
                self.join(node_start.own);
                self.block_scalar();
            }
            _ => self.plain_or_mistake(node_start),
        }
    }

    /// Returns whether the `|` or `>` at the cursor begins a block scalar. One at the beginning of
    /// the document, with keys below it, is an error.
    fn begins_block_scalar(&mut self, node_start: NodeStart) -> bool {
        match node_start.place {
            NodePosition::Entry => false,
            NodePosition::Inline => true,
            NodePosition::Start => {
                let mut header = self.cursor;
                header.skip_line();
                let at_root = self.build.top().kind == Kind::Document;
                !at_root || self.key_below(header, node_start) != Some(0)
            }
        }
    }

    /// Keeps a tag and an anchor at the end of a line, which belong to the node on the next line.
    fn properties_alone(&mut self, node_start: NodeStart) {
        if node_start.place == NodePosition::Entry {
            let kind = SyntaxErrorKind::MissingColon;
            return self.build.error(node_start.start, node_start.own.end, kind);
        }
        self.join(node_start.own);
        self.position = Position::Inline;
    }

    /// Adds tag and anchor to those on separate lines before the node.
    pub(super) fn join(&mut self, own: Properties) {
        let before = &mut self.build.properties;
        let repeated = before.repeats(&own);
        before.anchor = own.anchor.or(before.anchor);
        before.core = if own.tag.is_some() {
            own.core
        } else {
            before.core
        };
        before.tag = own.tag.or(before.tag);
        before.end = before.end.max(own.end);
        if repeated {
            let kind = SyntaxErrorKind::RepeatedProperty;
            self.build.error(own.end, own.end, kind);
        }
    }

    fn flow_node(&mut self, node_start: NodeStart) {
        let mut before = Properties::default();
        if self.build.properties.repeats(&node_start.own) {
            // The ones on the line before must then belong to a mapping that begins here.
            before = std::mem::take(&mut self.build.properties);
        }
        self.join(node_start.own);
        let scanned = self.flow();
        self.build.properties = before;
        let node_start = NodeStart {
            own: Properties::default(),
            ..node_start
        };
        self.settle_node(scanned, node_start);
        if !std::mem::take(&mut self.build.properties).is_empty() {
            let kind = SyntaxErrorKind::RepeatedProperty;
            self.build.error(node_start.start, node_start.start, kind);
        }
    }

    /// Reads `{{ … }}` where a value begins: it counts as the value.
    fn template(&mut self, node_start: NodeStart) {
        self.report_template();
        let text = NodeStart {
            place: NodePosition::Inline,
            ..node_start
        };
        self.plain(text, Context::BlockText);
    }

    /// Reads a plain scalar, or reports a character that cannot begin one.
    fn plain_or_mistake(&mut self, node_start: NodeStart) {
        let Some(kind) = self.unexpected() else {
            return self.plain(node_start, Context::Block);
        };
        if kind == SyntaxErrorKind::UnexpectedDash && node_start.place != NodePosition::Entry {
            return self.inline_sequence(node_start);
        }
        let line = scan_line(self.cursor.bytes(), self.cursor.at, Context::Block);
        if kind == SyntaxErrorKind::ColonInValue {
            let line = scan_line(self.cursor.bytes(), self.cursor.at, Context::BlockText);
            self.build.error(self.cursor.at, line.end, kind);
        } else {
            self.error_here(kind);
        }
        match node_start.place {
            NodePosition::Inline => self.plain(node_start, Context::BlockText),
            // A line that is not a key is skipped, so that the next one can begin the node.
            NodePosition::Start | NodePosition::Entry
                if line.stop == Stop::Colon && line.end > self.cursor.at =>
            {
                self.key(
                    scalar(self.cursor.at, line.end, true),
                    node_start,
                    line.next,
                );
            }
            NodePosition::Start | NodePosition::Entry => self.cursor.skip_line(),
        }
    }

    /// Reports `key: - item`, and reads it as the intended sequence.
    fn inline_sequence(&mut self, node_start: NodeStart) {
        self.error_here(SyntaxErrorKind::UnexpectedDash);
        if self.build.is_full() {
            return self.too_deep();
        }
        self.join(node_start.own);
        let kind = Kind::Sequence { indentless: false };
        let column = self.cursor.column();
        self.build.open(kind, self.cursor.at, column, Slot::Next);
        self.dash();
    }

    /// Returns the error if no plain scalar can begin here.
    fn unexpected(&self) -> Option<SyntaxErrorKind> {
        let byte = self.cursor.byte()?;
        let alone = self.cursor.is_blank_ahead(1);
        match byte {
            b'-' if alone => Some(SyntaxErrorKind::UnexpectedDash),
            b':' if alone => Some(SyntaxErrorKind::ColonInValue),
            b'?' if alone => Some(SyntaxErrorKind::UnexpectedCharacter('?')),
            b'@' | b'`' | b'%' | b'|' | b'>' => {
                Some(SyntaxErrorKind::UnexpectedCharacter(char::from(byte)))
            }
            b']' | b'}' | b',' => Some(SyntaxErrorKind::UnexpectedBracket(char::from(byte))),
            _ => None,
        }
    }

    /// Reads a plain scalar, or a key.
    fn plain(&mut self, node_start: NodeStart, context: Context) {
        let start = self.cursor.at;
        let bytes = self.cursor.bytes();
        let mut line = scan_line(bytes, start, context);
        let colon = line.stop == Stop::Colon;
        if colon && node_start.place != NodePosition::Inline {
            let node = scalar(start, line.end, true);
            return self.key(node, node_start, line.next);
        }
        if colon {
            line = scan_line(bytes, start, Context::BlockText);
        }
        if node_start.place == NodePosition::Entry {
            return self.key_without_colon(start, line, node_start);
        }
        self.cursor.at = line.next;
        let first = self.cursor;
        let tail = self.continued(line);
        if node_start.place == NodePosition::Start
            && let Some(key) = tail.key.or_else(|| self.key_below(self.cursor, node_start))
            && self.spend(self.cursor.at - first.at)
        {
            self.cursor = first;
            return self.key_without_colon(start, line, node_start.for_key(key));
        }
        if colon {
            self.build
                .error(start, tail.end, SyntaxErrorKind::ColonInValue);
        }
        let node = scalar(start, tail.end, !tail.is_multiline);
        self.value(node, node_start.own);
    }

    /// Reads the lines below, as long as they belong to the plain scalar.
    fn continued(&mut self, first: PlainLine) -> Tail {
        let indent = self.build.top().current;
        let mut tail = Tail {
            end: first.end,
            is_multiline: false,
            key: None,
        };
        let mut stop = first.stop;
        self.position = Position::Inline;
        while stop == Stop::LineEnd && self.next_text(indent) {
            let column = self.cursor.column();
            let ends = self.cursor.byte() == Some(b'#') || self.cursor.is_document_mark();
            if column <= indent || ends {
                break;
            }
            let line = scan_line(self.cursor.bytes(), self.cursor.at, Context::Block);
            stop = line.stop;
            if stop == Stop::Colon {
                tail.key = Some(column);
                break;
            }
            tail.end = line.end;
            tail.is_multiline = true;
            self.cursor.at = line.next;
            self.position = Position::Inline;
        }
        tail
    }

    /// Skips empty lines to the next line with text. Tabs are not indentation.
    fn next_text(&mut self, indent: i32) -> bool {
        while self.cursor.skip_break() {
            self.position = Position::Fresh;
            self.cursor.skip_spaces();
            if self.cursor.byte() == Some(b'\t') {
                if self.cursor.column() <= indent {
                    self.tab();
                } else {
                    self.cursor.skip_blanks();
                }
            }
            if !self.cursor.is_line_end() {
                return true;
            }
        }
        false
    }

    /// Adds a node as the value that the top frame waits for.
    pub(super) fn value(&mut self, scanned: Scanned, own: Properties) {
        if !matches!(scanned.node, ScannedNode::Added) {
            self.join(own);
            self.add(scanned);
            self.build.fill_slot();
        }
    }

    /// Adds a node to the top frame.
    pub(super) fn add(&mut self, scanned: Scanned) {
        match scanned.node {
            ScannedNode::Scalar(scalar, is_text) => {
                self.build.add_scalar(scalar, scanned.range, is_text);
            }
            ScannedNode::Alias => self.build.add_alias(scanned.range),
            ScannedNode::Nothing => self.build.add_null(scanned.range),
            ScannedNode::Added => {}
        }
    }

    /// Checks that only a comment follows a value on its line.
    pub(super) fn end_of_line(&mut self) {
        self.position = Position::Inline;
        let end = self.cursor.at;
        self.cursor.skip_blanks();
        if self.cursor.is_line_end() || self.cursor.byte() == Some(b'#') {
            return;
        }
        let start = self.cursor.at;
        if self.build.top().kind == Kind::Document {
            return self.leftover();
        }
        let line = scan_line(self.cursor.bytes(), start, Context::BlockText);
        let quote = self.cursor.bytes().get(end - 1).copied();
        match quote.filter(|quote| start == end && matches!(quote, b'"' | b'\'')) {
            Some(quote) => {
                let kind = SyntaxErrorKind::UnescapedQuote(char::from(quote));
                self.build.error(end - 1, end, kind);
            }
            None => {
                let kind = SyntaxErrorKind::TextAfterValue;
                self.build.error(start, line.end, kind);
            }
        }
        self.cursor.at = line.next;
    }
}

pub(super) fn scalar(start: usize, end: usize, is_text: bool) -> Scanned {
    Scanned {
        node: ScannedNode::Scalar(verbatim(ScalarStyle::Plain, start, end), is_text),
        range: range(start, end),
        broken: false,
    }
}
