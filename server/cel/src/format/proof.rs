//! Comparison of trees.
//!
//! A formatter must never change the meaning of an expression. This is checked at run time: the
//! result is parsed, and its tree is compared with the original one.

use crate::syntax::{Ast, ExprKind, Name, Parse};
use std::mem::discriminant;
use text::Span;

/// Returns whether two expressions have no error, the same tree except for the ranges, and the
/// same comments.
#[must_use]
pub fn is_same(left: &Parse, right: &Parse) -> bool {
    let same_comment =
        |(a, b): (&Span, &Span)| left.ast.slice(*a).trim_end() == right.ast.slice(*b).trim_end();
    left.is_ok()
        && right.is_ok()
        && left.comments.len() == right.comments.len()
        && left.comments.iter().zip(&right.comments).all(same_comment)
        && has_same_tree(&left.ast, &right.ast)
}

fn has_same_tree(left: &Ast, right: &Ast) -> bool {
    let mut pairs = vec![(left.root(), right.root())];
    while let Some((a, b)) = pairs.pop() {
        let (of_left, of_right) = (left.kind(a), right.kind(b));
        let same_names = || {
            let names = names_of(of_left).into_iter().map(|it| left.slice(it.span));
            names.eq(names_of(of_right)
                .into_iter()
                .map(|it| right.slice(it.span)))
        };
        if !is_same_kind(of_left, of_right) || !same_names() {
            return false;
        }
        let (mut of_left, mut of_right) = (left.children(a), right.children(b));
        loop {
            match (of_left.next(), of_right.next()) {
                (Some(a), Some(b)) => pairs.push((a, b)),
                (None, None) => break,
                _ => return false,
            }
        }
    }
    true
}

/// Returns whether two nodes are the same, apart from their names and children.
fn is_same_kind(left: &ExprKind, right: &ExprKind) -> bool {
    discriminant(left) == discriminant(right)
        && marks_of(left) == marks_of(right)
        && match (left, right) {
            (ExprKind::Literal(left), ExprKind::Literal(right)) => left == right,
            (
                ExprKind::Unary {
                    operator, count, ..
                },
                ExprKind::Unary {
                    operator: other,
                    count: times,
                    ..
                },
            ) => (operator, count) == (other, times),
            (
                ExprKind::Binary { operator, .. },
                ExprKind::Binary {
                    operator: other, ..
                },
            ) => operator == other,
            (ExprKind::Error(_), _) => false,
            _ => true,
        }
}

/// Returns the names in a node.
fn names_of(kind: &ExprKind) -> Vec<Name> {
    match kind {
        ExprKind::Ident { name, .. } => vec![*name],
        ExprKind::Select { field, .. } => vec![*field],
        ExprKind::Call { function, .. } => vec![*function],
        ExprKind::Struct {
            type_name, fields, ..
        } => {
            let fields = fields.iter().map(|field| field.name);
            type_name.iter().copied().chain(fields).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns which optional marks a node has: the `?` of optionals, leading dots, a target.
fn marks_of(kind: &ExprKind) -> Vec<bool> {
    match kind {
        ExprKind::Ident { leading_dot, .. } => vec![*leading_dot],
        ExprKind::Select { optional, .. } | ExprKind::Index { optional, .. } => vec![*optional],
        ExprKind::Call {
            target,
            leading_dot,
            ..
        } => vec![target.is_some(), *leading_dot],
        ExprKind::List { elements } => elements.iter().map(|it| it.optional).collect(),
        ExprKind::Map { entries } => entries.iter().map(|it| it.optional).collect(),
        ExprKind::Struct {
            leading_dot,
            fields,
            ..
        } => {
            let fields = fields.iter().map(|it| it.optional);
            fields.chain([*leading_dot]).collect()
        }
        _ => Vec::new(),
    }
}
