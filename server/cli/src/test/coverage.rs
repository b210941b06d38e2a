//! The coverage of the tests.

use super::Run;
use crate::loader::Loaded;
use admission::PolicyCoverage;
use evaluation::coverage::{ExpressionCoverage, Missing, Totals, coverage, totals};
use evaluation::run::one_line;
use std::sync::Arc;
use text::TextRange;

/// The coverage of the tests of a file.
#[derive(Debug, Default)]
pub(super) struct FileCoverage {
    /// The counts.
    pub(super) totals: Totals,
    /// The uncovered parts, in the order of the file.
    pub(super) missing: Vec<NeverSeen>,
    /// The covered expressions: field path and range, in the order of the file.
    pub(super) covered: Vec<(String, TextRange)>,
}

/// A part that no test covers.
#[derive(Debug)]
pub(super) struct NeverSeen {
    /// The position in the file.
    pub(super) range: TextRange,
    /// The field path of the expression.
    pub(super) field: String,
    /// The source of the part, or of the whole expression.
    pub(super) text: String,
    /// The kind of gap.
    pub(super) missing: Missing,
}

/// Limit: characters of a part that are shown.
const MAX_TEXT: usize = 80;

impl FileCoverage {
    /// Returns the recorded evaluations of the policies of a file.
    pub(super) fn new(loaded: &Loaded, recorded: &[Arc<PolicyCoverage>]) -> Self {
        let mut all = Self::default();
        for (document, recorded) in loaded.file.policies().iter().zip(recorded) {
            let expressions = coverage(document, [&**recorded]);
            all.totals += totals(&expressions);
            for expression in &expressions {
                all.add(loaded, expression);
            }
        }
        all
    }

    /// Adds an expression. One that was never evaluated needs no list of its branches.
    fn add(&mut self, loaded: &Loaded, expression: &ExpressionCoverage) {
        let never_seen = |range: TextRange, text: &str, missing| NeverSeen {
            range,
            field: expression.path.clone(),
            text: source_line(text),
            missing,
        };
        if let Some(missing) = expression.missing {
            let range = std::ops::Range::<usize>::from(expression.range);
            let text = loaded.file.text().get(range).unwrap_or_default();
            self.missing
                .push(never_seen(expression.range, text, missing));
            if matches!(missing, Missing::Evaluation) {
                return;
            }
        } else {
            let field = expression.path.clone();
            self.covered.push((field, expression.range));
        }
        let branches = expression.branches.iter();
        self.missing.extend(branches.filter_map(|branch| {
            let missing = branch.missing?;
            Some(never_seen(branch.range, &branch.text, missing))
        }));
    }

    /// Returns the coverage of expressions and branches, in percent.
    pub(super) fn percent(&self) -> f64 {
        percent(self.totals)
    }
}

/// Returns the coverage of the tests of all files together.
pub(super) fn of_all(run: &Run) -> FileCoverage {
    let covered = run.suites.iter().filter_map(|it| it.coverage.as_ref());
    let mut all = FileCoverage::default();
    covered.for_each(|it| all.totals += it.totals);
    all
}

/// Returns a ratio in percent; 100 if the total is 0.
pub(super) fn share(covered: usize, total: usize) -> f64 {
    if total == 0 {
        return 100.0;
    }
    // A float is exact far beyond the number of expressions.
    // Counts are small.
    let share = covered as f64 / total as f64;
    share * 100.0
}

fn percent(totals: Totals) -> f64 {
    let (expressions, branches) = (totals.expressions, totals.branches);
    share(
        expressions.covered + branches.covered,
        expressions.total + branches.total,
    )
}

/// Returns an expression on one line, without the header of a block scalar.
fn source_line(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_head = first.starts_with(['|', '>']) && !rest.is_empty();
    let text = if is_head { rest } else { text };
    one_line(text, MAX_TEXT).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_shown_without_its_head() {
        assert_eq!(source_line(">-\n  a &&\n  b"), "a && b");
        assert_eq!(source_line("a"), "a");
        assert_eq!(source_line(&"😀".repeat(99)).chars().count(), MAX_TEXT);
    }

    #[test]
    fn of_nothing_all_is_covered() {
        assert!((share(0, 0) - 100.0).abs() < f64::EPSILON);
        assert!((share(1, 4) - 25.0).abs() < f64::EPSILON);
    }
}
