#![doc = include_str!("string_quantity.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::operations::{Operand, add_findings};
use crate::diagnostics::{Finding, RuleContext};
use cel::Type;
use cel::syntax::{BinaryOperator, ExprKind, Literal};
use kubernetes::openapi::SchemaType;
use text::{Span, TextEdit};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    add_findings(context, found, finding);
}

fn finding(facts: &DocumentFacts<'_>, operand: &Operand<'_>) -> Option<Finding> {
    if operand.field_type.ty != SchemaType::Quantity || operand.place.has_type(operand.term) {
        return None;
    }
    if let Some(method) = operand.method() {
        return of_method(facts, operand, method);
    }
    let operator = operand.operator()?;
    let is_order = matches!(
        operator,
        BinaryOperator::Less
            | BinaryOperator::LessEquals
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEquals
    );
    if !operand.is_strict() {
        return None;
    }
    let is_number = matches!(operand.other, Some(Type::Int | Type::Uint | Type::Double));
    let is_text = operand.other == Some(Type::String);
    let span = operand.ast().span(operand.id);
    let range = facts.document.range(operand.expression, span);
    let finding = if is_number {
        let message = "At admission a quantity is a string such as `'500m'`, so this always \
                       fails. Compare with `quantity(…)`.";
        Finding::new(range, message).upstream("no such overload")
    } else if is_text && is_order {
        let message = "At admission a quantity is a string, and strings are compared character by \
                       character: `'9' > '10'`. Compare with `quantity(…)`.";
        Finding::new(range, message)
    } else {
        return None;
    };
    let edits = is_order.then(|| compared(facts, operand, operator));
    Some(match edits.flatten() {
        Some(edits) => finding.fix("Compare with `quantity(…).compareTo(…)`", edits),
        None => finding,
    })
}

/// Returns the finding about a method of quantities that is called on the string.
fn of_method(facts: &DocumentFacts<'_>, operand: &Operand<'_>, method: &str) -> Option<Finding> {
    let env = facts.document.checked(operand.expression)?.env();
    let quantity = &env.function("quantity")?.overloads.first()?.result;
    let mut receivers = env.function(method)?.overloads.iter().filter_map(|it| {
        let is_member = it.declaration.member;
        it.params.first().filter(|_| is_member)
    });
    let is_quantity = receivers.clone().any(|receiver| receiver == quantity);
    if !is_quantity || receivers.any(|receiver| *receiver == Type::String) {
        return None;
    }
    let span = operand.ast().span(operand.id);
    let message = format!(
        "At admission a quantity is a string, which has no method `{method}`, so this always \
         fails. Call it on `quantity(…)`."
    );
    let finding = Finding::new(facts.document.range(operand.expression, span), message)
        .upstream("no such overload");
    let converted = format!("quantity({})", operand.ast().slice(span));
    Some(
        match edits(facts, operand.expression, &[(span, converted)]) {
            Some(edits) => finding.fix("Convert with `quantity(…)`", edits),
            None => finding,
        },
    )
}

/// Returns the edits that compare two quantities: `quantity(a).compareTo(quantity('b')) > 0`.
fn compared(
    facts: &DocumentFacts<'_>,
    operand: &Operand<'_>,
    operator: BinaryOperator,
) -> Option<Vec<TextEdit>> {
    let ast = operand.ast();
    let ExprKind::Binary {
        operator_span,
        left,
        right,
        ..
    } = ast.kind(operand.place.site.id)
    else {
        return None;
    };
    let quotes = |id| match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Literal(Literal::Int(_) | Literal::Double(_)) => Some("'"),
        ExprKind::Literal(Literal::String(_)) => Some(""),
        _ if id == operand.id => Some(""),
        _ => None,
    };
    let (before, after) = (quotes(*left)?, quotes(*right)?);
    let (left, right) = (ast.span(*left), ast.span(*right));
    let between = Span::new(left.end(), right.start());
    if ast.slice(between).trim() != ast.slice(*operator_span) {
        return None;
    }
    let changes = [
        (
            Span::new(left.start(), left.start()),
            format!("quantity({before}"),
        ),
        (between, format!("{before}).compareTo(quantity({after}")),
        (
            Span::new(right.end(), right.end()),
            format!("{after})) {} 0", operator.symbol()),
        ),
    ];
    edits(facts, operand.expression, &changes)
}

#[cfg(test)]
mod tests;
