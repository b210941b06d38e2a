//! An expression with its macros expanded.
//!
//! The checker, the evaluator and the cost model follow cel-go, which has no macros after
//! parsing: `list.all(x, p)` is a comprehension with an accumulator. The expanded tree is next
//! to the source tree, and every node of it refers to the node of the source that it comes
//! from, so that each result has a position in the source.

mod build;
mod copy;
mod macros;
mod names;
#[cfg(test)]
mod tests;

use crate::syntax::{Ast, ExprId, Literal, MacroKind};
use std::sync::Arc;

/// Limit: the nodes of an expansion. The macros on optional values copy their receivers, so that a
/// chain of twenty of them has a million nodes. cel-go has no limit here except memory. A source of
/// the maximum length has less than half this many nodes.
pub const MAX_NODES: usize = 250_000;

/// The number of a node in its [`Expansion`].
///
/// Invariant: the nodes of one expansion are numbered from 0 without a gap, and a child has
/// a smaller number than its parent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Returns the cell of this node in a table next to the expansion.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// A node of an expanded expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The kind.
    pub kind: NodeKind,
    /// The node of the source that it comes from: itself, or the call of the macro.
    pub origin: ExprId,
    /// The byte offset that cel-go reports.
    pub offset: u32,
}

/// The kinds of node. Parentheses and pairs of unary operators are gone.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A part that could not be parsed. The parser has reported it.
    Error,
    /// A constant.
    Literal(Literal),
    /// A name, with a leading dot if it is absolute.
    Ident(Arc<str>),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        /// The operand.
        operand: NodeId,
        /// The field.
        field: Arc<str>,
        /// Whether it only tests the presence of the field.
        test_only: bool,
    },
    /// A call, operators included: `_+_`, `_[_]`, `_?._`, `_?_:_`.
    Call {
        /// The target of `target.function(args)`.
        target: Option<NodeId>,
        /// The name of the function.
        function: Arc<str>,
        /// The arguments.
        args: Box<[NodeId]>,
    },
    /// `[a, ?b]`.
    List {
        /// The elements.
        elements: Box<[NodeId]>,
        /// The indexes of the elements with a `?`, in order.
        optional: Box<[u32]>,
    },
    /// `{key: value}`.
    Map(Box<[MapEntry]>),
    /// `type.name{field: value}`.
    Struct {
        /// The name of the type, with a leading dot if it is absolute.
        type_name: Arc<str>,
        /// The fields.
        fields: Box<[StructField]>,
    },
    /// The expansion of a macro over the elements of a list or a map.
    Comprehension(Box<Comprehension>),
}

/// An entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// Whether a `?` precedes it.
    pub optional: bool,
    /// The key.
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
    /// The byte offset of the entry in cel-go.
    pub offset: u32,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Whether a `?` precedes it.
    pub optional: bool,
    /// The name.
    pub name: Arc<str>,
    /// The value.
    pub value: NodeId,
    /// The byte offset of the field in cel-go.
    pub offset: u32,
}

/// A loop over the elements of a list or the entries of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// The list or map to iterate over.
    pub range: NodeId,
    /// The variable of the element, of the key, or of the index.
    pub variable: Arc<str>,
    /// The second variable: the element or the value.
    pub second_variable: Option<Arc<str>>,
    /// The variable of the result so far.
    pub accumulator: Arc<str>,
    /// The first value of the accumulator.
    pub init: NodeId,
    /// The loop continues while it is true.
    pub condition: NodeId,
    /// The next value of the accumulator.
    pub step: NodeId,
    /// The result.
    pub result: NodeId,
}

/// The tree of an expression with its macros expanded.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    nodes: Vec<Node>,
    root: NodeId,
    /// By node of the source, its node in the expansion.
    of_expr: Vec<Option<NodeId>>,
    is_too_large: bool,
}

/// Returns the tree of an expression with those macros expanded for which, with their number of
/// variables, `expands` is true. Other macros stay calls.
#[must_use]
pub fn expand(ast: &Ast, expands: &dyn Fn(MacroKind, usize) -> bool) -> Expansion {
    build::build(ast, expands)
}

/// The node for an ID of another expansion.
static NOTHING: NodeKind = NodeKind::Error;

impl Expansion {
    /// Returns the node that holds all others.
    #[must_use]
    pub const fn root(&self) -> NodeId {
        self.root
    }

    /// Returns a node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    /// Returns the kind of a node.
    #[must_use]
    pub fn kind(&self, id: NodeId) -> &NodeKind {
        self.node(id).map_or(&NOTHING, |node| &node.kind)
    }

    /// Returns the expanded node of a node of the source. `None` if the expansion has none, as for
    /// the variable of a macro.
    #[must_use]
    pub fn of_expr(&self, expr: ExprId) -> Option<NodeId> {
        self.of_expr.get(expr.index()).copied().flatten()
    }

    /// Returns whether a part is missing, because there would be more than [`MAX_NODES`].
    #[must_use]
    pub const fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// Returns the number of nodes, and so of cells in a parallel table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is no node. No expansion is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns all IDs, children before their parents. After a check, some may have no parent.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// Replaces the kind of a node. The new kind must have only children with smaller numbers.
    pub(crate) fn replace(&mut self, id: NodeId, kind: NodeKind) {
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.kind = kind;
        }
    }
}
