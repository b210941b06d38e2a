//! Writes an expression in another scalar style: in quotes, or as a block.
//!
//! In brackets or braces there are no blocks, and JSON has one style only.

use super::refactoring;
use crate::code_actions::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::target::Target;
use text::{TextEdit, TextRange, TextSize};
use yaml::ScalarStyle;
use yaml::edit::{is_in_flow, single_quoted};

/// Returns the actions for the expression.
pub(super) fn actions(file: &SourceFile, target: &Target<'_>) -> Vec<CodeAction> {
    let (scalar, text) = (target.scalar(), target.text());
    let range = scalar.range();
    // A line break in a string is part of the string.
    let is_fixed = is_in_flow(scalar.node());
    if is_fixed || text.contains("'''") || text.contains("\"\"\"") || text.contains('\r') {
        return Vec::new();
    }
    let written = file.slice(range).trim_end();
    let range = TextRange::at(range.start(), TextSize::of(written));
    let rest = file.text().get(usize::from(range.end())..).unwrap_or("");
    let is_last = rest
        .lines()
        .next()
        .is_none_or(|rest| rest.trim().is_empty());
    let has_comment =
        scalar.header().is_some() && written.lines().next().unwrap_or("").contains('#');
    let mut actions = Vec::new();
    if scalar.style() != ScalarStyle::Literal && is_last && !has_comment {
        let edit = file
            .editor()
            .literal_block(scalar.node(), text.trim(), range.end());
        let title = "Convert to a literal block (`|`)".to_owned();
        actions.extend(edit.map(|edit| refactoring(title, ActionKind::Rewrite, vec![edit])));
    }
    let is_one_line = !text.trim().contains('\n') && !has_comment;
    if scalar.style() != ScalarStyle::SingleQuoted && is_one_line {
        let edit = TextEdit::replace(range, single_quoted(text.trim()));
        let title = "Convert to a single-quoted string".to_owned();
        actions.push(refactoring(title, ActionKind::Rewrite, vec![edit]));
    }
    actions
}
