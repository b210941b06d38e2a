#![doc = include_str!("constant_message.md")]

use crate::diagnostics::conditions::{closed, value};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::placeholder::has_placeholder;
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext, Severity};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use policy::{Expression, Role};
use text::TextEdit;
use yaml::edit::{quoted, replace_entry};

/// Limit: the bytes of a message.
///
/// Upstream: kubernetes/apiserver, pkg/apis/cel/config.go,
/// MaxEvaluatedMessageExpressionSizeBytes.
const MAX_MESSAGE: usize = 5 * 1024;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        let messages = expressions
            .filter(|expression| {
                let is_message = matches!(
                    expression.role,
                    Role::MessageExpression | Role::CrdMessageExpression { .. }
                );
                is_message && expression.parse.is_ok() && facts.is_read(expression)
            })
            .filter(|it| !has_placeholder(it.text()));
        let findings = messages.filter_map(|expression| finding(facts, expression));
        found.extend(findings.take(MAX_FINDINGS));
    }
}

fn finding(facts: &DocumentFacts<'_>, expression: &Expression) -> Option<Finding> {
    let ast = expression.ast();
    let is_constant = closed(ast).get(ast.root().index()).copied()?;
    if !is_constant {
        return line_break(facts, expression);
    }
    let env = facts.document.checked(expression)?.env();
    let made = value(ast, ast.root(), env)?;
    let text = made.as_str()?;
    let unused = match text.trim() {
        "" => Some("is empty"),
        text if text.contains('\n') => Some("contains line breaks"),
        text if text.len() > MAX_MESSAGE => Some("is longer than 5 KiB"),
        _ => None,
    };
    let range = facts.document.range(expression, ast.span(ast.root()));
    if let Some(reason) = unused {
        let message = format!(
            "Kubernetes ignores this message because it {reason}. {}",
            fallback(facts, expression)
        );
        return Some(Finding::new(range, message).severity(Severity::Warning));
    }
    let finding = Finding::new(
        range,
        "This message is constant. Use `message`, which needs no evaluation.",
    );
    Some(match as_message(facts, expression, text) {
        Some(edits) => finding.fix("Convert to `message`", edits),
        None => finding,
    })
}

/// Returns a description of the message that replaces an ignored message.
fn fallback(facts: &DocumentFacts<'_>, expression: &Expression) -> &'static str {
    match facts.document.validation(expression).message() {
        Some(_) => "Users see `message` instead.",
        None if expression.role.schema().is_some() => "Users see `failed rule: …` instead.",
        None => "Users see `failed expression: …` instead.",
    }
}

/// Returns the edits that replace the message expression with a plain `message`, if there is none.
fn as_message(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    text: &str,
) -> Option<Vec<TextEdit>> {
    let validation = facts.document.validation(expression);
    let is_free = !validation.node().is_alias() && validation.message_entry().is_none();
    let entry = validation.message_expression().filter(|_| is_free)?;
    replace_entry(entry, "message", &quoted(text.trim()))
}

/// Reports a line break in a constant part of a message.
fn line_break(facts: &DocumentFacts<'_>, expression: &Expression) -> Option<Finding> {
    let ast = expression.ast();
    let broken = parts(ast).into_iter().find(|part| {
        let ExprKind::Literal(Literal::String(text)) = ast.kind(part.id) else {
            return false;
        };
        // White space around a message is trimmed.
        let text = if part.is_first {
            text.trim_start()
        } else {
            text
        };
        let text = if part.is_last { text.trim_end() } else { text };
        text.contains('\n')
    })?;
    let message = format!(
        "Kubernetes ignores a message that contains line breaks. {}",
        fallback(facts, expression)
    );
    let range = facts.document.range(expression, ast.span(broken.id));
    Some(Finding::new(range, message).severity(Severity::Warning))
}

/// A part of a message.
struct Part {
    id: ExprId,
    is_first: bool,
    is_last: bool,
}

/// Returns the parts of a message, in all branches of its conditions.
fn parts(ast: &Ast) -> Vec<Part> {
    let whole = Part {
        id: ast.root(),
        is_first: true,
        is_last: true,
    };
    let mut waiting = vec![whole];
    let mut found = Vec::new();
    while let Some(mut part) = waiting.pop() {
        part.id = ast.unparenthesized(part.id);
        match inner(ast, &part) {
            Some(inner) => waiting.extend(inner),
            None => found.push(part),
        }
    }
    found
}

/// Returns the parts of a part. `None` if it has none.
fn inner(ast: &Ast, part: &Part) -> Option<Vec<Part>> {
    let of = |id: ExprId, is_first: bool, is_last: bool| Part {
        id,
        is_first: part.is_first && is_first,
        is_last: part.is_last && is_last,
    };
    Some(match ast.kind(part.id) {
        ExprKind::Binary {
            operator: BinaryOperator::Add,
            left,
            right,
            ..
        } => vec![of(*left, true, false), of(*right, false, true)],
        ExprKind::Conditional {
            then, otherwise, ..
        } => vec![of(*then, true, true), of(*otherwise, true, true)],
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } if ast.name(*function) == "format" => vec![of(*target, true, true)],
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
