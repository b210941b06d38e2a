//! Inlay hints: types, costs near the budget, and values of an expression and of its deciding
//! parts.
//!
//! Values are at the ends of lines, where they do not move code. Lines have little room, so only
//! values that the code does not show are added, and the tooltip has the rest.

mod types;

pub use types::type_hints;

use cel::syntax::{Token, TokenKind, tokens};
use evaluation::run::{ExpressionEvaluation, ResultText, TraceStep, report};
use policy::ParsedFile;
use std::collections::HashSet;
use std::sync::Arc;
use text::TextSize;

/// A tooltip, as text only when it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tooltip {
    /// A text.
    Text(String),
    /// The report of an evaluation with the input of a name.
    Report(Arc<ExpressionEvaluation>, Arc<str>),
}

impl Tooltip {
    /// Returns the tooltip as plain text.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Tooltip::Text(text) => text.clone(),
            Tooltip::Report(evaluation, input) => report(evaluation, input),
        }
    }
}

/// An inlay hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset that the hint follows.
    pub offset: TextSize,
    /// The label, such as `= true`.
    pub label: String,
    /// The tooltip.
    pub tooltip: Option<Tooltip>,
    /// The kind.
    pub kind: InlayHintKind,
}

/// The kind of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlayHintKind {
    /// A type, directly after a name.
    Type,
    /// A value or a cost.
    Note,
}

/// The hints that are shown without an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintSettings {
    /// Types of the variables of a policy.
    pub variable_types: bool,
    /// Types of the variables of macros.
    pub macro_types: bool,
    /// Costs near the budget.
    pub cost: bool,
}

impl Default for HintSettings {
    fn default() -> Self {
        Self {
            variable_types: true,
            macro_types: true,
            cost: true,
        }
    }
}

/// Limit: the characters of the value of an expression.
const MAX_VALUE: usize = 60;

/// Limit: the characters of the value of a part.
const MAX_PART: usize = 30;

/// Limit: the characters of the source of a part. The last ones are shown.
const MAX_SOURCE: usize = 30;

/// Limit: the parts of one line.
const MAX_PARTS: usize = 3;

/// Returns the values of an expression, one hint for each line. `input` is the name of the input.
#[must_use]
pub fn inlay_hints(
    file: &ParsedFile,
    evaluation: &Arc<ExpressionEvaluation>,
    input: &Arc<str>,
) -> Vec<InlayHint> {
    let shown = shown_parts(evaluation);
    let last = end_of_line(file, evaluation.end);
    let mut hints: Vec<InlayHint> = Vec::new();
    let mut lines: Vec<(TextSize, Vec<&TraceStep>)> = vec![(last, Vec::new())];
    for part in shown {
        let end = end_of_line(file, part.range.end()).min(last);
        match lines.iter_mut().find(|(line, _)| *line == end) {
            Some((_, parts)) => parts.push(part),
            None => lines.push((end, vec![part])),
        }
    }
    for (offset, mut parts) in lines {
        parts.sort_by_cached_key(|part| part.range.end());
        let value = (offset == last).then(|| format!("= {}", evaluation.result.short(MAX_VALUE)));
        let tooltip = match value {
            Some(_) => Tooltip::Report(Arc::clone(evaluation), Arc::clone(input)),
            None => Tooltip::Text(tooltip(&parts)),
        };
        let mut label: Vec<String> = value.into_iter().collect();
        label.extend(
            parts
                .iter()
                .take(MAX_PARTS)
                .map(|part| short(part, evaluation)),
        );
        if parts.len() > MAX_PARTS {
            label.push("…".to_owned());
        }
        hints.push(InlayHint {
            offset,
            label: label.join(" · "),
            tooltip: Some(tooltip),
            kind: InlayHintKind::Note,
        });
    }
    hints
}

/// Returns the parts that decided the value, without those that are redundant with another part.
fn shown_parts(evaluation: &ExpressionEvaluation) -> Vec<&TraceStep> {
    let parts = evaluation.trace.iter().skip(1);
    let parts = parts.filter(|part| part.decided && !is_obvious(part));
    let mut shown: Vec<&TraceStep> = Vec::new();
    // Each part comes after the one that contains it.
    for part in parts.rev() {
        let contains = |inner: &&TraceStep| part.range.contains_range(inner.range);
        let follows = is_boolean(&part.result) || is_failure(&part.result);
        if !follows || !shown.iter().any(contains) {
            shown.push(part);
        }
    }
    shown.reverse();
    let mut known = HashSet::new();
    shown.retain(|part| known.insert((&part.text, part.result.short(MAX_PART))));
    shown
}

/// Returns whether the value of a part is evident from its source, or too large for a line:
/// literals, optionals, whole objects and lists of them.
fn is_obvious(part: &TraceStep) -> bool {
    let ResultText::Value { text, .. } = &part.result else {
        return false;
    };
    let is_large = (text.starts_with('{') && text != "{}") || text.starts_with("[{");
    is_large || text.starts_with("optional.") || is_literal(&part.text)
}

/// Returns whether the source is a list or map literal, or contains no names.
fn is_literal(source: &str) -> bool {
    let is_enclosed = |open, close| source.starts_with(open) && source.ends_with(close);
    let is_name = |token: Token| matches!(token.kind, TokenKind::Ident | TokenKind::EscapedIdent);
    is_enclosed('[', ']') || is_enclosed('{', '}') || !tokens(source).any(is_name)
}

fn is_boolean(result: &ResultText) -> bool {
    matches!(result, ResultText::Value { text, .. } if text == "true" || text == "false")
}

const fn is_failure(result: &ResultText) -> bool {
    matches!(result, ResultText::Failure(_))
}

/// Returns the part and its value, shortened for a line.
fn short(part: &TraceStep, evaluation: &ExpressionEvaluation) -> String {
    let cut = part.text.chars().count().saturating_sub(MAX_SOURCE);
    let source: String = part.text.chars().skip(cut).collect();
    let mark = if cut > 0 { "…" } else { "" };
    if is_failure(&part.result) && part.result == evaluation.result {
        return format!("{mark}{source} fails");
    }
    format!("{mark}{source} = {}", part.result.short(MAX_PART))
}

/// Returns the parts and their values, for a tooltip.
fn tooltip(parts: &[&TraceStep]) -> String {
    let line = |part: &&TraceStep| format!("{} = {}", part.text, part.result.short(usize::MAX));
    parts.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the end of the line of an offset, before trailing white space.
fn end_of_line(file: &ParsedFile, offset: TextSize) -> TextSize {
    let rest = file.text().get(usize::from(offset)..).unwrap_or_default();
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    offset + TextSize::of(line.trim_end())
}

#[cfg(test)]
mod tests;
