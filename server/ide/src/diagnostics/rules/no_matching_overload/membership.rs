//! `list.contains(value)`, which CEL writes as `value in list`.

use crate::diagnostics::parents;
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use text::Span;

/// The method that other languages have.
const METHOD: &str = "contains";

/// Returns the reason that the method does not exist, as a clause.
pub(super) fn reason(function: &str, args: &[Type]) -> Option<&'static str> {
    match (function, args) {
        (METHOD, [Type::List(_), _]) => {
            Some("a list has no method `contains()`. Write `value in list`")
        }
        _ => None,
    }
}

/// Returns the change of a call of the method.
pub(super) fn change(ast: &Ast, call: ExprId) -> Option<(Span, String)> {
    let ExprKind::Call {
        target: Some(list),
        args,
        ..
    } = ast.kind(call)
    else {
        return None;
    };
    let [value] = **args else { return None };
    let source = |id: ExprId| ast.slice(ast.span(id));
    let test = format!("{} in {}", source(value), source(*list));
    let parent = parents(ast).get(call.index()).copied().flatten();
    let stands_alone = parent.is_none_or(|parent| match ast.kind(parent) {
        ExprKind::Paren(_) => true,
        ExprKind::Binary { operator, .. } => {
            matches!(operator, BinaryOperator::And | BinaryOperator::Or)
        }
        _ => ast.macro_call(parent).is_some(),
    });
    let written = if stands_alone {
        test
    } else {
        format!("({test})")
    };
    Some((ast.span(call), written))
}
