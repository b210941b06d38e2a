#![doc = include_str!("text_timestamp.md")]

use super::facts::Facts;
use super::guard::edits;
use super::operations::{Operand, operands};
use super::{Finding, RuleContext};
use cel::Type;
use cel::syntax::BinaryOperator;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let flow = facts.flow(context.file.project());
        for operand in operands(facts, flow) {
            found.extend(finding(facts, &operand));
        }
    }
}

/// The functions of a timestamp.
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

/// The functions of a duration.
const OF_DURATIONS: [&str; 4] = ["getHours", "getMilliseconds", "getMinutes", "getSeconds"];

fn finding(facts: &Facts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    let (function, methods) = match operand.schema.format()? {
        "date-time" => ("timestamp", OF_TIMESTAMPS.as_slice()),
        "duration" => ("duration", OF_DURATIONS.as_slice()),
        _ => return None,
    };
    if operand.place.has_type(operand.term) {
        return None;
    }
    let is_time = matches!(operand.other, Some(Type::Timestamp | Type::Duration));
    let by_operator = operand.is_strict() && is_time;
    let by_equality = operand.is_equality() && is_time;
    let by_method = operand.method().is_some_and(|name| methods.contains(&name));
    if !by_operator && !by_equality && !by_method {
        return None;
    }
    let text = operand.text()?;
    let says = if by_equality {
        let always = operand.operator() == Some(BinaryOperator::NotEquals);
        format!("A text never equals a {function}, so this is always {always}.")
    } else {
        "The expression fails.".to_owned()
    };
    let message = format!(
        "At admission this value is a text, whatever the schema says. {says} Convert it with \
         `{function}(…)`."
    );
    let ast = operand.ast();
    let span = ast.span(operand.id);
    let mut finding = Finding::new(facts.document.range(operand.expression, span), message);
    if let Some(name) = operand.method() {
        finding = finding.upstream(format!("no such overload: {name}(string)"));
    } else if by_operator {
        finding = finding.upstream("no such overload");
    }
    let changes = [
        (
            Span::new(span.start(), span.start()),
            format!("{function}("),
        ),
        (Span::new(span.end(), span.end()), ")".to_owned()),
    ];
    let _ = text;
    Some(match edits(facts, operand.expression, &changes) {
        Some(edits) => finding.fix(format!("Convert with `{function}(…)`"), edits),
        None => finding,
    })
}

#[cfg(test)]
mod tests;
