#![doc = include_str!("invalid_literal.md")]

mod constructors;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::literal_types::requoted;
use crate::diagnostics::{Finding, RuleContext};
use cel::check::CheckErrorKind;
use cel::syntax::{ExprKind, Literal};
use cel::value::{Duration, Timestamp};
use policy::{Expression, Problem, ProblemKind};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    found.extend(context.findings_of_problems(finding));
    for facts in context.policies() {
        constructors::check(facts, found);
    }
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
        CheckErrorKind::InvalidArgument { function } => {
            let literal = problem.span.slice(expression.text());
            match *function {
                "duration" => format!(
                    "`{literal}` is not a duration. Use numbers with the units `ns`, `us`, `ms`, \
                     `s`, `m` and `h`, such as `'1h30m'`."
                ),
                "timestamp" => format!(
                    "`{literal}` is not a timestamp. Use a date, time and zone as in RFC 3339, \
                     such as `'2025-01-31T08:00:00Z'`."
                ),
                _ => format!("`{literal}` is not a regular expression in RE2 syntax."),
            }
        }
        CheckErrorKind::Format { message } => {
            let reason = message.rsplit("error during formatting: ").next();
            format!(
                "The format string does not match its arguments: {}.",
                reason.unwrap_or(message)
            )
        }
        _ => return None,
    };
    let finding = facts.finding(expression, problem, message);
    Some(with_fix(facts, expression, (problem, kind), finding))
}

/// Adds the fix: the constant in a form that CEL parses.
fn with_fix(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    (problem, kind): (&Problem, &CheckErrorKind),
    finding: Finding,
) -> Finding {
    let CheckErrorKind::InvalidArgument { function } = kind else {
        return finding;
    };
    let ast = expression.ast();
    let ExprKind::Literal(Literal::String(text)) = ast.kind(problem.expr) else {
        return finding;
    };
    let fixed = match *function {
        "duration" => duration(text),
        "timestamp" => timestamp(text),
        _ => None,
    };
    let Some(fixed) = fixed else {
        return finding;
    };
    let span = ast.span(problem.expr);
    let Some(literal) = requoted(ast.slice(span), &fixed) else {
        return finding;
    };
    let title = format!("Write `{fixed}`");
    let change = (span, literal);
    match (edits(facts, expression, &[change]), *function) {
        (Some(edits), "duration") => finding.fix(title, edits),
        // The time zone is a guess.
        (Some(edits), _) => finding.unsafe_fix(title, edits),
        (None, _) => finding,
    }
}

/// Returns a duration in words, such as `1 hour` or `2 days`, in the format of CEL.
fn duration(text: &str) -> Option<String> {
    let mut rest = text.trim();
    let mut out = String::new();
    while !rest.is_empty() {
        let is_number = |it: char| it.is_ascii_digit() || it == '.';
        let (number, after) = rest.split_at(rest.find(|it| !is_number(it))?);
        let after = after.trim_start();
        let end = after.find(|it: char| !it.is_ascii_alphabetic());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        out.push_str(&match unit.to_ascii_lowercase().as_str() {
            "d" | "day" | "days" => format!("{}h", number.parse::<u32>().ok()?.checked_mul(24)?),
            "h" | "hr" | "hrs" | "hour" | "hours" => format!("{number}h"),
            "m" | "min" | "mins" | "minute" | "minutes" => format!("{number}m"),
            "s" | "sec" | "secs" | "second" | "seconds" => format!("{number}s"),
            "ms" | "millisecond" | "milliseconds" => format!("{number}ms"),
            _ => return None,
        });
        rest = after.trim_start_matches([' ', ',']);
    }
    Duration::parse(&out).is_some().then_some(out)
}

/// Returns a date, or a date and a time, completed for RFC 3339.
fn timestamp(text: &str) -> Option<String> {
    let text = text.trim().replacen(' ', "T", 1);
    [
        text.clone(),
        format!("{text}Z"),
        format!("{text}:00Z"),
        format!("{text}T00:00:00Z"),
    ]
    .into_iter()
    .find(|it| Timestamp::parse(it).is_ok())
}

#[cfg(test)]
mod tests;
