//! Operators and functions on values whose type at admission differs from their schema.

use super::document_facts::DocumentFacts;
use super::{Finding, RuleContext};
use crate::presence::{FieldType, Presence, SiteContext, SiteKind, TermId};
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use foldhash::fast::RandomState;
use policy::Expression;
use std::collections::HashSet;

/// A value of the input as an operand of an operator or a function.
pub(super) struct Operand<'f> {
    pub(super) place: SiteContext<'f>,
    pub(super) expression: &'f Expression,
    /// The node of the operand.
    pub(super) id: ExprId,
    /// The value.
    pub(super) term: TermId,
    /// The type of the value in the schema, in one of the cases.
    pub(super) field_type: FieldType,
    /// The type of the other operand of an operator.
    pub(super) other: Option<Type>,
}

impl<'f> Operand<'f> {
    pub(super) fn ast(&self) -> &'f Ast {
        self.expression.ast()
    }

    /// Returns the binary operator.
    pub(super) fn operator(&self) -> Option<BinaryOperator> {
        match self.ast().kind(self.place.site.id) {
            ExprKind::Binary { operator, .. } => Some(*operator),
            _ => None,
        }
    }

    /// Returns the function that is called on the value: `f` in `x.f()`.
    pub(super) fn method(&self) -> Option<&'f str> {
        let ast = self.ast();
        match ast.kind(self.place.site.id) {
            ExprKind::Call {
                target: Some(target),
                function,
                ..
            } if *target == self.id => Some(ast.name(*function)),
            _ => None,
        }
    }

    /// Returns whether the operator fails for operands of different types.
    pub(super) fn is_strict(&self) -> bool {
        self.operator().is_some_and(|operator| {
            !matches!(
                operator,
                BinaryOperator::Equals
                    | BinaryOperator::NotEquals
                    | BinaryOperator::In
                    | BinaryOperator::And
                    | BinaryOperator::Or
            )
        })
    }

    /// Returns whether the operator tests equality, which never fails.
    pub(super) fn is_equality(&self) -> bool {
        matches!(
            self.operator(),
            Some(BinaryOperator::Equals | BinaryOperator::NotEquals)
        )
    }

    /// Returns the source of the operand. `None` if it has several lines.
    pub(super) fn text(&self) -> Option<&'f str> {
        let text = self.ast().slice(self.ast().span(self.id));
        (!text.contains('\n')).then_some(text)
    }
}

/// Returns the other of two operands. `None` if there are not two.
fn other_of(nodes: &[ExprId], at: usize) -> Option<ExprId> {
    match *nodes {
        [left, right] => Some(if at == 0 { right } else { left }),
        _ => None,
    }
}

/// Adds findings about the operands of the policies.
pub(super) fn add_findings(
    context: &RuleContext<'_>,
    found: &mut Vec<Finding>,
    finding: impl Fn(&DocumentFacts<'_>, &Operand<'_>) -> Option<Finding>,
) {
    let operands = context.operands().iter();
    found.extend(operands.filter_map(|(facts, it)| finding(facts, it)));
}

/// Returns the operands of a document that have a schema, each node once.
pub(super) fn operands<'f>(facts: &DocumentFacts<'f>, presence: &'f Presence) -> Vec<Operand<'f>> {
    let mut found = Vec::new();
    let mut seen: HashSet<_, RandomState> = HashSet::default();
    for place in presence.failure_sites() {
        let SiteKind::Operation(terms) = &place.site.kind else {
            continue;
        };
        let Some(expression) = facts.document.expressions().get(place.site.expression) else {
            continue;
        };
        if !facts.is_read(expression) {
            continue;
        }
        let nodes: Vec<ExprId> = expression.ast().children(place.site.id).collect();
        for (at, (id, term)) in nodes.iter().zip(terms.iter()).enumerate() {
            let mut cases = place.all_cases().iter();
            let field_type = cases.find_map(|case| {
                let field_type = place.field_type(case, *term)?;
                place.is_possible(case).then_some(field_type)
            });
            let Some(field_type) = field_type else {
                continue;
            };
            if !seen.insert((place.site.expression, *id)) {
                continue;
            }
            let checked = facts.document.checked(expression);
            let other = other_of(&nodes, at).and_then(|id| checked?.type_of(id).cloned());
            found.push(Operand {
                place,
                expression,
                id: *id,
                term: *term,
                field_type,
                other,
            });
        }
    }
    found
}
