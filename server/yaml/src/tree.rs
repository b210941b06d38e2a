//! The arena that holds the nodes of a stream.
//!
//! A file of Kubernetes manifests has tens of thousands of nodes. They live in a few flat
//! vectors and name each other by index, so that a parse costs few allocations, a handle is
//! two words, and dropping a deeply nested file does not recurse.

use crate::style::ScalarStyle;
use text::{TextRange, TextSize};

/// The index that means "no node".
pub(crate) const NONE: u32 = u32::MAX;

/// All nodes of a stream.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<NodeData>,
    /// The children of every collection, each collection's in one run. The keys and values of a
    /// mapping alternate.
    pub(crate) children: Vec<u32>,
    pub(crate) properties: Vec<Properties>,
    /// The decoded strings that are not verbatim in the file.
    pub(crate) decoded: String,
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeData {
    pub(crate) range: TextRange,
    pub(crate) parent: u32,
    /// Index into [`Tree::properties`], or [`NONE`].
    pub(crate) properties: u32,
    pub(crate) content: Content,
}

/// The content of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Scalar(ScalarData),
    Mapping(Children),
    Sequence(Children),
    /// Invariant: the target is complete before its alias, and is not an alias itself.
    Alias(u32),
}

/// A run in [`Tree::children`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Children {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarData {
    pub(crate) style: ScalarStyle,
    /// The bytes between the quotes, or after the header of a block scalar.
    pub(crate) content: TextRange,
    pub(crate) text: ScalarText,
    /// The column at which the lines of a block scalar begin.
    pub(crate) indent: u32,
    /// Whether the file ends within its last line, which Kubernetes reads with a line break.
    pub(crate) adds_break: bool,
}

/// The position of the decoded string of a scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ScalarText {
    /// In the file, as it is.
    Verbatim(TextRange),
    /// In [`Tree::decoded`].
    Decoded(TextRange),
}

/// The tag and the anchor of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Properties {
    /// The name without `&`.
    pub(crate) anchor: Option<TextRange>,
    /// The tag with its `!`.
    pub(crate) tag: Option<TextRange>,
    /// The full tag when it is one that Kubernetes resolves.
    pub(crate) core: Option<CoreTag>,
}

/// The tags of YAML that change how a scalar is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoreTag {
    Str,
    Bool,
    Int,
    Float,
    Null,
    Timestamp,
    Binary,
    Merge,
    /// `!`: the scalar is a string, but `<<` still merges.
    Bare,
    /// Any other tag: the scalar is a string.
    Other,
}

/// Returns an empty plain scalar at `at`, for a missing value.
pub(crate) fn empty_scalar(at: TextSize, parent: u32) -> NodeData {
    let range = TextRange::empty(at);
    NodeData {
        range,
        parent,
        properties: NONE,
        content: Content::Scalar(ScalarData {
            content: range,
            text: ScalarText::Verbatim(range),
            ..ScalarData::EMPTY
        }),
    }
}

impl ScalarText {
    /// Returns whether the string is as long as `text`, in bytes.
    pub(crate) fn has_length(self, text: &str) -> bool {
        let (Self::Verbatim(range) | Self::Decoded(range)) = self;
        usize::from(range.len()) == text.len()
    }
}

impl ScalarData {
    pub(crate) const EMPTY: ScalarData = ScalarData {
        style: ScalarStyle::Plain,
        content: TextRange::empty(TextSize::new(0)),
        text: ScalarText::Verbatim(TextRange::empty(TextSize::new(0))),
        indent: 0,
        adds_break: false,
    };
}

impl Tree {
    /// Adds a node and returns its index.
    pub(crate) fn push(&mut self, node: NodeData) -> u32 {
        let index = self.len();
        self.nodes.push(node);
        index
    }

    /// Returns the number of nodes, which is the index of the next.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    /// Keeps the children of a collection.
    pub(crate) fn keep_children(&mut self, children: impl Iterator<Item = u32>) -> Children {
        let start = self.children.len();
        self.children.extend(children);
        Children {
            start: u32::try_from(start).unwrap_or(NONE),
            len: u32::try_from(self.children.len() - start).unwrap_or(0),
        }
    }

    /// Returns the children of a collection.
    pub(crate) fn children(&self, children: Children) -> &[u32] {
        let start = children.start as usize;
        self.children
            .get(start..start + children.len as usize)
            .unwrap_or_default()
    }
}
