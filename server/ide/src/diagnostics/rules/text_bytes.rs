#![doc = include_str!("text_bytes.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::operations::{Operand, operands};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::Format;
use cel::Type;
use cel::syntax::BinaryOperator;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let presence = facts.presence(context.file.project());
        for operand in operands(facts, presence) {
            found.extend(finding(facts, &operand));
        }
    }
}

fn finding(facts: &DocumentFacts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    if operand.field_type.format != Some(Format::Bytes)
        || operand.other != Some(Type::Bytes)
        || operand.place.has_type(operand.term)
    {
        return None;
    }
    let result = if operand.is_equality() {
        let always = operand.operator() == Some(BinaryOperator::NotEquals);
        format!("which never equals bytes, so this is always {always}")
    } else if operand.is_strict() {
        "not bytes, so the expression fails".to_owned()
    } else {
        return None;
    };
    let message = format!(
        "At admission this value is a base64 string, {result}. Compare it with a base64 string."
    );
    let span = operand.ast().span(operand.id);
    let finding = Finding::new(facts.document.range(operand.expression, span), message);
    Some(if operand.is_strict() {
        finding.upstream("no such overload")
    } else {
        finding
    })
}

#[cfg(test)]
mod tests;
