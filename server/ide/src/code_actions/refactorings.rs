//! Refactorings: changes of a policy that keep its decisions.
//!
//! Each is in a file of its own, and offered only where it certainly keeps the decisions.

mod extract_variable;
mod inline_variable;
mod message;
mod scalar_style;

use super::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::report::Safety;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::Role;
use text::{Span, TextEdit, TextRange, TextSize};

/// Returns the refactorings of the expression and of the validation in which `range` begins.
#[must_use]
pub fn refactorings(file: &SourceFile, range: TextRange) -> Vec<CodeAction> {
    let mut actions = of_expression(file, range);
    actions.extend(of_validation(file, range.start()));
    actions
}

fn of_validation(file: &SourceFile, cursor: TextSize) -> Vec<CodeAction> {
    let documents = file.policies().iter().filter(|it| !file.is_template(it));
    let mut conditions = documents.flat_map(|document| {
        let expressions = document.expressions().iter();
        let conditions = expressions.filter(|it| {
            let is_condition = matches!(it.role, Role::Validation | Role::CrdRule { .. });
            is_condition && it.parse.is_ok()
        });
        conditions.map(|it| (it.role, document.validation(it)))
    });
    let found = conditions.find(|(_, it)| {
        let node = it.node();
        !node.is_alias() && node.range().contains_inclusive(cursor)
    });
    found.map_or_else(Vec::new, |(role, validation)| {
        message::actions(file, validation, role.schema().is_some())
    })
}

fn of_expression(file: &SourceFile, range: TextRange) -> Vec<CodeAction> {
    let Some(target) = Target::at(file, range.start()) else {
        return Vec::new();
    };
    let is_parsed = target.expression.parse.is_ok() && target.expression.parse.comments.is_empty();
    if !is_parsed || target.text().trim().is_empty() || file.is_template(target.document) {
        return Vec::new();
    }
    let mut actions = Vec::new();
    // Values are known only if everything compiles.
    if target.document.problems().next().is_none() {
        let selected = selected(&target, range);
        actions.extend(extract_variable::action(file, &target, selected));
        actions.extend(inline_variable::action(file, &target));
    }
    actions.extend(scalar_style::actions(file, &target));
    actions
}

/// Returns the selected part of the expression, which is empty at a cursor.
fn selected(target: &Target<'_>, range: TextRange) -> Span {
    let map = target.scalar().source_map();
    let (start, end) = (map.down_floor(range.start()), map.down_floor(range.end()));
    Span::new(start.min(end), end)
}

fn refactoring(title: String, kind: ActionKind, edits: Vec<TextEdit>) -> CodeAction {
    CodeAction {
        title,
        kind,
        edits,
        finding: None,
        safety: Safety::Safe,
        is_preferred: false,
    }
}

/// Returns whether a node is the argument of `has()`, which is not a value.
fn is_tested(ast: &Ast, id: ExprId) -> bool {
    ast.ids().any(|call| match ast.kind(call) {
        ExprKind::Call {
            target: None,
            function,
            args,
            ..
        } => ast.name(*function) == "has" && args.iter().any(|arg| ast.unparenthesized(*arg) == id),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
