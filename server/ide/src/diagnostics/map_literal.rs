//! The fix that turns `Object.metadata.labels{…}` into a map.
//!
//! A field name cannot contain a dot, a dash or a slash, and escaping does not help: a map in the
//! object must be a map in the expression.

use super::placeholder::has_placeholder;
use cel::syntax::{Ast, ExprId, ExprKind, Field};
use policy::{Expression, PolicyDocument};
use text::{Span, TextEdit};
use yaml::edit::replace_part;

/// Returns the object literal whose field name is at `name`.
pub(super) fn owner(ast: &Ast, name: Span) -> Option<ExprId> {
    ast.ids().find(|id| match ast.kind(*id) {
        ExprKind::Struct { fields, .. } => fields.iter().any(|field| field.name.span == name),
        _ => false,
    })
}

/// Returns the edits that remove the type and quote the names, each mapped by `key`. `None` if the
/// map would not be equivalent: the API server converts lists and maps within a map differently
/// from those in an `Object`, and the root must be an `Object`.
pub(super) fn edits(
    document: &PolicyDocument,
    expression: &Expression,
    literal: ExprId,
    key: impl Fn(&str) -> String,
) -> Option<Vec<TextEdit>> {
    let ast = expression.ast();
    let ExprKind::Struct {
        type_name,
        fields,
        braces,
        ..
    } = ast.kind(literal)
    else {
        return None;
    };
    let (first, rest) = type_name.split_first()?;
    let is_within = ast.name(*first) == kubernetes::mutation::OBJECT && !rest.is_empty();
    if !is_within || !fields.iter().all(|field| is_flat(ast, field)) {
        return None;
    }
    let scalar = document.node(expression.node).as_scalar()?;
    let type_span = Span::new(ast.span(literal).start(), braces.start());
    let mut edits = vec![replace_part(scalar, type_span, "")?];
    for field in fields {
        let written = field.name.span.slice(ast.text());
        if written.starts_with(['\'', '"']) {
            continue;
        }
        let name = key(ast.name(field.name));
        if name.contains(['\'', '\\']) || has_placeholder(&name) {
            return None;
        }
        edits.push(replace_part(scalar, field.name.span, &format!("'{name}'"))?);
    }
    Some(edits)
}

fn is_flat(ast: &Ast, field: &Field) -> bool {
    let value = ast.unparenthesized(field.value);
    !matches!(
        ast.kind(value),
        ExprKind::List { .. } | ExprKind::Map { .. }
    ) && ast.macro_call(value).is_none()
}
