//! Splits a validation at its `&&` into one for each condition.
//!
//! All validations are evaluated, and each that is false or fails denies. `&&` is false if one side
//! is, even if the other one fails. Both forms therefore deny the same requests, regardless of the
//! failure policy. A condition that guards another one stays with it: without the guard, the other
//! one would fail.

use super::{is_condition, item_lines, reads_old_self, refactoring, rewritten};
use crate::code_actions::{ActionKind, CodeAction};
use crate::diagnostics::operands;
use crate::file::SourceFile;
use crate::target::Target;
use cel::syntax::BinaryOperator;
use std::collections::HashSet;
use text::{Span, TextEdit, TextRange, TextSize, apply_edits};
use yaml::edit::{replace_part, single_quoted};
use yaml::{Scalar, ScalarStyle};

/// Limit: validations that result from one.
const MAX_PARTS: usize = 10;

/// Returns the action for the validation of the expression at the cursor.
pub(super) fn action(file: &SourceFile, target: &Target<'_>) -> Option<CodeAction> {
    let ast = target.ast();
    let parts = operands(ast, ast.root(), BinaryOperator::And);
    if !is_condition(target.expression) || !(2..=MAX_PARTS).contains(&parts.len()) {
        return None;
    }
    let different: HashSet<String> = parts.iter().map(|it| ast.normalized_source(*it)).collect();
    if different.len() < parts.len() {
        return None;
    }
    // A rule that reads `oldSelf` is evaluated on updates only.
    let in_schema = target.expression.role.schema().is_some();
    let of_updates = parts.iter().filter(|part| reads_old_self(ast, **part));
    let of_updates = of_updates.count();
    if in_schema && of_updates > 0 && of_updates < parts.len() {
        return None;
    }
    let validation = target.document.node(target.expression.owner);
    let lines = item_lines(file, validation)?;
    let mut edits = Vec::new();
    let mut copies = String::new();
    for (index, part) in parts.iter().enumerate() {
        let changes = reduce(file, target.scalar(), ast.span(*part))?;
        if index == 0 {
            edits = changes;
            continue;
        }
        let changes = changes.into_iter().map(|edit| moved(edit, lines));
        let item = file.slice(lines);
        copies.push_str(file.editor().line_break());
        copies.push_str(&apply_edits(item, &changes.collect::<Vec<_>>()).ok()?);
    }
    edits.push(TextEdit::insert(lines.end(), copies));
    let conditions = parts.iter().map(|part| ast.slice(ast.span(*part)));
    let edits = rewritten(file, edits, (target, 1), &conditions.collect::<Vec<_>>())?;
    let title = format!("Split into {} validations", parts.len());
    Some(refactoring(title, ActionKind::Rewrite, edits))
}

/// Returns the edits that reduce an expression to one of its parts.
fn reduce(file: &SourceFile, scalar: Scalar<'_>, part: Span) -> Option<Vec<TextEdit>> {
    let text = scalar.text();
    let size = |text: &str| u32::try_from(text.len()).ok();
    let start = size(text)? - size(text.trim_start())?;
    let whole = Span::new(start, size(text.trim_end())?);
    let kept = part.slice(text);
    if scalar.style() == ScalarStyle::Plain && replace_part(scalar, whole, kept).is_none() {
        let written = file.slice(scalar.range()).trim_end();
        let range = TextRange::at(scalar.range().start(), TextSize::of(written));
        return Some(vec![TextEdit::replace(range, single_quoted(kept))]);
    }
    let map = scalar.source_map();
    let (whole, kept) = (map.up(whole), map.up(part));
    let others = [
        TextRange::new(whole.start(), kept.start()),
        TextRange::new(kept.end(), whole.end()),
    ]
    .into_iter()
    .filter(|range| !range.is_empty());
    Some(others.map(TextEdit::delete).collect())
}

/// Returns an edit of the file as an edit of the text of `lines`.
fn moved(edit: TextEdit, lines: TextRange) -> TextEdit {
    let start = edit.range.start() - lines.start();
    TextEdit::replace(TextRange::at(start, edit.range.len()), edit.insert)
}
