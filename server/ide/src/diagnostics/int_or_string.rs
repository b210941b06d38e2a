#![doc = include_str!("int_or_string.md")]

use super::facts::Facts;
use super::guard::{Guard, edits, with_guard};
use super::operations::{Operand, operands};
use super::{Finding, RuleContext};
use cel::Type;
use policy::openapi::SchemaType;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let flow = facts.flow(context.file.project());
        for operand in operands(facts, flow) {
            found.extend(finding(facts, &operand));
        }
    }
}

/// The functions of a text that fail on a number.
const OF_TEXTS: [&str; 16] = [
    "charAt",
    "contains",
    "endsWith",
    "find",
    "findAll",
    "indexOf",
    "lastIndexOf",
    "lowerAscii",
    "matches",
    "replace",
    "size",
    "split",
    "startsWith",
    "substring",
    "trim",
    "upperAscii",
];

fn finding(facts: &Facts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    if operand.schema.ty() != SchemaType::IntOrString || operand.place.has_type(operand.term) {
        return None;
    }
    let text = operand.text()?;
    let is_number = matches!(operand.other, Some(Type::Int | Type::Uint | Type::Double));
    let (other, wanted) = if operand.is_strict() && is_number {
        ("a text such as '25%'", "int")
    } else if operand.is_strict() && operand.other == Some(Type::String)
        || operand
            .method()
            .is_some_and(|name| OF_TEXTS.contains(&name))
    {
        ("a number", "string")
    } else {
        return None;
    };
    let message = format!(
        "This value can be {other}. The expression then fails at admission. Look at \
         `type({text})` first."
    );
    let ast = operand.ast();
    let span = ast.span(operand.id);
    let mut finding = Finding::new(facts.document.range(operand.expression, span), message)
        .upstream("no such overload");
    if wanted == "string" {
        let changes = [
            (Span::new(span.start(), span.start()), "string(".to_owned()),
            (Span::new(span.end(), span.end()), ")".to_owned()),
        ];
        if let Some(edits) = edits(facts, operand.expression, &changes) {
            finding = finding.maybe_fix("Convert with `string(…)`", edits);
        }
    }
    let guard = Guard {
        is_there: format!("type({text}) == {wanted}"),
        is_missing: format!("type({text}) != {wanted}"),
    };
    Some(with_guard(
        finding,
        facts,
        operand.expression,
        operand.id,
        &guard,
    ))
}

#[cfg(test)]
mod tests;
