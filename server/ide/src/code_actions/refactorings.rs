//! Refactorings: changes of a policy that keep its decisions.
//!
//! Each is in a separate file, and offered only if it certainly keeps the decisions.

mod create_binding;
mod extract_variable;
mod guard_field;
mod inline_variable;
mod join_validations;
mod message;
mod replace_by_parameter;
mod scalar_style;
mod split_validation;

pub use create_binding::binding_file;

use super::{ActionKind, CodeAction};
use crate::diagnostics::diagnose;
use crate::file::SourceFile;
use crate::report::{Safety, Severity};
use crate::settings::Settings;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole};
use policy::{Expression, Role};
use std::collections::HashMap;
use text::{Span, TextEdit, TextRange, TextSize, apply_edits};
use yaml::Node;
use yaml::edit::is_in_flow;

/// Returns the refactorings of the expression and of the validation in which `range` begins.
#[must_use]
pub fn refactorings(file: &SourceFile, range: TextRange) -> Vec<CodeAction> {
    let mut actions = of_expression(file, range);
    actions.extend(of_validation(file, range.start()));
    actions.extend(create_binding::action(file, range.start()));
    actions
}

fn of_validation(file: &SourceFile, cursor: TextSize) -> Vec<CodeAction> {
    let documents = file.policies().iter().filter(|it| !file.is_template(it));
    let mut conditions = documents.flat_map(|document| {
        let expressions = document.expressions().iter();
        let conditions = expressions.filter(|it| is_condition(it) && it.parse.is_ok());
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
        actions.extend(split_validation::action(file, &target));
        actions.extend(join_validations::action(file, &target));
        actions.extend(guard_field::actions(file, &target));
        actions.extend(replace_by_parameter::actions(file, &target));
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

/// Returns whether an expression is the condition of a validation.
fn is_condition(expression: &Expression) -> bool {
    matches!(expression.role, Role::Validation | Role::CrdRule { .. })
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

/// Returns whether a part of a validation rule reads `oldSelf`.
fn reads_old_self(ast: &Ast, id: ExprId) -> bool {
    let mut names = ast.idents(id, &[]).into_iter();
    names.any(|it| it.role == IdentRole::Free && ast.name(it.name) == "oldSelf")
}

/// Returns the line on which a node of a block collection begins, and its indentation. `None` if
/// anything but `lead` is before the node, or it is in brackets or braces.
fn line_of<'f>(file: &'f SourceFile, node: Node<'_>, lead: &str) -> Option<(TextRange, &'f str)> {
    let start = node.range().start();
    let before = file.editor().before(start);
    let indent = before.get(..before.len() - before.trim_start().len())?;
    let lines = file.line_index();
    let line = lines.line_range(lines.line(start))?;
    let is_alone = before.trim() == lead && !indent.contains('\t') && !is_in_flow(node);
    is_alone.then_some((line, indent))
}

/// Returns the lines of an item of a block sequence, without the last line ending. `None` if
/// something else is on them, such as a comment.
fn item_lines(file: &SourceFile, item: Node<'_>) -> Option<TextRange> {
    let (first, _) = line_of(file, item, "-")?;
    let written = file.slice(item.range()).trim_end();
    let end = item.range().start() + TextSize::of(written);
    let lines = file.line_index();
    let last = lines.line_content(file.text(), lines.line(end))?;
    let rest = file.slice(TextRange::new(end, last.end()));
    let whole = TextRange::new(first.start(), last.end());
    let mut comments = file.stream().comments().iter();
    let has_comment = comments.any(|it| whole.contains_range(it.range));
    (rest.trim().is_empty() && !has_comment).then_some(whole)
}

/// Returns the edits if they only replace `count` validations, from that of `target` on, with
/// `conditions`, and add no findings.
fn rewritten(
    file: &SourceFile,
    edits: Vec<TextEdit>,
    (target, count): (&Target<'_>, usize),
    conditions: &[&str],
) -> Option<Vec<TextEdit>> {
    let after = applied(file, &edits)?;
    let all = file.policies().iter().flat_map(|it| it.expressions());
    let mut before = all.filter(|it| is_condition(it));
    let index = before.position(|it| std::ptr::eq(it, target.expression))?;
    let mut expected = self::conditions(file);
    let words = conditions.iter().map(|it| words(it));
    expected.splice(index..index + count, words);
    let keeps = expected == self::conditions(&after) && !is_worse(file, &after);
    keeps.then_some(edits)
}

/// Returns the file with edits applied.
fn applied(file: &SourceFile, edits: &[TextEdit]) -> Option<SourceFile> {
    let text = apply_edits(file.text(), edits).ok()?;
    Some(file.edited(text))
}

/// Returns whether edits add errors or warnings to a file.
fn is_worse(before: &SourceFile, after: &SourceFile) -> bool {
    let before = findings(before);
    findings(after)
        .iter()
        .any(|(code, count)| before.get(code) < Some(count))
}

/// Returns the conditions of all validations.
fn conditions(file: &SourceFile) -> Vec<String> {
    let all = file.policies().iter().flat_map(|it| it.expressions());
    let conditions = all.filter(|it| is_condition(it));
    conditions.map(|it| words(it.text())).collect()
}

fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Returns the number of errors and warnings of each rule.
fn findings(file: &SourceFile) -> HashMap<&'static str, usize> {
    let mut counts = HashMap::new();
    let found = diagnose(file, &Settings::default()).into_iter();
    for finding in found.filter(|it| it.severity >= Severity::Warning) {
        *counts.entry(finding.code).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod styles;
#[cfg(test)]
mod tests;
