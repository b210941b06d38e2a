//! Literals whose type does not fit their operator, as in `object.spec.replicas > '3'`.
//!
//! CEL converts nothing implicitly, and YAML makes it easy to confuse `3` and `'3'`.

use super::document_facts::DocumentFacts;
use super::guard::edits;
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal, Precedence};
use policy::Expression;
use text::{Span, TextEdit};

/// The new source of a part of an expression.
type Change = (Span, String);

/// Returns a title and the edits that make the operands of a comparison or of `in` fit: a literal
/// gets the type of the other operand, or a string that is compared with a number is converted.
/// `None` if neither helps.
pub(super) fn conversion(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    operation: ExprId,
    args: &[Type],
) -> Option<(String, Vec<TextEdit>)> {
    let ast = expression.ast();
    let (
        [left_type, right_type],
        ExprKind::Binary {
            left,
            right,
            operator,
            ..
        },
    ) = (args, ast.kind(operation))
    else {
        return None;
    };
    let (left, right) = ((*left, left_type), (*right, right_type));
    let changes = match (operator, right_type) {
        (BinaryOperator::In, Type::List(element)) => {
            elements(ast, right.0, left_type).or_else(|| literal(ast, left.0, element))
        }
        (BinaryOperator::Equals | BinaryOperator::NotEquals, _) => literal(ast, right.0, left_type)
            .or_else(|| literal(ast, left.0, right_type))
            .or_else(|| contained(ast, operation, [left, right]))
            .or_else(|| contained(ast, operation, [right, left])),
        (BinaryOperator::In, _) => None,
        _ if operator.precedence() == Precedence::Relation => {
            ordered(ast, left, right).or_else(|| ordered(ast, right, left))
        }
        _ => None,
    }?;
    let title = match &*changes {
        [(_, source)] => format!("Change to `{source}`"),
        _ => format!("Change the elements to type `{left_type}`"),
    };
    Some((title, edits(facts, expression, &changes)?))
}

/// Returns the change of a literal to a type.
fn literal(ast: &Ast, id: ExprId, ty: &Type) -> Option<Vec<Change>> {
    let ExprKind::Literal(literal) = ast.kind(id) else {
        return None;
    };
    Some(vec![(ast.span(id), as_type(literal, ty)?)])
}

/// Returns the change of a comparison of a list with one of its elements to `in`.
fn contained(
    ast: &Ast,
    operation: ExprId,
    [(list, ty), (element, element_type)]: [(ExprId, &Type); 2],
) -> Option<Vec<Change>> {
    let is_element = matches!(ty, Type::List(of) if **of == *element_type);
    let is_literal = matches!(ast.kind(element), ExprKind::Literal(_));
    if !is_element || !is_literal {
        return None;
    }
    let [list, element] = [list, element].map(|id| ast.slice(ast.span(id)));
    let is_in = format!("{element} in {list}");
    let source = match ast.kind(operation) {
        ExprKind::Binary {
            operator: BinaryOperator::Equals,
            ..
        } => is_in,
        _ => format!("!({is_in})"),
    };
    Some(vec![(ast.span(operation), source)])
}

/// Returns the changes of all elements of a list to a type.
fn elements(ast: &Ast, id: ExprId, ty: &Type) -> Option<Vec<Change>> {
    let ExprKind::List { elements, .. } = ast.kind(id) else {
        return None;
    };
    let changes = elements.iter().map(|it| literal(ast, it.value, ty));
    Some(changes.collect::<Option<Vec<_>>>()?.concat())
}

/// Returns the change of an operand of `<` and the like. Strings are ordered by characters, so a
/// number never becomes a string.
fn ordered(
    ast: &Ast,
    (id, ty): (ExprId, &Type),
    (other, other_type): (ExprId, &Type),
) -> Option<Vec<Change>> {
    if *ty != Type::String || *other_type == Type::String {
        return None;
    }
    literal(ast, id, other_type).or_else(|| {
        let function = match ast.kind(other) {
            ExprKind::Literal(Literal::Int(_)) => "int",
            ExprKind::Literal(Literal::Double(_)) => "double",
            _ => return None,
        };
        let span = ast.span(id);
        Some(vec![(span, format!("{function}({})", ast.slice(span)))])
    })
}

/// Returns a string without escapes as a literal in the quotes of another one. `None` if it
/// contains the quote.
pub(super) fn requoted(literal: &str, text: &str) -> Option<String> {
    let quote = if literal.starts_with('"') { '"' } else { '\'' };
    (!text.contains([quote, '\\'])).then(|| format!("{quote}{text}{quote}"))
}

/// Returns the source of a literal with another type. `None` if its value has no such form.
pub(super) fn as_type(literal: &Literal, ty: &Type) -> Option<String> {
    let number = |text: &str| text.starts_with(|it: char| it.is_ascii_digit() || it == '-');
    match (literal, ty) {
        (Literal::String(text), Type::Int) => Some(text.parse::<i64>().ok()?.to_string()),
        (Literal::String(text), Type::Uint) => Some(format!("{}u", text.parse::<u64>().ok()?)),
        (Literal::String(text), Type::Double) if number(text) => {
            let value: f64 = text.parse().ok()?;
            value.is_finite().then(|| format!("{value:?}"))
        }
        (Literal::String(text), Type::Bool) => Some(text.parse::<bool>().ok()?.to_string()),
        (Literal::Int(value), Type::Double) => Some(format!("{value}.0")),
        (Literal::Int(value), Type::Uint) if *value >= 0 => Some(format!("{value}u")),
        (Literal::Int(value), Type::String) => Some(format!("'{value}'")),
        (Literal::Double(value), Type::String) => Some(format!("'{value:?}'")),
        (Literal::Bool(value), Type::String) => Some(format!("'{value}'")),
        _ => None,
    }
}
