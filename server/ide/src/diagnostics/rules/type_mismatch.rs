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
use std::sync::Arc;
use text::{TextEdit, nearest};

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
    let types = facts.document.checked(expression)?.env().types();
    let mut known = types.field_names(&type_name);
    known.sort_unstable();
    if known.is_empty() || known.iter().any(|it| **it == *name) {
        return None;
    }
    let mut fields = fields.iter();
    let written = fields.find(|field| ast.name(field.name) == name)?.name.span;
    let near = intended(name, &known);
    let message = match near {
        Some(near) => format!("`{type_name}` has no field `{name}`. Did you mean `{near}`?"),
        None => format!(
            "`{type_name}` has no field `{name}`. Its fields are `{}`.",
            known.join("`, `")
        ),
    };
    let finding = Finding::new(facts.document.range(expression, written), message)
        .upstream(problem.upstream.clone()?);
    Some(match near {
        Some(near) => facts.rename(finding, (expression, written), near),
        None => finding,
    })
}

/// Returns the name that is probably meant. An abbreviation such as `op` is too far from `operation`
/// for the nearest name.
fn intended<'n>(name: &str, known: &'n [Arc<str>]) -> Option<&'n str> {
    let is_abbreviation = |it: &&str| name.starts_with(it) || it.starts_with(name);
    let names = || known.iter().map(|it| &**it);
    names()
        .find(is_abbreviation)
        .or_else(|| nearest(name, names()))
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
