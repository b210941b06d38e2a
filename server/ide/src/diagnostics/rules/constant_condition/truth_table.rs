//! The parts of a condition that are always true or always false.
//!
//! There are three sources: parts that do not read the request are evaluated; some comparisons have
//! a known result, since a size is never negative; and the match rules limit the values of a
//! request. Operators combine these results. `true || x` is true even if `x` fails, so errors never
//! falsify a result: a part that is never false may still fail.

use super::truth::{ConditionScope, Reason, Truth};
use super::{chain, relation};
use crate::diagnostics::conditions::{closed, operands, value};
use cel::Value;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal, UnaryOperator};

/// The constant parts, in the order of their nodes. Most expressions have few.
#[derive(Default)]
pub(super) struct TruthTable {
    constants: Vec<(ExprId, Truth)>,
}

impl TruthTable {
    pub(super) fn new(scope: &ConditionScope<'_>) -> Self {
        let mut table = Self::default();
        for (id, is_closed) in scope.ast.ids().zip(closed(scope.ast)) {
            if let Some(truth) = table.find(scope, id, is_closed) {
                table.constants.push((id, truth));
            }
        }
        table
    }

    pub(super) fn get(&self, id: ExprId) -> Option<&Truth> {
        let constants = &self.constants;
        let at = constants.binary_search_by_key(&id.index(), |(id, _)| id.index());
        constants.get(at.ok()?).map(|(_, truth)| truth)
    }

    fn find(&self, scope: &ConditionScope<'_>, id: ExprId, is_closed: bool) -> Option<Truth> {
        match scope.ast.kind(id) {
            ExprKind::Literal(Literal::Bool(value)) => {
                Some(Truth::new(*value, id, Reason::Literal))
            }
            ExprKind::Paren(inner) => self.get(*inner).cloned(),
            ExprKind::Unary {
                operator: UnaryOperator::Not,
                count,
                operand,
                ..
            } => {
                let operand = self.get(*operand)?.clone();
                let value = operand.value != (count % 2 == 1);
                Some(Truth { value, ..operand })
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => self.conditional(id, [*condition, *then, *otherwise]),
            ExprKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
                ..
            } => self
                .joined(id, *operator, [*left, *right])
                .or_else(|| scope.chain(id, *operator)),
            ExprKind::Binary { .. } if is_closed => scope.evaluate(id),
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => relation::find(scope, id, *operator, [*left, *right]),
            _ => None,
        }
    }

    fn conditional(&self, id: ExprId, [condition, then, otherwise]: [ExprId; 3]) -> Option<Truth> {
        if let Some(condition) = self.get(condition) {
            let taken = if condition.value { then } else { otherwise };
            let value = self.get(taken)?.value;
            return Some(Truth {
                value,
                ..condition.clone()
            });
        }
        let (then, otherwise) = (self.get(then)?, self.get(otherwise)?);
        (then.value == otherwise.value).then(|| Truth::new(then.value, id, Reason::Parts))
    }

    fn joined(&self, id: ExprId, operator: BinaryOperator, sides: [ExprId; 2]) -> Option<Truth> {
        // A side with this value decides the result.
        let decisive = operator == BinaryOperator::Or;
        let mut known = sides.map(|side| self.get(side));
        known.sort_by_key(|truth| {
            truth.map_or(u8::MAX, |truth| u8::from(truth.reason.is_matched()))
        });
        let mut decide = known.into_iter().flatten();
        if let Some(truth) = decide.find(|truth| truth.value == decisive) {
            return Some(truth.clone());
        }
        let [Some(first), Some(last)] = known else {
            return None;
        };
        let matched = [first, last]
            .into_iter()
            .find(|truth| truth.reason.is_matched());
        let reason = match matched {
            Some(truth) => truth.reason.clone(),
            None if first.reason <= Reason::Closed && last.reason <= Reason::Closed => {
                Reason::Closed
            }
            None => Reason::Parts,
        };
        Some(Truth::new(!decisive, id, reason))
    }
}

impl ConditionScope<'_> {
    /// Evaluates a part that has no names.
    fn evaluate(&self, id: ExprId) -> Option<Truth> {
        match value(self.ast, id, self.env)? {
            Value::Bool(value) => Some(Truth::new(value, id, Reason::Closed)),
            _ => None,
        }
    }

    /// Returns the value of a chain of `&&` or `||`, if two of its clauses decide it.
    fn chain(&self, id: ExprId, operator: BinaryOperator) -> Option<Truth> {
        let operands = operands(self.ast, id, operator);
        chain::find(self, id, operator, &operands)
    }
}
