//! An evaluation as text for people.

use super::ExpressionEvaluation;
use std::fmt::Write as _;

/// Limit: the characters of a value in a line.
const MAX_VALUE: usize = 120;

/// Limit: the characters of a part in a line.
const MAX_PART: usize = 60;

/// The evaluation of an expression in lines: its input, its value and cost, and
/// the value of each part, indented as they hold each other.
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
    for step in &evaluation.trace {
        let text: String = super::result_text::one_line(&step.text, MAX_PART);
        let value = step.result.sized(MAX_VALUE);
        let _ = writeln!(out, "{}{text}  =  {value}", "  ".repeat(step.depth + 1));
    }
    out
}
