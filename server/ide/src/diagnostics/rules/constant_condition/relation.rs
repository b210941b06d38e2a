//! Comparisons that always have the same answer.

use super::requests::Values;
use super::truth::{Scene, Truth, Why};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal};
use text::Span;

/// What a comparison always is.
pub(super) fn find(
    scene: &Scene<'_>,
    id: ExprId,
    operator: BinaryOperator,
    [left, right]: [ExprId; 2],
) -> Option<Truth> {
    if operator == BinaryOperator::In {
        return membership(scene, id, left, right);
    }
    let operator = Comparison::of(operator)?;
    same(scene, id, operator, [left, right])
        .or_else(|| size(scene, id, operator, left, right))
        .or_else(|| size(scene, id, operator.mirrored(), right, left))
        .or_else(|| request(scene, id, operator, left, right))
        .or_else(|| request(scene, id, operator, right, left))
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
    pub(super) fn of(operator: BinaryOperator) -> Option<Self> {
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

    /// The operator when the sides change places.
    pub(super) fn mirrored(self) -> Self {
        match self {
            Comparison::Equal | Comparison::NotEqual => self,
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
        }
    }

    /// The answer for two equal sides.
    fn of_equals(self) -> bool {
        match self {
            Comparison::Equal | Comparison::LessEqual | Comparison::GreaterEqual => true,
            Comparison::NotEqual | Comparison::Less | Comparison::Greater => false,
        }
    }
}

/// Both sides are the same.
fn same(
    scene: &Scene<'_>,
    id: ExprId,
    operator: Comparison,
    [left, right]: [ExprId; 2],
) -> Option<Truth> {
    let words = scene.words(left);
    // What is not a number is not equal to itself, and only this function makes it.
    if words != scene.words(right) || words.contains("double(") {
        return None;
    }
    let reason = "both operands are the same";
    Some(Truth::fact(operator.of_equals(), id, reason))
}

/// `size(x) >= 0`
fn size(
    scene: &Scene<'_>,
    id: ExprId,
    operator: Comparison,
    left: ExprId,
    right: ExprId,
) -> Option<Truth> {
    let ExprKind::Call { function, .. } = scene.ast.kind(scene.ast.unparenthesized(left)) else {
        return None;
    };
    let ExprKind::Literal(Literal::Int(limit)) = scene.ast.kind(scene.ast.unparenthesized(right))
    else {
        return None;
    };
    if scene.ast.name(*function) != "size" {
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

/// `request.operation == 'create'`
fn request(
    scene: &Scene<'_>,
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
    let (text, span) = string(scene, right)?;
    let path = path(scene, left)?;
    let values = scene.requests.values(&path, scene.role);
    if let Some((reason, fix)) = never(text, span, values) {
        return Some(Truth::fact(answer, id, reason).with_fix(fix));
    }
    let reason = unmatched(scene, &path, text, values)?;
    Some(Truth::new(answer, id, Why::Matched(reason)))
}

/// `request.operation in ['create']`, `x in []`
fn membership(scene: &Scene<'_>, id: ExprId, left: ExprId, right: ExprId) -> Option<Truth> {
    let ExprKind::List { elements } = scene.ast.kind(scene.ast.unparenthesized(right)) else {
        return None;
    };
    if elements.is_empty() {
        return Some(Truth::fact(false, id, "the list is empty"));
    }
    let path = path(scene, left)?;
    let values = scene.requests.values(&path, scene.role);
    let mut answer: Option<Truth> = None;
    for element in elements {
        let (text, span) = string(scene, element.value).filter(|_| !element.optional)?;
        let truth = match never(text, span, values) {
            Some((reason, fix)) => Truth::fact(false, id, reason).with_fix(fix),
            None => Truth::new(
                false,
                id,
                Why::Matched(unmatched(scene, &path, text, values)?),
            ),
        };
        answer = answer.or(Some(truth));
    }
    answer
}

/// The elements of a list that the left side is never equal to, where it can be equal to
/// others of the list.
pub(super) fn strays(scene: &Scene<'_>, left: ExprId, right: ExprId) -> Vec<(ExprId, Truth)> {
    let list = scene.ast.kind(scene.ast.unparenthesized(right));
    let (ExprKind::List { elements }, Some(path)) = (list, path(scene, left)) else {
        return Vec::new();
    };
    let values = scene.requests.values(&path, scene.role);
    let elements = elements.iter().map(|element| element.value);
    let strays = elements.filter_map(|element| {
        let (text, span) = string(scene, element)?;
        let (reason, fix) = never(text, span, values)?;
        Some((element, Truth::fact(false, element, reason).with_fix(fix)))
    });
    strays.collect()
}

/// Why a field never has a value, and what is meant.
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

/// Why a field has no such value in the requests that the rules match.
fn unmatched(scene: &Scene<'_>, path: &str, text: &str, values: Values<'_>) -> Option<String> {
    let matched = values.matched?;
    // A word that is no kind may be one that nobody here knows.
    if path.ends_with(".kind") && !scene.requests.is_kind(text) {
        return None;
    }
    if matched.is_empty() || matched.iter().any(|value| value == text) {
        return None;
    }
    Some(format!(
        "the rules match no request whose `{path}` is `{text}`"
    ))
}

/// A string, and the span between its quotes.
fn string<'s>(scene: &'s Scene<'_>, id: ExprId) -> Option<(&'s str, Span)> {
    let id = scene.ast.unparenthesized(id);
    let ExprKind::Literal(Literal::String(text)) = scene.ast.kind(id) else {
        return None;
    };
    let span = scene.ast.span(id);
    let plain = scene.ast.slice(span).len() == text.len() + 2;
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

/// The path that names a field, as `request.operation`.
fn path(scene: &Scene<'_>, id: ExprId) -> Option<String> {
    scene.ast.qualified_name(id)?;
    Some(scene.words(id))
}
