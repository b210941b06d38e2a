//! Constant arguments of functions that parse a string, such as `quantity('1GB')`.
//!
//! The API server accepts them. The expression fails when it is evaluated.

use crate::diagnostics::conditions::evaluate;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::literal_types::requoted;
use crate::diagnostics::{Finding, Severity};
use crate::file::MAX_FINDINGS;
use cel::Type;
use cel::env::Env;
use cel::syntax::{ExprId, ExprKind, Literal};
use kubernetes::Quantity;
use policy::Expression;

/// Adds findings about a document.
pub(super) fn check(facts: &DocumentFacts<'_>, found: &mut Vec<Finding>) {
    let expressions = facts.document.expressions().iter();
    let readable = expressions.filter(|it| it.parse.is_ok() && facts.is_read(it));
    let findings = readable.flat_map(|expression| {
        let ids = expression.ast().ids();
        ids.filter_map(|id| finding(facts, expression, id))
    });
    found.extend(findings.take(MAX_FINDINGS));
}

fn finding(facts: &DocumentFacts<'_>, expression: &Expression, id: ExprId) -> Option<Finding> {
    let ast = expression.ast();
    let ExprKind::Call {
        target: None,
        function,
        args,
        ..
    } = ast.kind(id)
    else {
        return None;
    };
    let [argument] = **args else { return None };
    let ExprKind::Literal(Literal::String(text)) = ast.kind(argument) else {
        return None;
    };
    let (name, env) = (
        ast.name(*function),
        facts.document.checked(expression)?.env(),
    );
    if !parses(env, name) {
        return None;
    }
    let error = evaluate(ast, id, env)?.err()?.to_string();
    let span = ast.span(argument);
    let literal = ast.slice(span);
    let message = message(name, literal, &error);
    let range = facts.document.range(expression, span);
    let finding = Finding::new(range, message)
        .severity(Severity::Warning)
        .upstream(error);
    let fixed = quantity(text).filter(|_| name == "quantity");
    let fix = fixed.and_then(|fixed| {
        let change = (span, requoted(literal, &fixed)?);
        Some((edits(facts, expression, &[change])?, fixed))
    });
    Some(match fix {
        Some((edits, fixed)) => finding.fix(format!("Write `{fixed}`"), edits),
        None => finding,
    })
}

fn message(name: &str, literal: &str, error: &str) -> String {
    match name {
        "quantity" => format!(
            "`{literal}` is not a quantity, so the expression fails. Use a number with a suffix \
             such as `m`, `k`, `M`, `G`, `Ki`, `Mi` or `Gi`."
        ),
        _ => format!("`{name}({literal})` always fails: {error}."),
    }
}

/// Returns whether a function parses a string as a value of a library.
fn parses(env: &Env, name: &str) -> bool {
    let mut overloads = env.function(name).into_iter().flat_map(|it| &it.overloads);
    overloads.any(|it| {
        let is_global = !it.declaration.member && it.params == [Type::String];
        is_global && matches!(it.result, Type::Opaque(_) | Type::Struct(_))
    })
}

/// Returns a number of bytes, such as `1 GB` or `2gib`, in the format of Kubernetes.
fn quantity(text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let unit = text.find(|it: char| it.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit);
    let unit = match unit.to_ascii_lowercase().trim_end_matches('b') {
        "" => "",
        "m" if unit == "m" => "m",
        "k" => "k",
        "m" => "M",
        "g" => "G",
        "t" => "T",
        "p" => "P",
        "e" => "E",
        "ki" => "Ki",
        "mi" => "Mi",
        "gi" => "Gi",
        "ti" => "Ti",
        "pi" => "Pi",
        "ei" => "Ei",
        _ => return None,
    };
    let fixed = format!("{number}{unit}");
    Quantity::parse(&fixed).is_ok().then_some(fixed)
}
