//! The branches of an expression.
//!
//! A chain such as `a && (b || c)` is true or false because of `a`, `b` and `c`, so these are
//! its operands, however it is nested: their outcomes determine that of the whole. The outcome
//! of `c` determines which side of `c ? a : b` runs. A negation and a comparison do not branch,
//! and an operand without a variable has only one outcome.

use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, IdentRole};
use std::cmp::Reverse;

/// The kind of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchKind {
    /// An operand of `&&` or `||`: it must be true and false.
    Operand,
    /// The operand between `?` and `:`.
    Then,
    /// The operand after the `:`.
    Otherwise,
}

impl BranchKind {
    /// Returns how many outcomes it has.
    pub(super) const fn outcomes(self) -> usize {
        match self {
            BranchKind::Operand => 2,
            BranchKind::Then | BranchKind::Otherwise => 1,
        }
    }
}

/// A branch.
pub(super) struct Branch {
    pub(super) kind: BranchKind,
    /// The branch itself, without parentheses around it.
    pub(super) operand: ExprId,
    /// The node that shows whether it was taken: itself, or the condition before the `?`.
    pub(super) decides: ExprId,
}

/// Returns the branches of an expression, in source order, an outer one before those in it.
pub(super) fn branches(ast: &Ast) -> Vec<Branch> {
    let mut found = Vec::new();
    for id in ast.descendants(ast.root()) {
        match ast.kind(id) {
            ExprKind::Binary { left, right, .. } if joins(ast, id) => {
                let operands = [*left, *right].map(|operand| ast.bare(operand));
                let operands = operands.into_iter().filter(|it| !joins(ast, *it));
                found.extend(operands.filter(|it| !is_constant(ast, *it)).map(operand));
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } if !is_constant(ast, *condition) => {
                let decides = ast.bare(*condition);
                let sides = [
                    (BranchKind::Then, *then),
                    (BranchKind::Otherwise, *otherwise),
                ];
                found.extend(sides.map(|(kind, side)| Branch {
                    kind,
                    operand: ast.unparenthesized(side),
                    decides,
                }));
            }
            _ => {}
        }
    }
    found.sort_by_cached_key(|branch| {
        let span = ast.span(branch.operand);
        (span.start(), Reverse(span.end()))
    });
    found
}

fn operand(id: ExprId) -> Branch {
    Branch {
        kind: BranchKind::Operand,
        operand: id,
        decides: id,
    }
}

/// Returns whether a node is `a && b` or `a || b`.
fn joins(ast: &Ast, id: ExprId) -> bool {
    let ExprKind::Binary { operator, .. } = ast.kind(id) else {
        return false;
    };
    matches!(operator, BinaryOperator::And | BinaryOperator::Or)
}

/// Returns whether a part reads no variable except those of loops within it, so that its value is
/// always the same.
pub(super) fn is_constant(ast: &Ast, id: ExprId) -> bool {
    let idents = ast.idents(id, &[]);
    idents.iter().all(|ident| ident.role != IdentRole::Free)
}
