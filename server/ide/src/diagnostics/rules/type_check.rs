#![doc = include_str!("type_check.md")]

use super::no_matching_overload;
use super::undefined_field;
use crate::diagnostics::kind_problems::{self, AdmissionEffect, KindError, KindProblem, names};
use crate::diagnostics::{Finding, RuleContext, uncalled};
use crate::kind_fields::only;
use cel::Type;
use cel::check::CheckErrorKind;
use policy::typecheck::kinds::MatchedKind;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let problems = kind_problems::find(context);
    let errors = problems
        .iter()
        .filter(|it| it.effect == AdmissionEffect::Error);
    found.extend(errors.take(context.max_findings()).map(finding));
}

fn finding(problem: &KindProblem<'_>) -> Finding {
    let (expression, span) = (problem.expression, problem.span);
    let document = problem.facts.document;
    let mut sentences: Vec<String> = Vec::new();
    let mut rest: Vec<&(&MatchedKind, KindError)> = problem.found.iter().collect();
    while let Some((_, what)) = rest.first().copied() {
        let (same, others) = rest.into_iter().partition(|found| found.1 == *what);
        let same: Vec<&(&MatchedKind, KindError)> = same;
        let kinds: Vec<&MatchedKind> = same.iter().map(|found| found.0).collect();
        sentences.push(sentence(problem, &kinds, what));
        rest = others;
    }
    let nearest = nearest(problem);
    if let Some(nearest) = nearest {
        sentences.push(format!("Did you mean `{nearest}`?"));
    }
    let finding = Finding::new(document.range(expression, span), sentences.join(" "))
        .upstream(problem.upstream.clone());
    if let Some((function, args)) = operation(problem) {
        let part = (expression, problem.expr);
        return no_matching_overload::with_fix(problem.facts, part, (function, args), finding);
    }
    let is_name = expression.ast().slice(span).bytes().all(is_word);
    match nearest.filter(|_| is_name) {
        Some(nearest) => problem.facts.rename(finding, (expression, span), nearest),
        None => finding,
    }
}

/// Returns the function and the types of its arguments, if they are the same for all kinds.
fn operation<'p>(problem: &'p KindProblem<'_>) -> Option<(&'p str, &'p [Type])> {
    let KindError::Types(CheckErrorKind::NoMatchingOverload { function, args, .. }) =
        only(problem.found.iter().map(|(_, what)| what))?
    else {
        return None;
    };
    problem.is_for_all.then_some((function, args))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the field with a similar name, if it is the same for all kinds.
fn nearest<'p>(problem: &'p KindProblem<'_>) -> Option<&'p str> {
    let mut found = problem.found.iter().map(|(_, what)| match what {
        KindError::NoField { nearest, .. } => nearest.as_deref(),
        KindError::NoType { .. } | KindError::Types(_) => None,
    });
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

fn sentence(problem: &KindProblem<'_>, kinds: &[&MatchedKind], what: &KindError) -> String {
    match what {
        KindError::NoField {
            path,
            params: Some(kind),
            ..
        } => format!("Parameters of kind {kind} have no field `{path}`."),
        KindError::NoField { path, .. } => {
            let verb = if kinds.len() == 1 { "has" } else { "have" };
            format!("{} {verb} no field `{path}`.", names(kinds))
        }
        KindError::NoType { path } => format!("`{path}` has no type for {}.", names(kinds)),
        KindError::Types(kind) => {
            let words = match kind {
                CheckErrorKind::NoMatchingOverload {
                    function,
                    args,
                    member,
                } => types_message(problem, function, args, *member),
                CheckErrorKind::NoFields { ty, field } => no_fields(problem, ty, field),
                CheckErrorKind::NotARange { ty } => {
                    format!("a value of type `{ty}` cannot be iterated over")
                }
                CheckErrorKind::TypeMismatch { expected, found } => {
                    format!(
                        "expected a value of type `{expected}`, found {}",
                        written_type(found)
                    )
                }
                other => other.message(),
            };
            format!("For {}, {words}.", names(kinds))
        }
    }
}

/// Returns that a type has no field, and the method that is meant, as a clause.
fn no_fields(problem: &KindProblem<'_>, ty: &Type, field: &str) -> String {
    let words = undefined_field::no_fields(ty, field);
    let checked = problem.facts.document.checked(problem.expression);
    let meant = checked.and_then(|it| uncalled::meant(it.env(), ty, field));
    match meant.filter(|_| !matches!(ty, Type::List(_))) {
        Some(method) => format!("{words}. Write `{method}()`, which is a method"),
        None => words,
    }
}

/// Returns a type as an author writes it: that of a part of an object is its field.
fn written_type(ty: &Type) -> String {
    match ty {
        Type::Struct(path) => {
            let last = path.rsplit('.').find(|name| !name.starts_with('@'));
            format!("the object `{}`", last.unwrap_or(path))
        }
        _ => format!("`{ty}`"),
    }
}

fn types_message(problem: &KindProblem<'_>, function: &str, args: &[Type], member: bool) -> String {
    let checked = problem.facts.document.checked(problem.expression);
    checked.map_or_else(String::new, |checked| {
        no_matching_overload::reason(checked.env(), function, args, member)
    })
}

#[cfg(test)]
mod tests;
