//! Inlay hints: the value of an expression, and of the parts that decided it.
//!
//! Hints for all parts would hide the text.

use evaluation::run::{ExpressionEvaluation, ResultText, TraceStep, report};
use std::collections::HashSet;
use text::{TextRange, TextSize};

/// An inlay hint with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset after which it is shown.
    pub offset: TextSize,
    /// The label, such as `= true`.
    pub label: String,
    /// The tooltip. `None` for a part.
    pub tooltip: Option<String>,
}

/// Limit: the characters of the value of an expression.
const MAX_VALUE: usize = 60;

/// Limit: the characters of the value of a part.
const MAX_PART: usize = 30;

/// Limit: the parts of one expression with a value beside them.
const MAX_PARTS: usize = 20;

/// Returns the values of an expression. `input` is the name of the input.
#[must_use]
pub fn inlay_hints(evaluation: &ExpressionEvaluation, input: &str) -> Vec<InlayHint> {
    let mut hints = vec![InlayHint {
        offset: evaluation.end,
        label: label(&evaluation.result, MAX_VALUE),
        tooltip: Some(report(evaluation, input)),
    }];
    let whole = evaluation.trace.first().map(|step| step.range);
    // At one place, the value of the larger part is shown.
    let mut taken: HashSet<TextSize> = whole.map(TextRange::end).into_iter().collect();
    let parts = evaluation.trace.iter().skip(1).filter(|it| it.decided);
    for part in parts.take(MAX_PARTS) {
        let hides = is_whole_object(&part.result) || passes_on(evaluation, part);
        if hides || !taken.insert(part.range.end()) {
            continue;
        }
        hints.push(InlayHint {
            offset: part.range.end(),
            label: label(&part.result, MAX_PART),
            tooltip: None,
        });
    }
    hints
}

fn label(value: &ResultText, limit: usize) -> String {
    format!("= {}", value.short(limit))
}

/// Returns whether a part fails only because a part of it does, which says it already.
fn passes_on(evaluation: &ExpressionEvaluation, part: &TraceStep) -> bool {
    let fails = |step: &TraceStep| step.decided && matches!(step.result, ResultText::Failure(_));
    let inside =
        |step: &TraceStep| step.range != part.range && part.range.contains_range(step.range);
    let mut steps = evaluation.trace.iter();
    fails(part) && steps.any(|step| fails(step) && inside(step))
}

/// Returns whether a value is a map with something in it, which has no place beside a text.
fn is_whole_object(value: &ResultText) -> bool {
    matches!(value, ResultText::Value { text, .. } if text.starts_with('{') && text != "{}")
}

#[cfg(test)]
mod tests;
