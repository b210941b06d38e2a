//! Which parts of a condition are always true, or always false.
//!
//! Three sources tell: parts that read nothing of the request are evaluated; comparisons
//! have facts, such as that a size is never below 0; and what the rules match limits what a
//! request can hold. The operators carry the answer up. `true || x` is true even where `x`
//! fails, so errors never make an answer wrong: a part that is never false may still fail.

use super::chain;
use super::relation;
use super::requests::Requests;
use crate::diagnostics::clauses::{clauses, closed, value, words};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal, UnaryOperator};
use cel::{Env, Value};
use policy::Role;
use text::Span;

/// What a part of a condition always is, unless it fails.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    /// What it is.
    pub(super) value: bool,
    /// The part that makes it so.
    pub(super) culprit: ExprId,
    pub(super) why: Why,
    /// What should stand in a place instead.
    pub(super) fix: Option<(Span, &'static str)>,
}

/// Why a part is always the same. The order is from sure to less important.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// It is `true` or `false`.
    Literal,
    /// It reads nothing of the request.
    Closed,
    /// All its parts are always the same.
    Parts,
    /// For this reason.
    Fact(String),
    /// For this reason, which is due to what the rules match.
    Matched(String),
}

impl Why {
    pub(super) fn is_matched(&self) -> bool {
        matches!(self, Why::Matched(_))
    }
}

impl Truth {
    pub(super) fn fact(value: bool, culprit: ExprId, reason: impl Into<String>) -> Self {
        Self::new(value, culprit, Why::Fact(reason.into()))
    }

    pub(super) fn new(value: bool, culprit: ExprId, why: Why) -> Self {
        Self {
            value,
            culprit,
            why,
            fix: None,
        }
    }

    pub(super) fn with_fix(self, fix: Option<(Span, &'static str)>) -> Self {
        Self { fix, ..self }
    }
}

/// An expression whose parts are looked at.
pub(super) struct Scene<'a> {
    pub(super) ast: &'a Ast,
    pub(super) env: &'a Env,
    pub(super) requests: &'a Requests,
    pub(super) role: Role,
}

/// What each part is, by its number.
pub(super) struct Truths {
    known: Vec<Option<Truth>>,
}

impl Truths {
    pub(super) fn of(scene: &Scene<'_>) -> Self {
        let count = scene.ast.len();
        let mut truths = Self {
            known: Vec::with_capacity(count),
        };
        for (id, is_closed) in scene.ast.ids().zip(closed(scene.ast)) {
            let known = truths.find(scene, id, is_closed);
            truths.known.push(known);
        }
        truths
    }

    pub(super) fn get(&self, id: ExprId) -> Option<&Truth> {
        self.known.get(id.index())?.as_ref()
    }

    fn find(&self, scene: &Scene<'_>, id: ExprId, is_closed: bool) -> Option<Truth> {
        match scene.ast.kind(id) {
            ExprKind::Literal(Literal::Bool(value)) => Some(Truth::new(*value, id, Why::Literal)),
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
                .or_else(|| scene.chain(id, *operator)),
            ExprKind::Binary { .. } if is_closed => scene.evaluate(id),
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } => relation::find(scene, id, *operator, [*left, *right]),
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
        (then.value == otherwise.value).then(|| Truth::new(then.value, id, Why::Parts))
    }

    fn joined(&self, id: ExprId, operator: BinaryOperator, sides: [ExprId; 2]) -> Option<Truth> {
        // One side that has this value decides.
        let decisive = operator == BinaryOperator::Or;
        let mut known = sides.map(|side| self.get(side));
        known.sort_by_key(|truth| truth.map_or(u8::MAX, |truth| u8::from(truth.why.is_matched())));
        let mut decide = known.into_iter().flatten();
        if let Some(truth) = decide.find(|truth| truth.value == decisive) {
            return Some(truth.clone());
        }
        let [Some(first), Some(last)] = known else {
            return None;
        };
        let matched = [first, last]
            .into_iter()
            .find(|truth| truth.why.is_matched());
        let why = match matched {
            Some(truth) => truth.why.clone(),
            None if first.why <= Why::Closed && last.why <= Why::Closed => Why::Closed,
            None => Why::Parts,
        };
        Some(Truth::new(!decisive, id, why))
    }
}

impl Scene<'_> {
    /// What a part is that names nothing.
    fn evaluate(&self, id: ExprId) -> Option<Truth> {
        match value(self.ast, id, self.env)? {
            Value::Bool(value) => Some(Truth::new(value, id, Why::Closed)),
            _ => None,
        }
    }

    /// What a whole chain of `&&` or `||` is by two of its clauses.
    fn chain(&self, id: ExprId, operator: BinaryOperator) -> Option<Truth> {
        let clauses = clauses(self.ast, id, operator);
        chain::find(self, id, operator, &clauses)
    }

    /// The text of a part, for comparison.
    pub(super) fn words(&self, id: ExprId) -> String {
        words(self.ast, id)
    }
}
