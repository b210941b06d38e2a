//! Values that are plain JSON at admission.
//!
//! Names in `object`, `oldObject` and `params` are not escaped there, despite the documentation
//! of type checking. The compiler accepts an escaped name, since these variables are `dyn`, and
//! the policy fails at admission.

use super::problem::{Problem, ProblemKind};
use crate::expression::Expression;
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole};
use kubernetes::names::unescape;

const ROOTS: [&str; 3] = ["object", "oldObject", "params"];

/// Returns escaped names on plain JSON, in the order of the tree.
pub(super) fn escaped(expression: &Expression) -> Vec<Problem> {
    let ast = expression.ast();
    // Every escape has two underscores on both sides.
    if expression.role.schema().is_some() || !ast.text().contains("__") {
        return Vec::new();
    }
    let mut roles = vec![None; ast.len()];
    for ident in ast.idents(ast.root(), &[]) {
        if let Some(cell) = roles.get_mut(ident.id.index()) {
            *cell = Some(ident.role);
        }
    }
    let found = ast.ids().filter_map(|id| {
        let ExprKind::Select { operand, field, .. } = ast.kind(id) else {
            return None;
        };
        let name = ast.name(*field);
        let property = unescape(name).filter(|property| property != name)?;
        is_raw(ast, &roles, *operand).then(|| Problem {
            expr: id,
            span: field.span,
            kind: ProblemKind::EscapedAtAdmission {
                name: name.to_owned(),
                property: property.into_owned(),
            },
            upstream: None,
        })
    });
    found.collect()
}

/// Returns whether a value is a part of plain JSON.
fn is_raw(ast: &Ast, roles: &[Option<IdentRole>], mut id: ExprId) -> bool {
    // Each step leads to a smaller ID, so the walk ends.
    loop {
        id = match ast.kind(id) {
            ExprKind::Paren(inner) => *inner,
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
            ExprKind::Ident { name, .. } => match roles.get(id.index()).copied().flatten() {
                Some(IdentRole::Free) => return ROOTS.contains(&ast.name(*name)),
                Some(IdentRole::Bound(binding)) => {
                    match ast.macro_call(binding.call).and_then(|call| call.target) {
                        Some(target) => target,
                        None => return false,
                    }
                }
                Some(IdentRole::Declaration(_)) | None => return false,
            },
            _ => return false,
        };
    }
}
