//! The tree of a regular expression.

use super::class::Class;

/// A part of a regular expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// A code point. Halves of surrogate pairs are code points too, which no string has.
    Literal {
        code: u32,
        fold: bool,
    },
    Class(Class),
    /// Any code point but a line break.
    AnyInLine,
    Any,
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    WordBoundary,
    NoWordBoundary,
    /// A concatenation. An empty one matches the empty string.
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
    Capture(Box<Node>),
    Repeat(Box<Repeat>),
}

/// A part that is repeated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repeat {
    pub(super) node: Node,
    pub(super) min: u32,
    /// `None` without a limit.
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
    /// Whether it has braces.
    pub(super) counted: bool,
}

/// The size and height of a tree, counted while it grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    /// The levels of it.
    pub(super) height: u32,
    /// The instructions that Go compiles it to.
    pub(super) size: u64,
}

impl Extent {
    /// The extent of a part without parts.
    pub(super) const LEAF: Self = Self { height: 1, size: 1 };

    /// The extent of no part at all.
    pub(super) const NOTHING: Self = Self { height: 0, size: 0 };

    /// Returns the extent of the direct content.
    pub(super) const fn inside(self) -> Self {
        Self {
            height: self.height.saturating_sub(1),
            size: self.size,
        }
    }

    /// Returns the extent of several parts next to each other.
    pub(super) fn in_parallel_with(self, other: Self) -> Self {
        Self {
            height: self.height.max(other.height),
            size: self.size.saturating_add(other.size),
        }
    }

    /// Returns the extent of a part around this one.
    pub(super) const fn nested(self, more: u64) -> Self {
        Self {
            height: self.height.saturating_add(1),
            size: self.size.saturating_add(more),
        }
    }

    /// Returns the extent of this part repeated.
    ///
    /// Upstream: Go, regexp/syntax/parse.go, `calcSize`.
    pub(super) const fn repeated(self, min: u32, max: Option<u32>, counted: bool) -> Self {
        let size = match (counted, min, max) {
            (false, 0, None) | (true, 0, None) => self.size.saturating_add(2),
            (false, ..) => self.size.saturating_add(1),
            (true, min, None) => self.size.saturating_mul(min as u64).saturating_add(1),
            (true, min, Some(max)) => self
                .size
                .saturating_mul(max as u64)
                .saturating_add(max.saturating_sub(min) as u64),
        };
        Self {
            height: self.height.saturating_add(1),
            size: if size == 0 { 1 } else { size },
        }
    }
}

impl Node {
    /// Returns whether no innermost part is repeated more often than a limit, over all nested
    /// counts.
    ///
    /// Upstream: Go, regexp/syntax/parse.go, `repeatIsValid`.
    pub(super) fn repeats_at_most(&self, limit: u32) -> bool {
        match self {
            Node::Repeat(repeat) if repeat.counted => repeat.at_most(limit),
            Node::Repeat(repeat) => repeat.node.repeats_at_most(limit),
            Node::Capture(node) => node.repeats_at_most(limit),
            Node::Concat(nodes) | Node::Alternate(nodes) => {
                nodes.iter().all(|node| node.repeats_at_most(limit))
            }
            _ => true,
        }
    }
}

impl Repeat {
    fn at_most(&self, limit: u32) -> bool {
        let count = match self.max {
            Some(0) => return true,
            Some(max) => max,
            None => self.min,
        };
        count <= limit && self.node.repeats_at_most(limit / count.max(1))
    }
}
