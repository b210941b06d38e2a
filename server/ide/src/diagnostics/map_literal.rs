//! The change from `Object.metadata.labels{…}` to a map.
//!
//! A field name cannot hold a dot, a dash or a slash, and no escaping reaches it: what is a map
//! in the object has to be a map in the expression.

use super::facts::has_placeholder;
use crate::yaml_edit::replace_part;
use cel::syntax::{Ast, ExprId, ExprKind, Field};
use policy::{Expression, PolicyDocument};
use text::{Span, TextEdit};

/// The literal with a type that has a field at this place.
pub(super) fn owner(ast: &Ast, name: Span) -> Option<ExprId> {
    ast.ids().find(|id| match ast.kind(*id) {
        ExprKind::Struct { fields, .. } => fields.iter().any(|field| field.name.span == name),
        _ => false,
    })
}

/// The edits that take the type away and put the names in quotes, each as `key` gives it.
/// `None` where the map would not be the same: the API server reads a list or a map within a
/// map otherwise than one in an `Object`, and the whole `Object` has to be one.
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
