//! Clauses of one condition that exclude each other, or leave nothing out.
//!
//! `x != 'a' || x != 'b'` looks like a check and is none: it is true for every `x`. What
//! `||` is to such clauses, `&&` is to their opposites, so both are read as limits on the
//! values that make the chain go on: for `&&` those that make a clause true, for `||` those
//! that make it false.

use super::relation::Comparison;
use super::truth::{Scene, Truth};
use crate::diagnostics::clauses::shown;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal, UnaryOperator};

/// What the whole chain is, by two of its clauses.
pub(super) fn find(
    scene: &Scene<'_>,
    id: ExprId,
    operator: BinaryOperator,
    clauses: &[ExprId],
) -> Option<Truth> {
    let negated = operator == BinaryOperator::Or;
    let limits: Vec<(ExprId, Limit)> = clauses
        .iter()
        .filter_map(|clause| Some((*clause, limit(scene, *clause, negated)?)))
        .collect();
    for (at, (clause, first)) in limits.iter().enumerate() {
        let others = limits.iter().skip(at + 1);
        for (other, second) in others {
            if first.subject == second.subject && excludes(&first.values, &second.values) {
                return Some(answer(scene, id, negated, [*clause, *other]));
            }
        }
    }
    None
}

fn answer(scene: &Scene<'_>, id: ExprId, is_or: bool, pair: [ExprId; 2]) -> Truth {
    let names = pair.map(|clause| shown(scene.ast, clause));
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
    let fix = match scene.ast.kind(scene.ast.unparenthesized(id)) {
        // Only where the two are all, so that no other clause gets another meaning.
        ExprKind::Binary {
            operator_span,
            left,
            right,
            ..
        } if pair == [*left, *right].map(|side| scene.ast.unparenthesized(side)) => {
            Some((*operator_span, if is_or { "&&" } else { "||" }))
        }
        _ => None,
    };
    Truth::fact(is_or, id, reason).with_fix(fix)
}

/// The values of a subject with which a chain goes on.
struct Limit {
    subject: String,
    values: Values,
}

enum Values {
    /// One of these.
    OneOf(Vec<Literal>),
    /// `true` or `false`, for a clause that is no comparison.
    Is(bool),
    /// At least; above, if it is open.
    From(i64, bool),
    /// At most; below, if it is open.
    To(i64, bool),
}

fn limit(scene: &Scene<'_>, clause: ExprId, negated: bool) -> Option<Limit> {
    let ast = scene.ast;
    let clause = ast.unparenthesized(clause);
    match ast.kind(clause) {
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            count: 1,
            operand,
            ..
        } => limit(scene, *operand, !negated),
        ExprKind::Binary {
            operator: BinaryOperator::In,
            left,
            right,
            ..
        } => {
            let limit = member(scene, *left, *right).filter(|_| !negated);
            limit.or_else(|| Some(boolean(scene, clause, negated)))
        }
        ExprKind::Binary {
            operator,
            left,
            right,
            ..
        } => {
            let operator = Comparison::of(*operator)?;
            comparison(scene, *left, operator, *right, negated)
                .or_else(|| comparison(scene, *right, operator.mirrored(), *left, negated))
                .or_else(|| Some(boolean(scene, clause, negated)))
        }
        ExprKind::Literal(_) | ExprKind::Conditional { .. } => None,
        _ => Some(boolean(scene, clause, negated)),
    }
}

/// What `subject in [constants]` limits the subject to.
fn member(scene: &Scene<'_>, subject: ExprId, list: ExprId) -> Option<Limit> {
    let ExprKind::List { elements } = scene.ast.kind(scene.ast.unparenthesized(list)) else {
        return None;
    };
    let literals = elements.iter().map(|element| {
        let literal = literal(scene, element.value);
        literal.filter(|_| !element.optional)
    });
    let literals: Option<Vec<Literal>> = literals.collect();
    Some(Limit {
        subject: scene.words(subject),
        values: Values::OneOf(literals?),
    })
}

fn boolean(scene: &Scene<'_>, clause: ExprId, negated: bool) -> Limit {
    Limit {
        subject: scene.words(clause),
        values: Values::Is(!negated),
    }
}

/// What `subject operator constant` limits the subject to.
fn comparison(
    scene: &Scene<'_>,
    subject: ExprId,
    operator: Comparison,
    constant: ExprId,
    negated: bool,
) -> Option<Limit> {
    let literal = literal(scene, constant)?;
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
    Some(Limit {
        subject: scene.words(subject),
        values,
    })
}

/// A constant of a type whose values are equal only to themselves.
fn literal(scene: &Scene<'_>, id: ExprId) -> Option<Literal> {
    match scene.ast.kind(scene.ast.unparenthesized(id)) {
        ExprKind::Literal(
            literal @ (Literal::Int(_) | Literal::String(_) | Literal::Bool(_) | Literal::Null),
        ) => Some(literal.clone()),
        _ => None,
    }
}

/// Whether no value fits both.
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
