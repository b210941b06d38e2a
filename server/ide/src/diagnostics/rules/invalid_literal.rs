#![doc = include_str!("invalid_literal.md")]

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
    Some(facts.finding(expression, problem, message))
}

#[cfg(test)]
mod tests;
