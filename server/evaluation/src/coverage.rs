//! Test coverage of the expressions of a policy.
//!
//! A passing test suite proves nothing about a validation that was never false, or an operand
//! of `||` that was never evaluated. Coverage reports the outcomes that were never seen, over
//! any number of recorded runs.
//!
//! An expression is covered if it returned a value; a condition (of a validation, or of
//! `matchConditions`) if it was both true and false. Its branches are the operands of every `&&`
//! and `||`, each of which must be true and false, and the two branches of every `?:`. In a loop,
//! every iteration counts. A condition or operand without variables always has the same value, so
//! it is enough that it is evaluated.

mod branches;

use crate::run::one_line;
use admission::PolicyCoverage;
use branches::Branch;
use cel::eval::OutcomeSet;
use policy::{Expression, PolicyDocument, Role};
use std::ops::{Add, AddAssign};
use text::TextRange;

pub use branches::BranchKind;

/// Limit: the characters of a branch that are shown.
const MAX_TEXT: usize = 200;

/// An outcome that was never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// It was never evaluated.
    Evaluation,
    /// It was evaluated, and failed each time.
    Value,
    /// It was never true.
    True,
    /// It was never false.
    False,
}

impl Missing {
    /// Returns a description.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Missing::Evaluation => "never evaluated",
            Missing::Value => "always failed",
            Missing::True => "never true",
            Missing::False => "never false",
        }
    }

    fn from_condition(outcomes: OutcomeSet) -> Option<Self> {
        match (outcomes.true_once(), outcomes.false_once()) {
            (true, true) => None,
            (true, false) => Some(Self::False),
            (false, true) => Some(Self::True),
            (false, false) => Some(Self::from_value(outcomes).unwrap_or(Self::Value)),
        }
    }

    fn from_value(outcomes: OutcomeSet) -> Option<Self> {
        if outcomes.value_once() {
            return None;
        }
        Some(if outcomes.failed_once() {
            Self::Value
        } else {
            Self::Evaluation
        })
    }
}

/// A part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The part.
    pub covered: usize,
    /// The total.
    pub total: usize,
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            covered: self.covered + other.covered,
            total: self.total + other.total,
        }
    }
}

/// The coverage in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The expressions.
    pub expressions: Count,
    /// The branches: two for an operand, one for a side of `?:`.
    pub branches: Count,
}

impl Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            expressions: self.expressions + other.expressions,
            branches: self.branches + other.branches,
        }
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The coverage of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionCoverage {
    /// Its field path.
    pub path: String,
    /// The expression in the file.
    pub range: TextRange,
    /// Its role.
    pub role: Role,
    /// The outcomes seen.
    pub outcomes: OutcomeSet,
    /// The missing outcome. `None` if it is covered.
    pub missing: Option<Missing>,
    /// Its branches, in source order, an outer one before those in it.
    pub branches: Vec<BranchCoverage>,
}

/// The coverage of an operand of `&&` or `||`, or of a branch of `?:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchCoverage {
    /// Its kind.
    pub kind: BranchKind,
    /// The branch in the file, without parentheses around it.
    pub range: TextRange,
    /// Its source in one line.
    pub text: String,
    /// The missing outcome. `None` if it is covered.
    pub missing: Option<Missing>,
    /// The number of outcomes seen, and the total.
    pub outcomes: Count,
}

impl ExpressionCoverage {
    fn new(document: &PolicyDocument, expression: &Expression, coverage: Recorded<'_>) -> Self {
        let ast = expression.ast();
        let outcomes = coverage.outcomes(ast.bare(ast.root()));
        let decides = expression.role.expected_type() == Some("bool");
        let missing = if decides && !branches::is_constant(ast, ast.root()) {
            Missing::from_condition(outcomes)
        } else {
            Missing::from_value(outcomes)
        };
        let branches = if expression.parse.is_ok() {
            branches::branches(ast)
        } else {
            Vec::new()
        };
        let branch = |branch: &Branch| BranchCoverage::new(document, expression, coverage, branch);
        Self {
            path: expression.path.to_string(),
            range: document.node(expression.node).range(),
            role: expression.role,
            outcomes,
            missing,
            branches: branches.iter().map(branch).collect(),
        }
    }

    /// Returns how much was tried of it.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let expressions = Count {
            covered: usize::from(self.missing.is_none()),
            total: 1,
        };
        let branches = self.branches.iter().map(|branch| branch.outcomes);
        Totals {
            expressions,
            branches: branches.fold(Count::default(), Add::add),
        }
    }
}

impl BranchCoverage {
    fn new(
        document: &PolicyDocument,
        expression: &Expression,
        coverage: Recorded<'_>,
        branch: &Branch,
    ) -> Self {
        let ast = expression.ast();
        let span = ast.span(branch.operand);
        let outcomes = coverage.outcomes(branch.decides);
        let (missing, covered) = match branch.kind {
            BranchKind::Operand => {
                let covered =
                    usize::from(outcomes.true_once()) + usize::from(outcomes.false_once());
                (Missing::from_condition(outcomes), covered)
            }
            BranchKind::Then => side(outcomes.true_once()),
            BranchKind::Otherwise => side(outcomes.false_once()),
        };
        Self {
            kind: branch.kind,
            range: document.range(expression, span),
            text: one_line(ast.slice(span), MAX_TEXT).into_owned(),
            missing,
            outcomes: Count {
                covered,
                total: branch.kind.outcomes(),
            },
        }
    }
}

/// Returns the missing outcome of a branch of `?:`, and the number of outcomes seen.
fn side(evaluated: bool) -> (Option<Missing>, usize) {
    if evaluated {
        (None, 1)
    } else {
        (Some(Missing::Evaluation), 0)
    }
}

/// The recorded results of one expression.
type Recorded<'a> = &'a cel::eval::Coverage;

/// Returns the coverage of each expression of a policy, in the order of the file, over all recorded
/// runs. Conditions of webhooks are not recorded, so they are left out.
#[must_use]
pub fn coverage<'r>(
    document: &PolicyDocument,
    recorded: impl IntoIterator<Item = &'r PolicyCoverage>,
) -> Vec<ExpressionCoverage> {
    if !document.is_evaluated() {
        return Vec::new();
    }
    let all = PolicyCoverage::new(document);
    for one in recorded {
        all.merge(one);
    }
    let expressions = document.expressions().iter().enumerate();
    expressions
        .filter_map(|(index, expression)| {
            let coverage = all.expression(index)?;
            Some(ExpressionCoverage::new(document, expression, coverage))
        })
        .collect()
}

/// Returns how much was tried of several expressions.
#[must_use]
pub fn totals<'e>(expressions: impl IntoIterator<Item = &'e ExpressionCoverage>) -> Totals {
    let each = expressions.into_iter().map(ExpressionCoverage::totals);
    each.fold(Totals::default(), Add::add)
}

#[cfg(test)]
mod tests;
