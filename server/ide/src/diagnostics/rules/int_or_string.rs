#![doc = include_str!("int_or_string.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::{Guard, edits, with_guard};
use crate::diagnostics::operations::{Operand, add_findings};
use crate::diagnostics::{Finding, RuleContext};
use cel::Type;
use kubernetes::openapi::SchemaType;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    add_findings(context, found, finding);
}

/// The string functions that fail for an integer.
const STRING_FUNCTIONS: [&str; 16] = [
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

/// Returns the other possible type of the value, and the type that its use requires.
fn required_type(operand: &Operand<'_>) -> Option<(&'static str, &'static str)> {
    let is_number = matches!(operand.other, Some(Type::Int | Type::Uint | Type::Double));
    let is_string = operand.other == Some(Type::String);
    let is_string_function = || {
        operand
            .method()
            .is_some_and(|name| STRING_FUNCTIONS.contains(&name))
    };
    if operand.is_strict() && is_number {
        Some(("a string such as `'25%'`", "int"))
    } else if operand.is_strict() && is_string || is_string_function() {
        Some(("an integer", "string"))
    } else {
        None
    }
}

fn finding(facts: &DocumentFacts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    if operand.field_type.ty != SchemaType::IntOrString || operand.place.has_type(operand.term) {
        return None;
    }
    let text = operand.text()?;
    let (other, required) = required_type(operand)?;
    let message = format!(
        "`{text}` can also be {other}, for which the expression fails at admission. Check \
         `type({text})` first."
    );
    let span = operand.ast().span(operand.id);
    let range = facts.document.range(operand.expression, span);
    let mut finding = Finding::new(range, message).upstream("no such overload");
    if required == "string" {
        let changes = [
            (Span::new(span.start(), span.start()), "string(".to_owned()),
            (Span::new(span.end(), span.end()), ")".to_owned()),
        ];
        if let Some(edits) = edits(facts, operand.expression, &changes) {
            finding = finding.unsafe_fix("Convert with `string(…)`", edits);
        }
    }
    let guard = Guard {
        is_there: format!("type({text}) == {required}"),
        is_missing: format!("type({text}) != {required}"),
        subject: format!("`{text}`"),
        state: if required == "string" {
            "is not a string"
        } else {
            "is not a number"
        },
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
