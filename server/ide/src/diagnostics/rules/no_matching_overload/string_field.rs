//! Objects of the request where a string is meant: `request.kind == 'Pod'`.
//!
//! Authors know these values by one of their fields.

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use cel::Type;
use cel::syntax::{ExprId, ExprKind};
use policy::Expression;
use text::{Span, TextEdit};

/// The field by which authors know a value, by type.
const FIELDS: [(&str, &str); 4] = [
    ("kubernetes.GroupVersionKind", "kind"),
    ("kubernetes.GroupVersionResource", "resource"),
    ("kubernetes.Namespace", "metadata.name"),
    ("kubernetes.UserInfo", "username"),
];

/// Returns the reason that an object is not compared with a string or a list of strings, as a
/// clause.
pub(super) fn reason(function: &str, args: &[Type]) -> Option<String> {
    let (_, ty, field) = object(function, args)?;
    Some(format!(
        "a value of type `{ty}` is not a string. Compare its field `{field}`"
    ))
}

/// Returns the title and the edits of the fix, which selects the field.
pub(super) fn fix(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    operation: ExprId,
    (function, args): (&str, &[Type]),
) -> Option<(String, Vec<TextEdit>)> {
    let (is_left, _, field) = object(function, args)?;
    let ast = expression.ast();
    let ExprKind::Binary { left, right, .. } = ast.kind(operation) else {
        return None;
    };
    let operand = if is_left { *left } else { *right };
    if !matches!(
        ast.kind(operand),
        ExprKind::Select { .. } | ExprKind::Ident { .. } | ExprKind::Paren(_)
    ) {
        return None;
    }
    let end = Span::empty(ast.span(operand).end());
    let selection = format!(".{field}");
    let title = format!("Add `{selection}`");
    Some((title, edits(facts, expression, &[(end, selection)])?))
}

/// Returns whether the object is the left operand, its type, and its field.
fn object<'t>(function: &str, args: &'t [Type]) -> Option<(bool, &'t str, &'static str)> {
    let [left, right] = args else { return None };
    let is_left = match (function, left, right) {
        ("_==_" | "_!=_", Type::Struct(_), Type::String) => true,
        ("_==_" | "_!=_", Type::String, Type::Struct(_)) => false,
        ("@in", Type::Struct(_), Type::List(element)) if **element == Type::String => true,
        _ => return None,
    };
    let Type::Struct(name) = (if is_left { left } else { right }) else {
        return None;
    };
    let (_, field) = FIELDS.iter().find(|(ty, _)| *ty == &**name)?;
    Some((is_left, name, field))
}
