//! Comparisons that always have the same result.

use super::requests::Values;
use super::truth::{ConditionScope, Reason, Truth};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal};
use text::Span;

/// Returns the value of a constant comparison.
pub(super) fn find(
    scope: &ConditionScope<'_>,
    id: ExprId,
    operator: BinaryOperator,
    [left, right]: [ExprId; 2],
) -> Option<Truth> {
    if operator == BinaryOperator::In {
        return membership(scope, id, left, right);
    }
    let operator = Comparison::from_operator(operator)?;
    same_operands(scope, id, operator, [left, right])
        .or_else(|| size(scope, id, operator, left, right))
        .or_else(|| size(scope, id, operator.mirrored(), right, left))
        .or_else(|| request(scope, id, operator, left, right))
        .or_else(|| request(scope, id, operator, right, left))
}

/// An operator that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub(super) fn from_operator(operator: BinaryOperator) -> Option<Self> {
        Some(match operator {
            BinaryOperator::Equals => Comparison::Equal,
            BinaryOperator::NotEquals => Comparison::NotEqual,
            BinaryOperator::Less => Comparison::Less,
            BinaryOperator::LessEquals => Comparison::LessEqual,
            BinaryOperator::Greater => Comparison::Greater,
            BinaryOperator::GreaterEquals => Comparison::GreaterEqual,
            _ => return None,
        })
    }

    /// Returns the operator for swapped operands.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Comparison::Equal | Comparison::NotEqual => self,
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
        }
    }

    /// Returns whether it is true for two equal operands.
    fn holds_for_equals(self) -> bool {
        match self {
            Comparison::Equal | Comparison::LessEqual | Comparison::GreaterEqual => true,
            Comparison::NotEqual | Comparison::Less | Comparison::Greater => false,
        }
    }
}

/// Returns the value of a comparison of two equal operands.
fn same_operands(
    scope: &ConditionScope<'_>,
    id: ExprId,
    operator: Comparison,
    [left, right]: [ExprId; 2],
) -> Option<Truth> {
    if !scope.can_equal(left, right) {
        return None;
    }
    let words = scope.normalized_source(left);
    // NaN is not equal to itself, and only this function returns it.
    if words != scope.normalized_source(right) || words.contains("double(") {
        return None;
    }
    let reason = "both operands are the same";
    Some(Truth::fact(operator.holds_for_equals(), id, reason))
}

/// Returns the value of a comparison such as `size(x) >= 0`.
fn size(
    scope: &ConditionScope<'_>,
    id: ExprId,
    operator: Comparison,
    left: ExprId,
    right: ExprId,
) -> Option<Truth> {
    let ExprKind::Call { function, .. } = scope.ast.kind(scope.ast.unparenthesized(left)) else {
        return None;
    };
    let ExprKind::Literal(Literal::Int(limit)) = scope.ast.kind(scope.ast.unparenthesized(right))
    else {
        return None;
    };
    if scope.ast.name(*function) != "size" {
        return None;
    }
    let value = match operator {
        Comparison::GreaterEqual if *limit <= 0 => true,
        Comparison::Greater | Comparison::NotEqual if *limit < 0 => true,
        Comparison::Less if *limit <= 0 => false,
        Comparison::LessEqual | Comparison::Equal if *limit < 0 => false,
        _ => return None,
    };
    Some(Truth::fact(value, id, "a size is never negative"))
}

/// Returns the value of a comparison such as `request.operation == 'create'`.
fn request(
    scope: &ConditionScope<'_>,
    id: ExprId,
    operator: Comparison,
    left: ExprId,
    right: ExprId,
) -> Option<Truth> {
    let answer = match operator {
        Comparison::Equal => false,
        Comparison::NotEqual => true,
        _ => return None,
    };
    let (text, span) = string(scope, right)?;
    let path = path(scope, left)?;
    let values = scope.requests.values(&path, scope.role);
    if let Some((reason, fix)) = never(text, span, values) {
        return Some(Truth::fact(answer, id, reason).with_fix(fix));
    }
    let reason = unmatched(scope, &path, text, values)?;
    Some(Truth::new(answer, id, Reason::Matched(reason)))
}

/// Returns the value of `request.operation in ['create']` or `x in []`.
fn membership(
    scope: &ConditionScope<'_>,
    id: ExprId,
    left: ExprId,
    right: ExprId,
) -> Option<Truth> {
    let ExprKind::List { elements } = scope.ast.kind(scope.ast.unparenthesized(right)) else {
        return None;
    };
    if elements.is_empty() {
        return Some(Truth::fact(false, id, "the list is empty"));
    }
    let path = path(scope, left)?;
    let values = scope.requests.values(&path, scope.role);
    let mut answer: Option<Truth> = None;
    for element in elements {
        let (text, span) = string(scope, element.value).filter(|_| !element.optional)?;
        let truth = match never(text, span, values) {
            Some((reason, fix)) => Truth::fact(false, id, reason).with_fix(fix),
            None => Truth::new(
                false,
                id,
                Reason::Matched(unmatched(scope, &path, text, values)?),
            ),
        };
        answer = answer.or(Some(truth));
    }
    answer
}

/// Returns the elements of a list that never equal the left operand, if others can.
pub(super) fn strays(
    scope: &ConditionScope<'_>,
    left: ExprId,
    right: ExprId,
) -> Vec<(ExprId, Truth)> {
    let list = scope.ast.kind(scope.ast.unparenthesized(right));
    let (ExprKind::List { elements }, Some(path)) = (list, path(scope, left)) else {
        return Vec::new();
    };
    let values = scope.requests.values(&path, scope.role);
    let elements = elements.iter().map(|element| element.value);
    let strays = elements.filter_map(|element| {
        let (text, span) = string(scope, element)?;
        let (reason, fix) = never(text, span, values)?;
        Some((element, Truth::fact(false, element, reason).with_fix(fix)))
    });
    strays.collect()
}

/// Returns the reason that a field never has a value, and the intended value.
fn never(
    text: &str,
    span: Span,
    values: Values<'_>,
) -> Option<(String, Option<(Span, &'static str)>)> {
    let any = values.any.filter(|any| !any.contains(&text))?;
    let meant = any.iter().find(|value| value.eq_ignore_ascii_case(text));
    Some(match meant {
        Some(value) => (
            format!("operations are in uppercase, such as `{value}`"),
            Some((span, *value)),
        ),
        None => {
            let all = any.iter().map(|value| format!("`{value}`"));
            let all = all.collect::<Vec<_>>().join(", ");
            (format!("the operations are {all}"), None)
        }
    })
}

/// Returns the reason that a field does not have a value in the requests that the rules match.
fn unmatched(
    scope: &ConditionScope<'_>,
    path: &str,
    text: &str,
    values: Values<'_>,
) -> Option<String> {
    let matched = values.matched?;
    // An unknown kind may exist in the cluster.
    if path.ends_with(".kind") && !scope.requests.is_kind(text) {
        return None;
    }
    if matched.is_empty() || matched.iter().any(|value| value == text) {
        return None;
    }
    Some(format!(
        "the rules match no request whose `{path}` is `{text}`"
    ))
}

/// Returns a string literal and the span between its quotes.
fn string<'s>(scope: &'s ConditionScope<'_>, id: ExprId) -> Option<(&'s str, Span)> {
    let id = scope.ast.unparenthesized(id);
    let ExprKind::Literal(Literal::String(text)) = scope.ast.kind(id) else {
        return None;
    };
    let span = scope.ast.span(id);
    let plain = scope.ast.slice(span).len() == text.len() + 2;
    let inner = Span::new(
        span.start() + 1,
        span.end().saturating_sub(1).max(span.start() + 1),
    );
    Some((
        text,
        if plain {
            inner
        } else {
            Span::empty(span.start())
        },
    ))
}

/// Returns the path of a field, such as `request.operation`. `None` for other roots, about whose
/// values nothing is known.
fn path(scope: &ConditionScope<'_>, id: ExprId) -> Option<String> {
    let name = scope.ast.qualified_name(id)?;
    let root = name.names.first()?;
    let is_known = matches!(scope.ast.name(*root), "request" | "object");
    is_known.then(|| scope.normalized_source(id))
}
