//! The nodes around the nodes of an expression.

use cel::syntax::{Ast, ExprId, ExprKind};

/// Returns the parent of each node.
pub(crate) fn parents(ast: &Ast) -> Vec<Option<ExprId>> {
    let mut parents = vec![None; ast.len()];
    for id in ast.ids() {
        for child in ast.children(id) {
            if let Some(cell) = parents.get_mut(child.index()) {
                *cell = Some(id);
            }
        }
    }
    parents
}

/// Returns the node that contains a node, without the parentheses around it.
pub(super) fn enclosing(ast: &Ast, parents: &[Option<ExprId>], mut id: ExprId) -> Option<ExprId> {
    loop {
        id = parents.get(id.index()).copied().flatten()?;
        if !matches!(ast.kind(id), ExprKind::Paren(_)) {
            return Some(id);
        }
    }
}
