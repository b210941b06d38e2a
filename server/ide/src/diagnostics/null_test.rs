//! Comparisons with null, which do not test whether a value exists, and what does.

use super::parents::enclosing;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use text::Span;

/// A comparison with null.
pub(super) struct NullTest {
    /// The comparison.
    id: ExprId,
    /// The other operand.
    pub(super) operand: ExprId,
    /// Whether it is true for null.
    pub(super) is_missing: bool,
}

impl NullTest {
    /// Returns a node as a comparison with null. `None` for other nodes.
    pub(super) fn new(ast: &Ast, id: ExprId) -> Option<Self> {
        let ExprKind::Binary {
            operator: operator @ (BinaryOperator::Equals | BinaryOperator::NotEquals),
            left,
            right,
            ..
        } = ast.kind(id)
        else {
            return None;
        };
        let (left, right) = (ast.unparenthesized(*left), ast.unparenthesized(*right));
        let is_null = |id: ExprId| matches!(ast.kind(id), ExprKind::Literal(Literal::Null));
        let operand = match (is_null(left), is_null(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => return None,
        };
        Some(Self {
            id,
            operand,
            is_missing: *operator == BinaryOperator::Equals,
        })
    }

    /// Returns the comparison of an operand with null.
    pub(super) fn around(ast: &Ast, parents: &[Option<ExprId>], operand: ExprId) -> Option<Self> {
        let parent = enclosing(ast, parents, operand)?;
        Self::new(ast, parent).filter(|test| test.operand == operand)
    }

    /// Returns the change that writes a condition in place of the comparison.
    pub(super) fn with_condition(
        &self,
        ast: &Ast,
        parents: &[Option<ExprId>],
        condition: &str,
    ) -> (Span, String) {
        let has_parts = condition.contains(" && ") || condition.contains(" || ");
        let parent = parents.get(self.id.index()).copied().flatten();
        let is_closed = parent.is_none_or(|id| matches!(ast.kind(id), ExprKind::Paren(_)));
        let written = if has_parts && !is_closed {
            format!("({condition})")
        } else {
            condition.to_owned()
        };
        (ast.span(self.id), written)
    }

    /// Returns the changes that call `hasValue()` on the operand, which becomes an optional.
    pub(super) fn with_has_value(&self, ast: &Ast) -> Vec<(Span, String)> {
        let (whole, operand) = (ast.span(self.id), ast.span(self.operand));
        let not = if self.is_missing { "!" } else { "" };
        let changes = [
            (Span::new(whole.start(), operand.start()), not.to_owned()),
            (
                Span::new(operand.end(), whole.end()),
                ".hasValue()".to_owned(),
            ),
        ];
        let changes = changes.into_iter();
        changes
            .filter(|(span, text)| !span.is_empty() || !text.is_empty())
            .collect()
    }
}
