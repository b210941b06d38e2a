//! Joins a validation with the next one by `&&`.
//!
//! It is the opposite of a split, and denies the same requests. Validations with different messages
//! stay separate, since users would no longer see one of the messages.

use super::{is_condition, item_lines, reads_old_self, refactoring, rewritten};
use crate::code_actions::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::target::Target;
use cel::syntax::{BinaryOperator, ExprKind};
use policy::Expression;
use text::{Span, TextEdit, TextRange, TextSize};
use yaml::edit::{replace_part, single_quoted};
use yaml::{Node, ScalarStyle};

/// Returns the action for the validation of the expression at the cursor.
pub(super) fn action(file: &SourceFile, target: &Target<'_>) -> Option<CodeAction> {
    let expression = target.expression;
    if !is_condition(expression) {
        return None;
    }
    let validation = target.document.node(expression.owner);
    let mut items = validation.parent()?.as_sequence()?.items();
    let after = items.find(|it| it.range().start() > validation.range().start())?;
    let next = target.document.expressions().iter().find(|it| {
        it.role == expression.role && target.document.node(it.owner) == after && it.parse.is_ok()
    })?;
    let is_alike = others(validation, expression) == others(after, next);
    let reads_old = |it: &Expression| reads_old_self(it.ast(), it.ast().root());
    let is_mixed = reads_old(expression) != reads_old(next);
    if !is_alike || is_mixed && expression.role.schema().is_some() {
        return None;
    }
    let (first, lines) = (item_lines(file, validation)?, item_lines(file, after)?);
    let between = TextRange::new(first.end(), lines.start());
    if !file.slice(between).trim().is_empty() || !next.parse.comments.is_empty() {
        return None;
    }
    let conditions = [operand(expression), operand(next)];
    let edits = vec![
        condition(file, target, &conditions)?,
        TextEdit::delete(TextRange::new(first.end(), lines.end())),
    ];
    let joined = conditions.join(" && ");
    let edits = rewritten(file, edits, (target, 2), &[&joined])?;
    let title = "Join with the next validation".to_owned();
    Some(refactoring(title, ActionKind::Rewrite, edits))
}

/// Returns the fields of a validation other than its expression.
fn others<'d>(validation: Node<'d>, expression: &Expression) -> Option<Vec<(&'d str, &'d str)>> {
    let entries = validation.as_mapping()?.entries();
    let mut others: Vec<_> = entries
        .filter(|it| it.value.id() != expression.node)
        .map(|it| (it.key.text(), it.value.text().trim()))
        .collect();
    others.sort_unstable();
    Some(others)
}

/// Returns an expression as an operand of `&&`.
fn operand(expression: &Expression) -> String {
    let (ast, text) = (expression.ast(), expression.text().trim());
    let is_looser = matches!(
        ast.kind(ast.root()),
        ExprKind::Conditional { .. }
            | ExprKind::Binary {
                operator: BinaryOperator::Or,
                ..
            }
    );
    if is_looser {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// Returns the edit that replaces the first condition with both.
fn condition(file: &SourceFile, target: &Target<'_>, parts: &[String; 2]) -> Option<TextEdit> {
    let (scalar, text) = (target.scalar(), target.text());
    let written = file.slice(scalar.range()).trim_end();
    let range = TextRange::at(scalar.range().start(), TextSize::of(written));
    let is_block = scalar.style() == ScalarStyle::Literal;
    if is_block || parts.iter().any(|part| part.contains('\n')) {
        let lines = parts.join(" &&\n");
        let editor = file.editor();
        return editor.literal_block(scalar.node(), &lines, range.end());
    }
    let joined = parts.join(" && ");
    let end = u32::try_from(text.trim_end().len()).ok()?;
    let start = u32::try_from(text.len() - text.trim_start().len()).ok()?;
    replace_part(scalar, Span::new(start, end), &joined)
        .or_else(|| Some(TextEdit::replace(range, single_quoted(&joined))))
}
