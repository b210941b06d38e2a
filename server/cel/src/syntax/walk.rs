//! Walks through a tree.
//!
//! Every feature searches a tree for something: the node under the cursor, all names, all
//! calls. The walks are written once and do not recurse, so no tree is too deep for them.

use super::ast::{Ast, Element, Entry, ExprId, ExprKind, Field, Name};
use super::lexer::tokens;
use std::{iter, slice};

impl Ast {
    /// Returns the source of a node without white space, comments and outer parentheses, for
    /// comparison.
    #[must_use]
    pub fn normalized_source(&self, id: ExprId) -> String {
        let text = self.slice(self.span(self.unparenthesized(id)));
        let mut words = String::with_capacity(text.len());
        for token in tokens(text).filter(|token| !token.kind.is_trivia()) {
            let word = token.span.slice(text);
            let is_word = |character: char| character.is_alphanumeric() || character == '_';
            if words.ends_with(is_word) && word.starts_with(is_word) {
                words.push(' ');
            }
            words.push_str(word);
        }
        words
    }

    /// Returns the direct children of a node, in source order.
    #[must_use]
    pub fn children(&self, id: ExprId) -> Children<'_> {
        match self.kind(id) {
            ExprKind::Error(parts) => Children::new([], RemainingChildren::Exprs(parts.iter())),
            ExprKind::Literal(_) | ExprKind::Ident { .. } => {
                Children::new([], RemainingChildren::None)
            }
            ExprKind::Select { operand, .. } | ExprKind::Unary { operand, .. } => {
                Children::new([*operand], RemainingChildren::None)
            }
            ExprKind::Paren(inner) => Children::new([*inner], RemainingChildren::None),
            ExprKind::Index { operand, index, .. } => {
                Children::new([*operand, *index], RemainingChildren::None)
            }
            ExprKind::Call { target, args, .. } => Children {
                head: [*target, None, None],
                rest: RemainingChildren::Exprs(args.iter()),
            },
            ExprKind::Binary { left, right, .. } => {
                Children::new([*left, *right], RemainingChildren::None)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => Children::new([*condition, *then, *otherwise], RemainingChildren::None),
            ExprKind::List { elements } => {
                Children::new([], RemainingChildren::Elements(elements.iter()))
            }
            ExprKind::Map { entries } => {
                Children::new([], RemainingChildren::Entries(entries.iter()))
            }
            ExprKind::Struct { fields, .. } => {
                Children::new([], RemainingChildren::Fields(fields.iter()))
            }
        }
    }

    /// Returns the node and everything below it, parents first, in source order.
    pub fn descendants(&self, id: ExprId) -> impl Iterator<Item = ExprId> + '_ {
        let mut open: Vec<Children<'_>> = Vec::new();
        let mut first = Some(id);
        iter::from_fn(move || {
            if let Some(first) = first.take() {
                open.push(self.children(first));
                return Some(first);
            }
            loop {
                let Some(next) = open.last_mut()?.next() else {
                    open.pop();
                    continue;
                };
                open.push(self.children(next));
                return Some(next);
            }
        })
    }

    /// Returns the nodes at an offset, from the root to the innermost.
    ///
    /// A cursor between two nodes belongs to the one that begins there, otherwise to the one that
    /// ends there. Empty if the offset touches no node.
    #[must_use]
    pub fn path_at(&self, offset: u32) -> Vec<ExprId> {
        let mut path = Vec::new();
        let mut next = Some(self.root()).filter(|root| self.span(*root).touches(offset));
        while let Some(id) = next {
            path.push(id);
            next = self.child_at(id, offset);
        }
        path
    }

    fn child_at(&self, id: ExprId, offset: u32) -> Option<ExprId> {
        let mut touching = None;
        for child in self.children(id) {
            let span = self.span(child);
            if span.start() <= offset && offset < span.end() {
                return Some(child);
            }
            if span.touches(offset) {
                touching = Some(child);
            }
        }
        touching
    }

    /// Returns the names of a chain `a.b.c`, where `id` is the whole chain. Parentheses are
    /// ignored, as in cel-go. `None` for anything else, such as a chain with `.?`, an index or a
    /// call.
    #[must_use]
    pub fn qualified_name(&self, id: ExprId) -> Option<QualifiedName> {
        let mut names = Vec::new();
        let mut at = id;
        loop {
            at = self.unparenthesized(at);
            match self.kind(at) {
                ExprKind::Select {
                    operand,
                    optional: false,
                    field,
                    ..
                } => {
                    names.push(*field);
                    at = *operand;
                }
                ExprKind::Ident { name, leading_dot } => {
                    names.push(*name);
                    names.reverse();
                    return Some(QualifiedName {
                        leading_dot: *leading_dot,
                        names,
                    });
                }
                _ => return None,
            }
        }
    }
}

/// The names of a chain such as `a.b.c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualifiedName {
    /// Whether the chain begins with a dot and is therefore absolute.
    pub leading_dot: bool,
    /// The names, the first one first. Never empty.
    pub names: Vec<Name>,
}

impl QualifiedName {
    /// Returns the name as one string, joined with dots and without a leading one.
    #[must_use]
    pub fn join(&self, ast: &Ast) -> String {
        let names: Vec<&str> = self.names.iter().map(|name| ast.name(*name)).collect();
        names.join(".")
    }
}

/// The direct children of a node, in source order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    head: [Option<ExprId>; 3],
    rest: RemainingChildren<'a>,
}

#[derive(Clone, Debug)]
enum RemainingChildren<'a> {
    None,
    Exprs(slice::Iter<'a, ExprId>),
    Elements(slice::Iter<'a, Element>),
    Entries(slice::Iter<'a, Entry>),
    Fields(slice::Iter<'a, Field>),
}

impl<'a> Children<'a> {
    fn new<const N: usize>(head: [ExprId; N], rest: RemainingChildren<'a>) -> Self {
        let mut ids = head.into_iter();
        Self {
            head: [ids.next(), ids.next(), ids.next()],
            rest,
        }
    }
}

impl Iterator for Children<'_> {
    type Item = ExprId;

    fn next(&mut self) -> Option<ExprId> {
        if let Some(next) = self.head.iter_mut().find_map(Option::take) {
            return Some(next);
        }
        match &mut self.rest {
            RemainingChildren::None => None,
            RemainingChildren::Exprs(exprs) => exprs.next().copied(),
            RemainingChildren::Elements(elements) => elements.next().map(|element| element.value),
            RemainingChildren::Fields(fields) => fields.next().map(|field| field.value),
            RemainingChildren::Entries(entries) => {
                let entry = entries.next()?;
                self.head = [Some(entry.value), None, None];
                Some(entry.key)
            }
        }
    }
}
