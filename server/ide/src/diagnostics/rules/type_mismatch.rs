#![doc = include_str!("type_mismatch.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::literal_types::as_type;
use crate::diagnostics::{Finding, RuleContext};
use cel::Type;
use cel::check::CheckErrorKind;
use cel::syntax::{ExprKind, Literal};
use policy::{Expression, Problem, ProblemKind};
use text::TextEdit;

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
    let finding = facts.finding(expression, problem, message);
    let (CheckErrorKind::TypeMismatch { expected, .. }
    | CheckErrorKind::FieldTypeMismatch { expected, .. }) = kind
    else {
        return Some(finding);
    };
    Some(match converted(facts, expression, problem, expected) {
        Some((title, edits)) => finding.unsafe_fix(title, edits),
        None => finding,
    })
}

/// Returns the edit that converts a constant to the expected type.
fn converted(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
    expected: &Type,
) -> Option<(String, Vec<TextEdit>)> {
    let ast = expression.ast();
    let span = ast.span(problem.expr);
    let ExprKind::Literal(literal) = ast.kind(problem.expr) else {
        return None;
    };
    let text = as_type(literal, expected)?;
    let title = match (literal, expected) {
        (_, Type::String) => "Quote the value".to_owned(),
        (Literal::String(_), _) => "Remove the quotes".to_owned(),
        _ => format!("Write `{text}`"),
    };
    Some((title, edits(facts, expression, &[(span, text)])?))
}

#[cfg(test)]
mod tests;
