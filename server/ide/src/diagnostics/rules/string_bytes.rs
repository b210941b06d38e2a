#![doc = include_str!("string_bytes.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::operations::{Operand, add_findings};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::Format;
use cel::Type;
use cel::syntax::{BinaryOperator, ExprKind, Literal};
use text::{Span, TextEdit, encode_base64};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    add_findings(context, found, finding);
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
        format!("which never equals bytes, so this comparison is always {always}")
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
    let finding = if operand.is_strict() {
        finding.upstream("no such overload")
    } else {
        finding
    };
    Some(match in_base64(facts, operand) {
        Some(edits) => finding.fix("Compare with a base64 string", edits),
        None => finding,
    })
}

/// Returns the edits that compare the bytes as a base64 string. `dyn` avoids an error of type
/// checking, for which the field has bytes.
fn in_base64(facts: &DocumentFacts<'_>, operand: &Operand<'_>) -> Option<Vec<TextEdit>> {
    let ast = operand.ast();
    let ExprKind::Binary { left, right, .. } = ast.kind(operand.place.site.id) else {
        return None;
    };
    let other = if *left == operand.id { *right } else { *left };
    let ExprKind::Literal(Literal::Bytes(bytes)) = ast.kind(ast.unparenthesized(other)) else {
        return None;
    };
    let (field, literal) = (ast.span(operand.id), ast.span(other));
    let changes = [
        (Span::empty(field.start()), "dyn(".to_owned()),
        (Span::empty(field.end()), ")".to_owned()),
        (literal, format!("'{}'", encode_base64(bytes))),
    ];
    edits(facts, operand.expression, &changes)
}

#[cfg(test)]
mod tests;
