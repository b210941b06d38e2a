//! Open collections.
//!
//! A frame holds the columns at which its collection continues and the token that it waits for,
//! so that each line finds its collection and missing parts can be filled with null.

use crate::tree::NONE;

/// An open collection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// The column of its keys or dashes; -1 for the document.
    pub(super) indent: i32,
    /// A second column at which keys or dashes are accepted, after one was reported there.
    pub(super) also: i32,
    /// The column of its latest key or dash.
    pub(super) current: i32,
    pub(super) slot: Slot,
    pub(super) node: u32,
    /// Its first byte.
    pub(super) start: usize,
    /// The index of its first child in the list of nodes without a collection.
    pub(super) from: usize,
    /// Its anchor, or [`NONE`].
    pub(super) anchor: u32,
    /// The number of its nodes, aliases expanded.
    pub(super) weight: u64,
    /// Whether a key is missing in it, which was reported.
    pub(super) keyless: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Document,
    Mapping,
    /// A sequence; one without indentation has its dashes at the column of the key.
    Sequence {
        indentless: bool,
    },
    FlowMapping,
    FlowSequence,
    /// `[a: b]`: a mapping without its own brackets.
    Pair,
}

/// The part of a collection that is expected next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// The next key or dash, or the end.
    Next,
    /// A key, after `?`, which ends at this offset.
    Key(usize),
    /// The colon after a key that began with `?`, which ends at this offset.
    Colon(usize),
    /// The colon on the line of a key in a flow mapping, which ends at this offset, or the
    /// end of an entry without a value.
    KeyEnd(usize),
    /// A value, after a colon that ends at this offset.
    Value(usize),
    /// An item, after a dash, bracket or comma that ends at this offset.
    Item(usize),
    /// The root of the document.
    Root,
    /// The comma or bracket after an entry of a flow collection.
    Comma,
}

impl Frame {
    /// The frame of a document that waits for its root.
    pub(super) const DOCUMENT: Frame = Frame {
        kind: Kind::Document,
        indent: -1,
        also: -1,
        current: -1,
        slot: Slot::Root,
        node: NONE,
        start: 0,
        from: 0,
        anchor: NONE,
        weight: 0,
        keyless: false,
    };

    /// Returns whether a node is missing.
    pub(super) fn awaits_node(&self) -> bool {
        match self.slot {
            Slot::Key(_) | Slot::Value(_) | Slot::Item(_) | Slot::Root => true,
            Slot::Next | Slot::Colon(_) | Slot::KeyEnd(_) | Slot::Comma => false,
        }
    }

    /// Returns whether keys or dashes of the collection are at `column`.
    pub(super) fn is_level(&self, column: i32) -> bool {
        column == self.indent || column == self.also
    }

    pub(super) fn is_sequence(&self) -> bool {
        matches!(self.kind, Kind::Sequence { .. })
    }

    pub(super) fn is_mapping(&self) -> bool {
        match self.kind {
            Kind::Mapping | Kind::FlowMapping | Kind::Pair => true,
            Kind::Document | Kind::Sequence { .. } | Kind::FlowSequence => false,
        }
    }
}
