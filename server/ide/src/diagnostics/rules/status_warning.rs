#![doc = include_str!("status_warning.md")]

use crate::diagnostics::guard::edits;
use crate::diagnostics::kind_problems::{self, AdmissionEffect, KindError, KindProblem, names};
use crate::diagnostics::{Finding, RuleContext};
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::typecheck::kinds::MatchedKind;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let problems = kind_problems::find(context);
    let harmless = problems
        .iter()
        .filter(|it| it.effect == AdmissionEffect::StatusWarning);
    found.extend(harmless.take(context.max_findings()).map(finding));
}

fn finding(problem: &KindProblem<'_>) -> Finding {
    let document = problem.facts.document;
    let range = document.range(problem.expression, problem.span);
    let finding = Finding::new(range, message(problem)).upstream(problem.upstream.clone());
    match edits(problem.facts, problem.expression, &in_dyn(problem)) {
        Some(edits) if !edits.is_empty() => {
            finding.unsafe_fix("Skip type checking with `dyn(…)`", edits)
        }
        _ => finding,
    }
}

/// Returns the changes that wrap the roots of the reported part in `dyn(…)`.
fn in_dyn(problem: &KindProblem<'_>) -> Vec<(Span, String)> {
    let ast = problem.expression.ast();
    let is_it = |id: &ExprId| match ast.kind(*id) {
        ExprKind::Select { field, .. } if field.span == problem.span => true,
        _ => ast.span(*id) == problem.span,
    };
    let Some(id) = ast.ids().find(is_it) else {
        return Vec::new();
    };
    let parts = match ast.kind(id) {
        ExprKind::Binary { left, right, .. } => vec![*left, *right],
        _ => vec![id],
    };
    let roots = parts.into_iter().filter_map(|part| root(ast, part));
    roots
        .map(|span| (span, format!("dyn({})", ast.slice(span))))
        .collect()
}

/// Returns the root of a path.
fn root(ast: &Ast, mut id: ExprId) -> Option<Span> {
    loop {
        id = match ast.kind(id) {
            ExprKind::Paren(inner) => *inner,
            ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. } => *operand,
            ExprKind::Ident { name, .. } => {
                // The objects of the compiler itself are not values of an object.
                let is_own = ["authorizer", "request", "variables"].contains(&ast.name(*name));
                return (!is_own).then(|| ast.span(id));
            }
            _ => return None,
        };
    }
}

fn message(problem: &KindProblem<'_>) -> String {
    let kinds: Vec<&MatchedKind> = problem.found.iter().map(|found| found.0).collect();
    let names = names(&kinds);
    match problem.found.first().map(|found| &found.1) {
        Some(KindError::NoType { path }) => {
            format!(
                "Kubernetes' type checker warns about this for {names} in the status of the \
                 policy, because it has no type for `{path}`. At admission the field can be read."
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
                "This works at admission, but Kubernetes' type checker warns about it for {names} \
                 in the status of the policy, because its types differ from the plain JSON at \
                 admission."
            )
        }
    }
}

#[cfg(test)]
mod tests;
