//! Clauses of a condition that exclude each other, or that cover all values.
//!
//! `x != 'a' || x != 'b'` is true for every `x`. `||` is the opposite of `&&` for the opposite
//! clauses, so both become limits on the values that do not decide the chain: for `&&` those that
//! make a clause true, for `||` those that make it false.

use super::relation::Comparison;
use super::truth::{ConditionScope, Truth};
use crate::diagnostics::conditions::quoted_source;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal, UnaryOperator};
use std::cell::OnceCell;

/// Returns the value of a chain, if two of its clauses decide it.
pub(super) fn find(
    scope: &ConditionScope<'_>,
    id: ExprId,
    operator: BinaryOperator,
    operands: &[ExprId],
) -> Option<Truth> {
    let negated = operator == BinaryOperator::Or;
    let limits: Vec<(ExprId, Limit)> = operands
        .iter()
        .filter_map(|clause| Some((*clause, limit(scope, *clause, negated)?)))
        .collect();
    for (at, (clause, first)) in limits.iter().enumerate() {
        let others = limits.iter().skip(at + 1);
        for (other, second) in others {
            let excludes = excludes(&first.values, &second.values);
            let can_equal = excludes && scope.can_equal(first.subject, second.subject);
            if can_equal && first.words(scope) == second.words(scope) {
                return Some(answer(scope, id, negated, [*clause, *other]));
            }
        }
    }
    None
}

fn answer(scope: &ConditionScope<'_>, id: ExprId, is_or: bool, pair: [ExprId; 2]) -> Truth {
    let names = pair.map(|clause| quoted_source(scope.ast, clause));
    let reason = match (names, is_or) {
        ([Some(first), Some(second)], true) => {
            format!("one of `{first}` and `{second}` is always true. Use `&&` if both must be true")
        }
        ([Some(first), Some(second)], false) => {
            format!("`{first}` and `{second}` are never both true. Use `||` if one is enough")
        }
        (_, true) => "one of two operands is always true. Use `&&` if both must be true".to_owned(),
        (_, false) => "two operands are never both true. Use `||` if one is enough".to_owned(),
    };
    let fix = match scope.ast.kind(scope.ast.unparenthesized(id)) {
        // Only in a chain of two, so that the meaning of other clauses does not change.
        ExprKind::Binary {
            operator_span,
            left,
            right,
            ..
        } if pair == [*left, *right].map(|side| scope.ast.unparenthesized(side)) => {
            Some((*operator_span, if is_or { "&&" } else { "||" }))
        }
        _ => None,
    };
    Truth::fact(is_or, id, reason).with_fix(fix)
}

/// The values of a subject that do not decide a chain.
struct Limit {
    subject: ExprId,
    /// The source of the subject. Computed on demand, since values rarely exclude each other.
    words: OnceCell<String>,
    values: Values,
}

impl Limit {
    fn new(subject: ExprId, values: Values) -> Self {
        Self {
            subject,
            words: OnceCell::new(),
            values,
        }
    }

    fn words(&self, scope: &ConditionScope<'_>) -> &str {
        self.words
            .get_or_init(|| scope.normalized_source(self.subject))
    }
}

enum Values {
    /// One of these values.
    OneOf(Vec<Literal>),
    /// `true` or `false`, for a clause that is not a comparison.
    Is(bool),
    /// The minimum; exclusive if true.
    From(i64, bool),
    /// The maximum; exclusive if true.
    To(i64, bool),
}

fn limit(scope: &ConditionScope<'_>, clause: ExprId, negated: bool) -> Option<Limit> {
    let ast = scope.ast;
    let clause = ast.unparenthesized(clause);
    match ast.kind(clause) {
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            count: 1,
            operand,
            ..
        } => limit(scope, *operand, !negated),
        ExprKind::Binary {
            operator: BinaryOperator::In,
            left,
            right,
            ..
        } => member(scope, *left, *right)
            .filter(|_| !negated)
            .or_else(|| Some(boolean(clause, negated))),
        ExprKind::Binary {
            operator,
            left,
            right,
            ..
        } => {
            let operator = Comparison::from_operator(*operator)?;
            comparison(scope, *left, operator, *right, negated)
                .or_else(|| comparison(scope, *right, operator.mirrored(), *left, negated))
                .or_else(|| Some(boolean(clause, negated)))
        }
        ExprKind::Literal(_) | ExprKind::Conditional { .. } => None,
        _ => Some(boolean(clause, negated)),
    }
}

/// Returns the limit of `subject in [constants]`.
fn member(scope: &ConditionScope<'_>, subject: ExprId, list: ExprId) -> Option<Limit> {
    let ExprKind::List { elements } = scope.ast.kind(scope.ast.unparenthesized(list)) else {
        return None;
    };
    let literals = elements
        .iter()
        .map(|element| literal(scope, element.value).filter(|_| !element.optional));
    let literals: Option<Vec<Literal>> = literals.collect();
    Some(Limit::new(subject, Values::OneOf(literals?)))
}

fn boolean(clause: ExprId, negated: bool) -> Limit {
    Limit::new(clause, Values::Is(!negated))
}

/// Returns the limit of `subject operator constant`.
fn comparison(
    scope: &ConditionScope<'_>,
    subject: ExprId,
    operator: Comparison,
    constant: ExprId,
    negated: bool,
) -> Option<Limit> {
    let literal = literal(scope, constant)?;
    let number = match literal {
        Literal::Int(number) => Some(number),
        _ => None,
    };
    let values = match (operator, negated) {
        (Comparison::Equal, false) | (Comparison::NotEqual, true) => Values::OneOf(vec![literal]),
        (Comparison::Equal, true) | (Comparison::NotEqual, false) => return None,
        (Comparison::Greater, false) | (Comparison::LessEqual, true) => Values::From(number?, true),
        (Comparison::GreaterEqual, false) | (Comparison::Less, true) => {
            Values::From(number?, false)
        }
        (Comparison::Less, false) | (Comparison::GreaterEqual, true) => Values::To(number?, true),
        (Comparison::LessEqual, false) | (Comparison::Greater, true) => Values::To(number?, false),
    };
    Some(Limit::new(subject, values))
}

/// Returns a literal of a type whose values equal only themselves.
fn literal(scope: &ConditionScope<'_>, id: ExprId) -> Option<Literal> {
    match scope.ast.kind(scope.ast.unparenthesized(id)) {
        ExprKind::Literal(
            literal @ (Literal::Int(_) | Literal::String(_) | Literal::Bool(_) | Literal::Null),
        ) => Some(literal.clone()),
        _ => None,
    }
}

/// Returns whether no value satisfies both limits.
fn excludes(first: &Values, second: &Values) -> bool {
    match (first, second) {
        (Values::OneOf(first), Values::OneOf(second)) => {
            !first.is_empty() && !first.iter().any(|literal| second.contains(literal))
        }
        (Values::Is(first), Values::Is(second)) => first != second,
        (Values::From(from, open), Values::To(to, also_open))
        | (Values::To(to, open), Values::From(from, also_open)) => {
            from > to || (from == to && (*open || *also_open))
        }
        (Values::OneOf(values), limit) | (limit, Values::OneOf(values)) => {
            !values.is_empty() && values.iter().all(|value| is_outside(value, limit))
        }
        (Values::Is(_) | Values::From(..) | Values::To(..), _) => false,
    }
}

fn is_outside(value: &Literal, limit: &Values) -> bool {
    let Literal::Int(value) = value else {
        return false;
    };
    match limit {
        Values::From(from, open) => value < from || (value == from && *open),
        Values::To(to, open) => value > to || (value == to && *open),
        Values::OneOf(_) | Values::Is(_) => false,
    }
}
