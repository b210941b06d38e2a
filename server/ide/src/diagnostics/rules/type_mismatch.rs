#![doc = include_str!("type_mismatch.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use cel::check::CheckErrorKind;
use policy::{Expression, Problem, ProblemKind};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    found.extend(context.findings_of_problems(finding));
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let ProblemKind::Other(kind) = &problem.kind else {
        return None;
    };
    let message = match kind {
        CheckErrorKind::TypeMismatch { expected, found } => {
            format!("Expected a value of type `{expected}`, found `{found}`.")
        }
        CheckErrorKind::FieldTypeMismatch {
            field,
            expected,
            found,
        } => format!("The field `{field}` expects `{expected}`, found `{found}`."),
        _ => return None,
    };
    Some(facts.finding(expression, problem, message))
}

#[cfg(test)]
mod tests;
