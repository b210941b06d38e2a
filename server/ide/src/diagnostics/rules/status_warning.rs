#![doc = include_str!("status_warning.md")]

use crate::diagnostics::kind_problems::{self, AdmissionEffect, KindError, KindProblem, names};
use crate::diagnostics::{Finding, RuleContext};
use policy::typecheck::kinds::MatchedKind;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let problems = kind_problems::find(context);
    let mut groups: Vec<(&KindProblem<'_>, usize)> = Vec::new();
    for problem in &problems {
        if problem.effect != AdmissionEffect::StatusWarning {
            continue;
        }
        match groups.iter_mut().find(|(first, _)| is_same(first, problem)) {
            Some((_, more)) => *more += 1,
            None => groups.push((problem, 0)),
        }
    }
    let harmless = groups.into_iter().take(context.max_findings());
    found.extend(harmless.map(|(first, more)| finding(first, more)));
}

/// Returns whether two warnings are one for an author: they are about the same kinds in the same
/// policy, and no missing field is behind them.
fn is_same(one: &KindProblem<'_>, other: &KindProblem<'_>) -> bool {
    let is_of_types = |it: &KindProblem<'_>| {
        let mut found = it.found.iter();
        found.all(|(_, what)| !matches!(what, KindError::NoField { .. }))
    };
    let kinds = |it: &KindProblem<'_>| names(&it.found.iter().map(|it| it.0).collect::<Vec<_>>());
    std::ptr::eq(one.facts, other.facts)
        && is_of_types(one)
        && is_of_types(other)
        && kinds(one) == kinds(other)
}

fn finding(problem: &KindProblem<'_>, more: usize) -> Finding {
    let range = problem
        .facts
        .document
        .range(problem.expression, problem.span);
    let mut message = message(problem);
    match more {
        0 => {}
        1 => message.push_str(" One more part of the policy has such a warning."),
        _ => message.push_str(&format!(
            " {more} more parts of the policy have such a warning."
        )),
    }
    Finding::new(range, message).upstream(problem.upstream.clone())
}

fn message(problem: &KindProblem<'_>) -> String {
    let kinds: Vec<&MatchedKind> = problem.found.iter().map(|found| found.0).collect();
    let names = names(&kinds);
    match problem.found.first().map(|found| &found.1) {
        Some(KindError::NoType { path }) => {
            format!(
                "Harmless: the status of the policy shows a warning for {names}, because \
                 Kubernetes' type checker has no type for `{path}`. At admission the field can be \
                 read."
            )
        }
        Some(KindError::NoField { path, .. }) => {
            format!(
                "Kubernetes warns in the status of the policy that {names} {} no field `{path}`. \
                 The warning is harmless if the expression guards the read.",
                if kinds.len() == 1 { "has" } else { "have" }
            )
        }
        Some(KindError::Types(_)) | None => {
            format!(
                "Harmless: the status of the policy shows a warning for {names}, because the types \
                 of Kubernetes' type checker differ from the plain JSON at admission."
            )
        }
    }
}

#[cfg(test)]
mod tests;
