#![doc = include_str!("unknown_function.md")]

mod misused_macro;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use cel::env::DeclaredFunction;
use cel::syntax::{Ast, ExprId, ExprKind};
use policy::environment::env_of;
use policy::{Expression, Problem, ProblemKind};
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    found.extend(context.findings_of_problems(finding));
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let ProblemKind::UndeclaredFunction { name, nearest } = &problem.kind else {
        return None;
    };
    let ast = expression.ast();
    let last = name.rsplit('.').next().unwrap_or(name);
    if let Some((call, message)) = misused_macro::find(ast, problem.span) {
        let finding = Finding::new(facts.document.range(expression, call), message);
        return Some(finding.upstream(DocumentFacts::undeclared(last)));
    }
    let namespace = facts.problems().find_map(|(other, unknown)| {
        let touches = unknown.span.end() + 1 == problem.span.start();
        let is_before = touches && std::ptr::eq(other, expression);
        (is_before && is_namespace(ast, unknown)).then(|| unknown.span.cover(problem.span))
    });
    let span = namespace.unwrap_or(problem.span);
    let written = namespace.map_or(name.as_str(), |span| ast.slice(span));
    let message = match nearest {
        Some(nearest) => format!("There is no function `{written}`. Did you mean `{nearest}`?"),
        None => format!("There is no function `{written}`.{}", absence(last)),
    };
    // Kubernetes' message contains only the part after the last dot.
    let finding = Finding::new(facts.document.range(expression, span), message)
        .upstream(DocumentFacts::undeclared(last));
    let oldest = facts.document.target().oldest_environment();
    let has = |name: &str| {
        let env = env_of(facts.document, expression.role, oldest);
        has_overload(ast, problem.span, env.function(name)) || is_macro(ast, problem.span, name)
    };
    let nearest = nearest.filter(|nearest| namespace.is_none() && has(nearest));
    Some(match nearest {
        Some(nearest) => facts.rename(finding, (expression, problem.span), nearest),
        None => finding,
    })
}

/// Returns why CEL has no function that other languages have, as a sentence after another one.
fn absence(name: &str) -> &'static str {
    match name.to_ascii_lowercase().as_str() {
        "now" | "today" | "date" | "time" | "currenttime" => {
            " CEL has no clock: an expression only depends on the request."
        }
        "random" | "rand" | "uuid" => " CEL has no random values.",
        "print" | "println" | "log" | "printf" => {
            " An expression has no output: use `messageExpression` or an audit annotation."
        }
        _ => "",
    }
}

/// Returns whether a function can replace the one at a span: as a method or not, with the same
/// number of arguments.
fn has_overload(ast: &Ast, name: Span, function: Option<&DeclaredFunction>) -> bool {
    let call = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Call {
            target,
            function,
            args,
            ..
        } if name.end() == function.span.end() => Some((target.is_some(), args.len())),
        _ => None,
    });
    let (Some((has_target, args)), Some(function)) = (call, function) else {
        return false;
    };
    let is_method = has_target && !function.name.contains('.');
    function.overloads.iter().any(|overload| {
        let params = overload.params.len();
        overload.declaration.member == is_method && params == args + usize::from(is_method)
    })
}

/// Returns whether a macro that all versions have can replace the function at a span.
fn is_macro(ast: &Ast, function: Span, name: &str) -> bool {
    let is_method = |id: ExprId| match ast.kind(id) {
        ExprKind::Call {
            target: Some(_),
            function: found,
            args,
            ..
        } => found.span == function && args.len() == 2,
        _ => false,
    };
    matches!(name, "exists" | "all" | "filter") && ast.ids().any(is_method)
}

/// Returns whether an undefined name seems to be the namespace of functions that Kubernetes lacks,
/// such as `math` in `math.greatest(1, 2)`.
fn is_namespace(ast: &Ast, problem: &Problem) -> bool {
    let ProblemKind::UndeclaredName {
        absence: None,
        nearest: None,
        ..
    } = &problem.kind
    else {
        return false;
    };
    let stands_at = |span: Span| span == problem.span;
    ast.ids().any(|id| match ast.kind(id) {
        ExprKind::Call {
            target: Some(target),
            ..
        } => stands_at(ast.span(*target)) && ast.macro_call(id).is_none(),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
