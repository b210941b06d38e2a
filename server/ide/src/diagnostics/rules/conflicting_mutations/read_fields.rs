//! Fields that one mutating policy reads and another one sets.
//!
//! Only reads that certainly affect the result are found: the value of another field, and a
//! comparison that decides for every request with the value. Anything else may have the same result
//! in both orders, such as a label map that is added if missing.

use super::dotted;
use crate::project::{PolicySummary, Write, escaped, writes};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal, UnaryOperator};
use policy::{Expression, PolicyDocument, Role};
use text::Span;

/// A read of a field.
pub(super) struct Read<'d> {
    pub(super) expression: &'d Expression,
    pub(super) span: Span,
    /// The field as a JSON pointer.
    field: String,
}

impl Read<'_> {
    pub(super) fn message(&self, other: &PolicySummary) -> String {
        let name = other.name.as_deref().unwrap_or_default();
        let advice = match self.expression.role {
            Role::MatchCondition => "Set all fields in one policy.",
            _ => "Set `reinvocationPolicy: IfNeeded`, or set all fields in one policy.",
        };
        format!(
            "Policy `{name}` sets `{}` of the same objects, and policies are evaluated in random \
             order, so this may read the field before or after the change. {advice}",
            dotted(&self.field)
        )
    }
}

/// Returns the fields that a policy reads and other policies set to constants, if the result
/// depends on the order of evaluation.
pub(super) fn depending<'d, 's>(
    document: &'d PolicyDocument,
    others: &[&'s PolicySummary],
) -> Vec<(&'s PolicySummary, Read<'d>)> {
    let conditions: Vec<&Expression> = document
        .expressions()
        .iter()
        .filter(|it| it.role == Role::MatchCondition)
        .collect();
    if document.has_params() || !conditions.iter().all(|it| reads_only_objects(it)) {
        return Vec::new();
    }
    let writes = writes(document);
    let conditional = conditions.into_iter().flat_map(decided);
    let conditional = conditional.map(|read| (read, None));
    let copied = writes.iter().filter_map(|write| {
        let read = copied(write)?;
        Some((read, Some(write)))
    });
    let mut found = Vec::new();
    for (read, written) in conditional.chain(copied) {
        let other = others.iter().find(|other| {
            // The value that the policy sets elsewhere shows the value that was read.
            let is_visible = |write: &Write<'_>| {
                !overlap(&write.field, &read.field)
                    && other
                        .constants
                        .iter()
                        .all(|it| !overlap(&it.field, &write.field))
            };
            let mut sets = other.constants.iter();
            sets.any(|it| it.field == read.field)
                && match written {
                    Some(write) => is_visible(write),
                    None => writes.iter().any(is_visible),
                }
        });
        if let Some(other) = other {
            found.push((*other, read));
        }
    }
    found
}

/// Returns whether two JSON pointers are equal or one contains the other.
fn overlap(one: &str, other: &str) -> bool {
    let contains = |outer: &str, inner: &str| {
        let rest = inner.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    contains(one, other) || contains(other, one)
}

/// Returns whether an expression depends only on the object, so that each result occurs for some
/// object.
fn reads_only_objects(expression: &Expression) -> bool {
    let ast = expression.ast();
    let is_known = |id| match ast.kind(id) {
        ExprKind::Ident { name, .. } => ast.name(*name) == "object",
        ExprKind::Error(_) => false,
        _ => true,
    };
    expression.parse.is_ok() && ast.ids().all(is_known)
}

/// Returns the field whose value a write copies.
fn copied<'d>(write: &Write<'d>) -> Option<Read<'d>> {
    let ast = write.expression.ast();
    let value = match ast.kind(write.value) {
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } if ast.name(*function) == "string" => *args.first()?,
        _ => write.value,
    };
    Some(Read {
        field: pointer(ast, value)?,
        expression: write.expression,
        span: ast.span(value),
    })
}

/// Returns the fields whose values decide a condition: operands of `&&` that compare them.
fn decided(expression: &Expression) -> impl Iterator<Item = Read<'_>> {
    let ast = expression.ast();
    let (mut terms, mut found) = (vec![ast.root()], Vec::new());
    while let Some(id) = terms.pop() {
        let id = ast.unparenthesized(id);
        let field = match ast.kind(id) {
            ExprKind::Binary {
                operator: BinaryOperator::And,
                left,
                right,
                ..
            } => {
                terms.extend([*right, *left]);
                continue;
            }
            _ => compared(ast, id).or_else(|| tested(ast, id)),
        };
        found.extend(field.map(|(field, at)| Read {
            field,
            expression,
            span: ast.span(at),
        }));
    }
    found.into_iter()
}

/// Returns the field of a comparison with a constant that some values pass and others do not.
fn compared(ast: &Ast, id: ExprId) -> Option<(String, ExprId)> {
    let ExprKind::Binary {
        operator,
        left,
        right,
        ..
    } = ast.kind(id)
    else {
        return None;
    };
    let ExprKind::Literal(literal) = ast.kind(ast.unparenthesized(*right)) else {
        return None;
    };
    let is_open = match (operator, literal) {
        (BinaryOperator::Equals | BinaryOperator::NotEquals, literal) => *literal != Literal::Null,
        // Numbers in objects are rarely negative.
        (BinaryOperator::Greater | BinaryOperator::LessEquals, Literal::Int(limit)) => *limit >= 0,
        (BinaryOperator::GreaterEquals | BinaryOperator::Less, Literal::Int(limit)) => *limit > 0,
        _ => false,
    };
    let field = match ast.kind(ast.unparenthesized(*left)) {
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } if ast.name(*function) == "orValue" => *target,
        _ => *left,
    };
    is_open
        .then(|| pointer(ast, field))?
        .map(|found| (found, field))
}

/// Returns the label or annotation whose presence is tested. Other fields may have defaults.
fn tested(ast: &Ast, id: ExprId) -> Option<(String, ExprId)> {
    let id = match ast.kind(id) {
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            operand,
            ..
        } => ast.unparenthesized(*operand),
        _ => id,
    };
    let field = match ast.kind(id) {
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } if ast.name(*function) == "has" => pointer(ast, *args.first()?)?,
        ExprKind::Binary {
            operator: BinaryOperator::In,
            left,
            right,
            ..
        } => {
            let ExprKind::Literal(Literal::String(key)) = ast.kind(ast.unparenthesized(*left))
            else {
                return None;
            };
            format!("{}/{}", pointer(ast, *right)?, escaped(key))
        }
        _ => return None,
    };
    let is_free = ["/metadata/labels/", "/metadata/annotations/"]
        .iter()
        .any(|map| field.starts_with(map));
    is_free.then_some((field, id))
}

/// Returns the field of the object that an expression selects, as a JSON pointer.
fn pointer(ast: &Ast, mut id: ExprId) -> Option<String> {
    let mut names = Vec::new();
    loop {
        id = ast.unparenthesized(id);
        match ast.kind(id) {
            ExprKind::Select { operand, field, .. } => {
                names.push(ast.name(*field));
                id = *operand;
            }
            ExprKind::Index { operand, index, .. } => {
                let ExprKind::Literal(Literal::String(key)) = ast.kind(ast.unparenthesized(*index))
                else {
                    return None;
                };
                names.push(key);
                id = *operand;
            }
            ExprKind::Ident { name, .. } if ast.name(*name) == "object" => break,
            _ => return None,
        }
    }
    let names = names.iter().rev();
    Some(names.map(|name| format!("/{}", escaped(name))).collect())
}
