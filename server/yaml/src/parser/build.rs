//! Builds a tree from nodes.
//!
//! Collections are open on a stack of frames while their children are read. A node is added to the
//! tree when it begins, so that its parent always exists.

use super::anchors::{Anchors, Properties};
use super::frame::{Frame, Kind, Slot};
use crate::decode::{self, TextSink, range};
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::stream::Stream;
use crate::style::ScalarStyle;
use crate::tree::{
    self, Children, Content, CoreTag, NONE, NodeData, ScalarData, ScalarText, empty_scalar,
};
use text::checkpoint::checkpoint;
use text::{TextRange, TextSize};

/// Limit: readers of the tree may recurse over it, and no policy nests this deep.
/// Kubernetes stops at 10,000.
pub(super) const MAX_DEPTH: usize = 1_000;

/// Limit: more errors than anybody reads; a file that is not YAML at all has one per line.
pub(super) const MAX_ERRORS: usize = 1_000;

/// The tree while it grows.
pub(super) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) stream: &'a mut Stream,
    pub(super) frames: Vec<Frame>,
    /// The document's frame, below all others.
    bottom: Frame,
    pub(super) pending: Vec<u32>,
    pub(super) anchors: Anchors<'a>,
    /// Tag and anchor on a separate line before the node.
    pub(super) properties: Properties,
    /// Whether kubectl tries to read the document as JSON first.
    pub(super) json: bool,
    /// The errors that do not apply if the document is JSON.
    pub(super) unless_json: Vec<SyntaxError>,
    /// The number of errors that hide the end of a collection.
    pub(super) failures: usize,
    first_error: usize,
    escapes: Vec<(TextRange, SyntaxErrorKind)>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, stream: &'a mut Stream, json: bool) -> Self {
        Self {
            text,
            first_error: stream.errors.len(),
            stream,
            frames: Vec::new(),
            bottom: Frame::DOCUMENT,
            pending: Vec::new(),
            anchors: Anchors::default(),
            properties: Properties::default(),
            json,
            unless_json: Vec::new(),
            failures: 0,
            escapes: Vec::new(),
        }
    }

    pub(super) fn top(&self) -> &Frame {
        self.frames.last().unwrap_or(&self.bottom)
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().unwrap_or(&mut self.bottom)
    }

    /// Returns the frame that holds the top one.
    pub(super) fn below(&self) -> &Frame {
        let below = self.frames.len().checked_sub(2);
        below
            .and_then(|index| self.frames.get(index))
            .unwrap_or(&self.bottom)
    }

    /// Returns whether the root of the document has begun.
    pub(super) fn has_root(&self) -> bool {
        self.bottom.slot != Slot::Root
    }

    /// Reports an error.
    pub(super) fn error(&mut self, start: usize, end: usize, kind: SyntaxErrorKind) {
        self.error_at(range(start, end), kind);
    }

    pub(super) fn error_at(&mut self, range: TextRange, kind: SyntaxErrorKind) {
        self.failures += usize::from(kind.is_structural());
        let errors = self
            .stream
            .errors
            .get(self.first_error..)
            .unwrap_or_default();
        if errors
            .last()
            .is_some_and(|error| error.range.start() == range.start())
        {
            // It follows from the error that was reported.
            return;
        }
        if self.stream.errors.len() < self.first_error + MAX_ERRORS {
            self.stream.errors.push(SyntaxError { range, kind });
        }
    }

    /// Returns whether the node index is close to its limit.
    pub(super) fn is_full(&self) -> bool {
        self.frames.len() >= MAX_DEPTH
    }

    /// Opens a collection in the slot of the top frame.
    pub(super) fn open(&mut self, kind: Kind, start: usize, indent: i32, slot: Slot) {
        let properties = std::mem::take(&mut self.properties);
        let content = match kind {
            Kind::Mapping | Kind::FlowMapping | Kind::Pair | Kind::Document => {
                Content::Mapping(Children::default())
            }
            Kind::Sequence { .. } | Kind::FlowSequence => Content::Sequence(Children::default()),
        };
        let (node, anchor) = self.push(range(start, start), content, &properties);
        self.fill_slot();
        self.frames.push(Frame {
            kind,
            indent,
            also: indent,
            current: indent,
            slot,
            node,
            start,
            from: self.pending.len(),
            anchor,
            weight: 0,
            keyless: false,
        });
    }

    /// Opens a mapping around the node that was added last, which becomes its first key.
    pub(super) fn open_around_last(&mut self, kind: Kind, start: usize, indent: i32) {
        let Some(key) = self.pending.pop() else {
            return;
        };
        self.open(kind, start, indent, Slot::Next);
        let parent = self.top().node;
        if let Some(node) = self.stream.tree.nodes.get_mut(key as usize) {
            node.parent = parent;
        }
        self.pending.push(key);
    }

    /// Closes the top frame; its node ends with its last child.
    pub(super) fn close(&mut self) {
        self.fill_missing();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if frame.is_mapping() {
            self.check_keys(&frame);
        }
        let tree = &mut self.stream.tree;
        let last = self
            .pending
            .last()
            .filter(|_| self.pending.len() > frame.from);
        let end = last
            .and_then(|last| tree.nodes.get(*last as usize))
            .map(|last| last.range.end());
        let children = tree.keep_children(self.pending.drain(frame.from..));
        if let Some(node) = tree.nodes.get_mut(frame.node as usize) {
            let end = end.unwrap_or_default().max(node.range.end());
            node.range = TextRange::new(node.range.start().min(end), end);
            node.content = if frame.is_mapping() {
                Content::Mapping(children)
            } else {
                Content::Sequence(children)
            };
        }
        self.anchors
            .close(frame.anchor, frame.weight.saturating_add(1));
        let top = self.top_mut();
        top.weight = top.weight.saturating_add(frame.weight);
    }

    /// Closes the top frame at its closing bracket, which ends at `end`.
    pub(super) fn close_at(&mut self, end: usize) {
        let node = self.top().node;
        if let Some(node) = self.stream.tree.nodes.get_mut(node as usize) {
            node.range = node.range.cover(range(end, end));
        }
        self.close();
    }

    /// Checks the keys and values of a mapping that is about to close.
    fn check_keys(&mut self, frame: &Frame) {
        let mut at = frame.from;
        while let Some(&[key, value]) = self.pending.get(at..at + 2) {
            at += 2;
            self.stream.has_merges |= super::key_rules::is_merge(self.stream, key);
            if let Some((range, kind)) =
                super::key_rules::check(self.stream, frame.keyless, key, value)
            {
                self.error_at(range, kind);
            }
        }
    }

    /// Adds null where the top frame still waits for a node.
    pub(super) fn fill_missing(&mut self) {
        match self.top().slot {
            Slot::Key(at) => {
                self.add_empty(at);
                self.add_empty(self.last_end());
            }
            Slot::Colon(at) | Slot::KeyEnd(at) | Slot::Value(at) => {
                // A key that lacks its closing bracket ended after its slot was filled.
                self.add_empty(at.max(self.last_end()));
            }
            Slot::Item(at) if self.top().is_sequence() => self.add_empty(at),
            Slot::Item(_) | Slot::Next | Slot::Comma => return,
            Slot::Root => {
                if !self.properties.is_empty() {
                    self.add_empty(self.properties.end);
                }
                return;
            }
        }
        self.top_mut().slot = Slot::Next;
    }

    /// Adds null at `at`, where no value is written.
    pub(super) fn add_empty(&mut self, at: usize) {
        let properties = std::mem::take(&mut self.properties);
        let at = if properties.is_empty() {
            at
        } else {
            properties.end
        };
        self.properties = properties;
        self.add_scalar(verbatim(ScalarStyle::Plain, at, at), range(at, at), true);
    }

    /// Adds a scalar. `plain_text` is whether the content is the verbatim text.
    pub(super) fn add_scalar(&mut self, mut scalar: ScalarData, at: TextRange, plain_text: bool) {
        let properties = std::mem::take(&mut self.properties);
        if !plain_text {
            scalar.text = self.decode(&scalar);
        }
        if let (Some(core), Some(tag)) = (properties.core, properties.tag) {
            self.resolve_tag(core, tag, &mut scalar);
        }
        let (_, anchor) = self.push(at, Content::Scalar(scalar), &properties);
        self.anchors.close(anchor, 1);
    }

    fn decode(&mut self, scalar: &ScalarData) -> ScalarText {
        let origin = scalar.content.start();
        let mut sink = TextSink::new(
            self.text,
            origin,
            &mut self.stream.tree.decoded,
            &mut self.escapes,
        );
        decode::decode(self.text, scalar, &mut sink);
        let text = sink.finish();
        for (range, kind) in std::mem::take(&mut self.escapes) {
            match kind {
                SyntaxErrorKind::UnknownEscape('/')
                | SyntaxErrorKind::SurrogateEscape
                | SyntaxErrorKind::InvalidEscape(0xD800..=0xDFFF) => {
                    self.error_unless_json(range, kind);
                }
                _ => self.error_at(range, kind),
            }
        }
        text
    }

    /// Reports an error that does not apply to JSON.
    pub(super) fn error_unless_json(&mut self, range: TextRange, kind: SyntaxErrorKind) {
        if !self.json {
            self.error_at(range, kind);
        } else if self.unless_json.len() < MAX_ERRORS {
            self.unless_json.push(SyntaxError { range, kind });
        }
    }

    /// Adds an alias.
    pub(super) fn add_alias(&mut self, at: TextRange) {
        let name = TextRange::new(at.start() + TextSize::new(1), at.end());
        let own = std::mem::take(&mut self.properties);
        if !own.is_empty() {
            self.error_at(at, SyntaxErrorKind::RepeatedProperty);
        }
        match self.anchors.resolve(slice(self.text, name)) {
            Ok((target, weight)) => {
                self.push(at, Content::Alias(target), &Properties::default());
                let top = self.top_mut();
                top.weight = top.weight.saturating_add(weight);
            }
            Err(kind) => {
                if let Some(kind) = kind {
                    self.error_at(at, kind);
                }
                self.add_null(at);
            }
        }
    }

    /// Adds null for meaningless bytes.
    pub(super) fn add_null(&mut self, at: TextRange) {
        let properties = std::mem::take(&mut self.properties);
        let node = empty_scalar(at.start(), NONE);
        let (_, anchor) = self.push(at, node.content, &properties);
        self.anchors.close(anchor, 1);
    }

    fn push(&mut self, at: TextRange, content: Content, properties: &Properties) -> (u32, u32) {
        checkpoint();
        let parent = self.top().node;
        let kept = if properties.is_empty() {
            NONE
        } else {
            let kept = &mut self.stream.tree.properties;
            kept.push(tree::Properties {
                anchor: properties.anchor,
                tag: properties.tag,
                core: properties.core,
            });
            u32::try_from(kept.len() - 1).unwrap_or(NONE)
        };
        let index = self.stream.tree.push(NodeData {
            range: at,
            parent,
            properties: kept,
            content,
        });
        self.pending.push(index);
        let top = self.top_mut();
        top.weight = top.weight.saturating_add(1);
        self.anchors.count();
        let anchor = properties.anchor.map_or(NONE, |name| {
            self.anchors.define(slice(self.text, name), index)
        });
        (index, anchor)
    }

    /// Checks that the string of a scalar matches its tag, and decodes base64.
    fn resolve_tag(&mut self, core: CoreTag, tag: TextRange, scalar: &mut ScalarData) {
        let text = self.stream.scalar_text(scalar);
        if !crate::value::suits_tag(core, text) {
            return self.error_at(tag, SyntaxErrorKind::TagMismatch);
        }
        if core == CoreTag::Binary {
            let bytes = text::decode_base64(text).unwrap_or_default();
            let decoded = &mut self.stream.tree.decoded;
            let start = decoded.len();
            decoded.push_str(&String::from_utf8_lossy(&bytes));
            scalar.text = ScalarText::Decoded(range(start, decoded.len()));
        }
    }

    /// Marks the slot of the top frame as filled.
    pub(super) fn fill_slot(&mut self) {
        let end = self.last_end();
        let top = self.top_mut();
        top.slot = match top.slot {
            Slot::Key(_) => Slot::Colon(end),
            Slot::Value(_) | Slot::Item(_) | Slot::Comma
                if matches!(
                    top.kind,
                    Kind::FlowMapping | Kind::FlowSequence | Kind::Pair
                ) =>
            {
                Slot::Comma
            }
            Slot::Value(_) | Slot::Item(_) | Slot::Root | Slot::Next | Slot::Comma => Slot::Next,
            slot @ (Slot::Colon(_) | Slot::KeyEnd(_)) => slot,
        };
    }

    /// Returns the end of the node that was added last.
    pub(super) fn last_end(&self) -> usize {
        let last = self.pending.last();
        let node = last.and_then(|last| self.stream.tree.nodes.get(*last as usize));
        node.map_or(0, |node| usize::from(node.range.end()))
    }

    /// Returns the beginning of the node that was added last.
    pub(super) fn last_start(&self) -> usize {
        let last = self.pending.last();
        let node = last.and_then(|last| self.stream.tree.nodes.get(*last as usize));
        node.map_or(0, |node| usize::from(node.range.start()))
    }

    /// Returns the root of the document, or [`NONE`].
    pub(super) fn root(&self) -> u32 {
        self.pending.first().copied().unwrap_or(NONE)
    }
}

/// Returns a scalar whose content is its verbatim text.
pub(super) fn verbatim(style: ScalarStyle, start: usize, end: usize) -> ScalarData {
    let content = range(start, end);
    ScalarData {
        style,
        content,
        text: ScalarText::Verbatim(content),
        ..ScalarData::EMPTY
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end()))
        .unwrap_or("")
}
