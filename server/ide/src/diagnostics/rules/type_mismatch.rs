#![doc = include_str!("type_mismatch.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::literal_types::as_type;
use crate::diagnostics::uncalled::Uncalled;
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
    if let CheckErrorKind::FieldTypeMismatch { field, .. } = kind
        && let Some(finding) = unknown_field(facts, expression, problem, field)
    {
        return Some(finding);
    }
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
    if let Some(method) = Uncalled::new(facts, expression, problem.expr) {
        return Some(method.advise(finding, facts, expression));
    }
    Some(match converted(facts, expression, problem, expected) {
        Some((title, edits)) => finding.unsafe_fix(title, edits),
        None => finding,
    })
}

/// Returns the finding about a field that the type of a literal does not have. Kubernetes reports it
/// as one of an empty type.
fn unknown_field(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
    name: &str,
) -> Option<Finding> {
    let ast = expression.ast();
    let ExprKind::Struct {
        type_name, fields, ..
    } = ast.kind(problem.expr)
    else {
        return None;
    };
    let parts: Vec<&str> = type_name.iter().map(|part| ast.name(*part)).collect();
    let type_name = parts.join(".");
    let mut known = facts
        .document
        .checked(expression)?
        .env()
        .types()
        .field_names(&type_name);
    known.sort_unstable();
    if known.is_empty() || known.iter().any(|it| **it == *name) {
        return None;
    }
    let written = fields
        .iter()
        .find(|field| ast.name(field.name) == name)?
        .name
        .span;
    // An abbreviation such as `op` is too far from `operation` for the nearest name.
    let full = known
        .iter()
        .find(|it| name.starts_with(&***it) || it.starts_with(name));
    let near = full.map(|it| &**it);
    let near = near.or_else(|| text::nearest(name, known.iter().map(|it| &**it)));
    let missing = format!("`{type_name}` has no field `{name}`.");
    let message = match near {
        Some(near) => format!("{missing} Did you mean `{near}`?"),
        None => format!("{missing} Its fields are `{}`.", known.join("`, `")),
    };
    let finding = Finding::new(facts.document.range(expression, written), message)
        .upstream(problem.upstream.clone()?);
    Some(
        match near.and_then(|it| edits(facts, expression, &[(written, it.to_owned())])) {
            Some(edits) => finding.fix(format!("Change to `{}`", near.unwrap_or_default()), edits),
            None => finding,
        },
    )
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
