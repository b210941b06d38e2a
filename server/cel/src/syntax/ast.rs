//! The tree of an expression.
//!
//! All nodes of an expression are in one arena and are identified by dense numbers, so that types,
//! references and values are in tables next to the tree and the tree itself never changes. A node
//! keeps the range of each of its parts that a feature can refer to. Macros are calls like any
//! other here, and parentheses are nodes, so that the tree prints as written.

use std::sync::Arc;
use text::Span;

/// The number of a node in its [`Ast`].
///
/// Invariant: the nodes of one tree are numbered from 0 without a gap, and a child has a smaller
/// number than its parent. A table next to the tree is a `Vec` of [`Ast::len`] cells indexed by
/// [`ExprId::index`], and a loop over [`Ast::ids`] sees children first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(u32);

impl ExprId {
    /// Returns the cell of this node in a table next to the tree.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the node with this number.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// A node and the bytes that it covers, brackets included, comments around it not.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind.
    pub kind: ExprKind,
    /// The range. Empty if something is missing from the source.
    pub span: Span,
}

/// A name as written: an identifier, a field, a function.
///
/// Its text is [`Ast::name`]. A name that is missing from the source, as after the dot of
/// `object.`, has an empty span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The range, with the backticks of an escaped name.
    pub span: Span,
}

impl Name {
    /// Returns whether the name is missing from the source.
    #[must_use]
    pub const fn is_missing(self) -> bool {
        self.span.is_empty()
    }
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A position at which no expression could be read, or a value that CEL cannot represent. The
    /// parts that could be parsed are kept.
    Error(Box<[ExprId]>),
    /// A constant.
    Literal(Literal),
    /// A variable, or the first name of a qualified name.
    Ident {
        /// The name.
        name: Name,
        /// Whether a dot before the name makes it absolute: `.name`.
        leading_dot: bool,
    },
    /// `operand.field` or `operand.?field`.
    Select {
        /// The operand.
        operand: ExprId,
        /// The `.` or `.?`.
        operator: Span,
        /// Whether the operator is `.?`.
        optional: bool,
        /// The field.
        field: Name,
    },
    /// `operand[index]` or `operand[?index]`.
    Index {
        /// The operand.
        operand: ExprId,
        /// From `[` to `]`.
        brackets: Span,
        /// Whether the bracket is followed by `?`.
        optional: bool,
        /// The index or key.
        index: ExprId,
    },
    /// `function(args)` or `target.function(args)`, macros included.
    Call {
        /// The target of `target.function(args)`.
        target: Option<ExprId>,
        /// Whether a dot before the name makes it absolute: `.function(args)`.
        leading_dot: bool,
        /// The name of the function.
        function: Name,
        /// The arguments.
        args: Box<[ExprId]>,
        /// From `(` to `)`.
        parens: Span,
    },
    /// `!operand` or `-operand`, or several in a row.
    Unary {
        /// Which operator.
        operator: UnaryOperator,
        /// The number of operators in a row. CEL cancels pairs: `!!a` is `a`, regardless of its
        /// type.
        count: u32,
        /// From the first operator to the last.
        operator_span: Span,
        /// The operand.
        operand: ExprId,
    },
    /// `left operator right`.
    ///
    /// A chain `a && b && c && d`, and of `||` likewise, is a balanced tree, as cel-go
    /// builds it: `(a && b) && (c && d)`. All others group to the left.
    Binary {
        /// Which operator.
        operator: BinaryOperator,
        /// The range of the operator.
        operator_span: Span,
        /// The left side.
        left: ExprId,
        /// The right side.
        right: ExprId,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// Before the `?`.
        condition: ExprId,
        /// The `?`.
        question: Span,
        /// Between `?` and `:`.
        then: ExprId,
        /// The `:`.
        colon: Span,
        /// After the `:`.
        otherwise: ExprId,
    },
    /// `[a, ?b]`.
    List {
        /// The elements.
        elements: Box<[Element]>,
    },
    /// `{key: value, ?key: value}`.
    Map {
        /// The entries.
        entries: Box<[Entry]>,
    },
    /// `type.name{field: value, ?field: value}`.
    Struct {
        /// The parts of the type's name.
        type_name: Box<[Name]>,
        /// Whether a dot before the name makes it absolute.
        leading_dot: bool,
        /// From `{` to `}`.
        braces: Span,
        /// The fields.
        fields: Box<[Field]>,
    },
    /// `(inner)`.
    Paren(ExprId),
}

/// An element of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Whether a `?` precedes it.
    pub optional: bool,
    /// The value.
    pub value: ExprId,
}

/// An entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whether a `?` precedes it.
    pub optional: bool,
    /// The key.
    pub key: ExprId,
    /// The `:`.
    pub colon: Span,
    /// The value.
    pub value: ExprId,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Whether a `?` precedes it.
    pub optional: bool,
    /// The name.
    pub name: Name,
    /// The `:`.
    pub colon: Span,
    /// The value.
    pub value: ExprId,
}

/// A constant, with its escapes decoded.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer. A minus directly before the digits belongs to it.
    Int(i64),
    /// An unsigned integer, written with `u`.
    Uint(u64),
    /// A floating point number.
    Double(f64),
    /// A string.
    String(Box<str>),
    /// Bytes, written with `b`.
    Bytes(Box<[u8]>),
}

/// The operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
}

impl UnaryOperator {
    /// Returns the operator as written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Not => "!",
            UnaryOperator::Negate => "-",
        }
    }
}

/// The operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equals,
    /// `!=`
    NotEquals,
    /// `<`
    Less,
    /// `<=`
    LessEquals,
    /// `>`
    Greater,
    /// `>=`
    GreaterEquals,
    /// `in`
    In,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    /// Returns the operator as written.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Or => "||",
            BinaryOperator::And => "&&",
            BinaryOperator::Equals => "==",
            BinaryOperator::NotEquals => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEquals => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEquals => ">=",
            BinaryOperator::In => "in",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Modulo => "%",
        }
    }

    /// Returns how tightly the operator binds: higher is tighter.
    #[must_use]
    pub const fn precedence(self) -> Precedence {
        match self {
            BinaryOperator::Or => Precedence::Or,
            BinaryOperator::And => Precedence::And,
            BinaryOperator::Equals
            | BinaryOperator::NotEquals
            | BinaryOperator::Less
            | BinaryOperator::LessEquals
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEquals
            | BinaryOperator::In => Precedence::Relation,
            BinaryOperator::Add | BinaryOperator::Subtract => Precedence::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Modulo => {
                Precedence::Product
            }
        }
    }
}

/// The precedence of a binary operator, from loose to tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precedence {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`, `<`, `in` and so on
    Relation,
    /// `+` and `-`
    Sum,
    /// `*`, `/` and `%`
    Product,
}

/// The tree of an expression and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    text: Arc<str>,
    exprs: Vec<Expr>,
    root: ExprId,
}

/// The node for an ID of another tree.
static NOTHING: Expr = Expr {
    kind: ExprKind::Literal(Literal::Null),
    span: Span::empty(0),
};

impl Ast {
    /// Returns the tree of `text` with these nodes.
    pub(crate) fn new(text: &str, exprs: Vec<Expr>, root: ExprId) -> Self {
        Self {
            text: Arc::from(text),
            exprs,
            root,
        }
    }

    /// Returns the node that holds all others.
    #[must_use]
    pub const fn root(&self) -> ExprId {
        self.root
    }

    /// Returns a node. An ID that is not of this tree yields an empty `null`.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        self.exprs.get(id.index()).unwrap_or(&NOTHING)
    }

    /// Returns the kind of a node.
    #[must_use]
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.expr(id).kind
    }

    /// Returns the span of a node.
    #[must_use]
    pub fn span(&self, id: ExprId) -> Span {
        self.expr(id).span
    }

    /// Returns the number of nodes, and so of cells in a parallel table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Returns whether there is no node. No parsed tree is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Returns all IDs, children before their parents. After an error, some may have no parent.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        (0..self.exprs.len()).map(ExprId::new)
    }

    /// Returns the source of the expression.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the source of the expression, to be kept next to the tree.
    #[must_use]
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Returns the bytes of a span; empty if the span does not fit the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        span.slice(&self.text)
    }

    /// Returns the source of a name, without backticks.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        let written = self.slice(name.span);
        written
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix('`'))
            .unwrap_or(written)
    }

    /// Returns the node inside any parentheses around `id`.
    #[must_use]
    pub fn unparenthesized(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.kind(id) {
            id = *inner;
        }
        id
    }

    /// Returns the entries of a map literal that have string keys, and their values. None for other
    /// nodes.
    pub fn map_entries(&self, id: ExprId) -> impl Iterator<Item = (&str, ExprId)> {
        let entries = match self.kind(self.unparenthesized(id)) {
            ExprKind::Map { entries } => &**entries,
            _ => &[],
        };
        entries
            .iter()
            .filter_map(|entry| match self.kind(self.unparenthesized(entry.key)) {
                ExprKind::Literal(Literal::String(key)) => Some((&**key, entry.value)),
                _ => None,
            })
    }
}
