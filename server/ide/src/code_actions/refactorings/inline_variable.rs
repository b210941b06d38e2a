//! Replaces the uses of a variable with its expression.

use super::{is_tested, refactoring};
use crate::code_actions::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::Role;
use policy::variables::{UseForm, VariableDefinition, VariableUse, Variables};
use text::TextEdit;
use yaml::edit::replace_part;

/// Limit: uses of a variable that are replaced.
const MAX_USES: usize = 50;

/// Returns the action for the variable that is used or defined at the cursor.
pub(super) fn action(file: &SourceFile, target: &Target<'_>) -> Option<CodeAction> {
    let variables = Variables::new(target.document);
    let used = variables.uses.iter().find(|used| {
        std::ptr::eq(used.expression, target.expression) && used.span.touches(target.offset)
    });
    let index = match (used, target.expression.role) {
        (Some(used), _) => variables.index_of(used.name)?,
        (None, Role::Variable { index }) => index,
        _ => return None,
    };
    let definition = variables.definitions.get(index)?;
    let name = definition.name?;
    let is_unique = variables
        .definitions
        .iter()
        .filter(|it| it.name == Some(name))
        .count()
        == 1;
    let uses: Vec<_> = variables.uses.iter().filter(|it| it.name == name).collect();
    if !is_unique || uses.is_empty() || uses.len() > MAX_USES {
        return None;
    }
    let value = value(definition)?;
    let mut edits = Vec::new();
    for used in uses {
        // A variable can read only earlier variables.
        if !used.available || used.within.is_some_and(|within| within <= index) {
            return None;
        }
        edits.push(replacement(target, definition, used, &value)?);
    }
    edits.push(file.editor().remove_item(definition.node)?);
    let title = format!("Inline the variable `{name}`");
    Some(refactoring(title, ActionKind::Inline, edits))
}

/// Returns the text of the expression as an operand.
fn value(definition: &VariableDefinition<'_>) -> Option<String> {
    let expression = definition.expression?;
    let (ast, parse) = (expression.ast(), &expression.parse);
    let text = expression.text().trim();
    if !parse.is_ok() || !parse.comments.is_empty() || text.is_empty() || text.contains('\n') {
        return None;
    }
    let is_operand = matches!(
        ast.kind(ast.root()),
        ExprKind::Ident { .. }
            | ExprKind::Select { .. }
            | ExprKind::Index { .. }
            | ExprKind::Call { .. }
            | ExprKind::List { .. }
            | ExprKind::Paren(_)
    );
    Some(if is_operand {
        text.to_owned()
    } else {
        format!("({text})")
    })
}

/// Returns the edit of a use. `None` if the meaning of the expression would change.
fn replacement(
    target: &Target<'_>,
    definition: &VariableDefinition<'_>,
    used: &VariableUse<'_>,
    value: &str,
) -> Option<TextEdit> {
    let ast = used.expression.ast();
    let of_use = |id: &ExprId| matches!(ast.kind(*id), ExprKind::Select { field, .. } if field.span == used.span);
    let id = ast.ids().find(of_use)?;
    let is_read = used.form == UseForm::Field && used.expression.parse.is_ok();
    let is_hidden = ast.bindings_at(used.span.start()).iter().any(|binding| {
        let name = ast.name(binding.name);
        definition
            .expression
            .is_some_and(|it| has_ident(it.ast(), name))
    });
    if !is_read || is_hidden || is_tested(ast, id) {
        return None;
    }
    let node = target.document.node(used.expression.node);
    let scalar = node.as_scalar().filter(|_| !node.is_alias())?;
    replace_part(scalar, ast.span(id), value)
}

fn has_ident(ast: &Ast, wanted: &str) -> bool {
    let mut ids = ast.ids();
    ids.any(|id| matches!(ast.kind(id), ExprKind::Ident { name, .. } if ast.name(*name) == wanted))
}
