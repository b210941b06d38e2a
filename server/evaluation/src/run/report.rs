//! An evaluation as text for users.

use super::ExpressionEvaluation;
use std::fmt::Write as _;

/// Limit: the characters of a value in a line.
const MAX_VALUE: usize = 120;

/// Limit: the characters of a part in a line.
const MAX_PART: usize = 60;

/// Limit: the parts in a report. Users read few, and an editor keeps a report for every expression.
const MAX_PARTS: usize = 100;

/// Limit: the levels of indentation.
const MAX_LEVELS: usize = 20;

/// Returns the evaluation of an expression in lines: its input, its value and cost, and the value
/// of each part, indented by nesting.
#[must_use]
pub fn report(evaluation: &ExpressionEvaluation, input: &str) -> String {
    let mut out = format!("{} with {input}\n", evaluation.path);
    let units = if evaluation.cost == 1 {
        "unit"
    } else {
        "units"
    };
    let _ = writeln!(
        out,
        "= {}   ({} cost {units})",
        evaluation.result.sized(MAX_VALUE),
        evaluation.cost
    );
    for step in evaluation.trace.iter().take(MAX_PARTS) {
        let text = super::result_text::one_line(&step.text, MAX_PART);
        let value = step.result.sized(MAX_VALUE);
        let indent = "  ".repeat((step.depth + 1).min(MAX_LEVELS));
        let _ = writeln!(out, "{indent}{text}  =  {value}");
    }
    let more = evaluation.trace.len().saturating_sub(MAX_PARTS);
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more");
    }
    out
}
