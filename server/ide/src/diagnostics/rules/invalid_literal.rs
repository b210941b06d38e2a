#![doc = include_str!("invalid_literal.md")]

use crate::diagnostics::facts::Facts;
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext};
use cel::check::CheckErrorKind;
use policy::{Expression, Problem, ProblemKind};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let problems = facts.problems();
        let findings =
            problems.filter_map(|(expression, problem)| finding(facts, expression, problem));
        found.extend(findings.take(MAX_FINDINGS));
    }
}

fn finding(facts: &Facts<'_>, expression: &Expression, problem: &Problem) -> Option<Finding> {
    let ProblemKind::Other(kind) = &problem.kind else {
        return None;
    };
    let message = match kind {
        CheckErrorKind::InvalidArgument { function } => match *function {
            "duration" => "This is not a duration. Write numbers with units from `ns`, `us`, \
                           `ms`, `s`, `m` and `h`: `'1h30m'`."
                .to_owned(),
            "timestamp" => "This is not a timestamp. Write date, time and zone as in RFC 3339: \
                            `'2025-01-31T08:00:00Z'`."
                .to_owned(),
            _ => "This is not a regular expression in the syntax of RE2, as Go has it.".to_owned(),
        },
        CheckErrorKind::Format { message } => {
            let reason = message.rsplit("error during formatting: ").next();
            format!(
                "The text of `format` does not fit its values: {}.",
                reason.unwrap_or(message)
            )
        }
        _ => return None,
    };
    Some(facts.finding(expression, problem, message))
}

#[cfg(test)]
mod tests;
