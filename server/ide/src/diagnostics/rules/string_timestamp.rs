#![doc = include_str!("string_timestamp.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::operations::{Operand, add_findings};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::Format;
use cel::Type;
use cel::syntax::BinaryOperator;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    add_findings(context, found, finding);
}

/// The methods of a timestamp.
const OF_TIMESTAMPS: [&str; 10] = [
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
];

/// The methods of a duration.
const OF_DURATIONS: [&str; 4] = ["getHours", "getMilliseconds", "getMinutes", "getSeconds"];

/// Returns the function that parses values of a format, and the methods of its type.
fn conversion(format: Format) -> Option<(&'static str, &'static [&'static str])> {
    match format {
        Format::Timestamp => Some(("timestamp", &OF_TIMESTAMPS)),
        Format::Duration => Some(("duration", &OF_DURATIONS)),
        Format::Bytes => None,
    }
}

/// Returns the effect of a use, and the message of the API server if it fails. `None` for a valid
/// use.
fn failure(
    operand: &Operand<'_>,
    function: &str,
    methods: &[&str],
) -> Option<(String, Option<String>)> {
    let fails = |words: String| {
        Some((
            format!("not a {function}, so the expression fails"),
            Some(words),
        ))
    };
    if let Some(name) = operand.method().filter(|name| methods.contains(name)) {
        return fails(format!("no such overload: {name}(string)"));
    }
    if !matches!(operand.other, Some(Type::Timestamp | Type::Duration)) {
        return None;
    }
    if operand.is_equality() {
        let always = operand.operator() == Some(BinaryOperator::NotEquals);
        let result =
            format!("which never equals a {function}, so this comparison is always {always}");
        return Some((result, None));
    }
    operand
        .is_strict()
        .then(|| "no such overload".to_owned())
        .and_then(fails)
}

fn finding(facts: &DocumentFacts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    let (function, methods) = conversion(operand.field_type.format?)?;
    if operand.place.has_type(operand.term) {
        return None;
    }
    let (result, upstream) = failure(operand, function, methods)?;
    let message =
        format!("At admission this value is a string, {result}. Convert it with `{function}(…)`.");
    let span = operand.ast().span(operand.id);
    let finding = Finding::new(facts.document.range(operand.expression, span), message);
    let finding = match upstream {
        Some(words) => finding.upstream(words),
        None => finding,
    };
    let changes = [
        (
            Span::new(span.start(), span.start()),
            format!("{function}("),
        ),
        (Span::new(span.end(), span.end()), ")".to_owned()),
    ];
    Some(match edits(facts, operand.expression, &changes) {
        Some(edits) => finding.fix(format!("Convert with `{function}(…)`"), edits),
        None => finding,
    })
}

#[cfg(test)]
mod tests;
