#![doc = include_str!("constant_message.md")]

use crate::diagnostics::conditions::{closed, value};
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::placeholder::has_placeholder;
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::file::SourceFile;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use policy::manifest::Validation;
use policy::{Expression, Role};
use text::{TextEdit, TextRange};
use yaml::Entry;
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
        let findings = messages.filter_map(|expression| finding(context.file, facts, expression));
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    expression: &Expression,
) -> Option<Finding> {
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
    let validation = facts.document.validation(expression);
    Some(constant(file, validation, range, text))
}

/// Returns a description of the message that replaces an ignored message.
fn fallback(facts: &DocumentFacts<'_>, expression: &Expression) -> &'static str {
    match facts.document.validation(expression).message() {
        Some(_) => "Users see `message` instead.",
        None if expression.role.schema().is_some() => "Users see `failed rule: …` instead.",
        None => "Users see `failed expression: …` instead.",
    }
}

/// Reports a constant message, with the fix that writes it as `message`. A constant never fails, so
/// it replaces any other `message`.
fn constant(
    file: &SourceFile,
    validation: Validation<'_>,
    range: TextRange,
    text: &str,
) -> Finding {
    let (message, title) = match validation.message_entry() {
        Some(_) => (
            "This message is constant, so `message` is never used. Remove one of them.",
            "Replace `message` with this constant",
        ),
        None => (
            "This message is constant. Use `message`, which needs no evaluation.",
            "Convert to `message`",
        ),
    };
    let finding = Finding::new(range, message);
    match as_message(file, validation, &quoted(text.trim())) {
        Some(edits) => finding.fix(title, edits),
        None => finding,
    }
}

/// Returns the edits that write a constant as the `message` of a validation.
fn as_message(file: &SourceFile, validation: Validation<'_>, value: &str) -> Option<Vec<TextEdit>> {
    let is_own = |entry: &Entry<'_>| {
        let whole = validation.node().range();
        !validation.node().is_alias() && whole.contains_range(entry.key.range())
    };
    let expression = validation.message_expression().filter(is_own)?;
    let Some(unused) = validation.message_entry() else {
        return replace_entry(expression, "message", value);
    };
    let mut edits = replace_entry(unused, "message", value).filter(|_| is_own(&unused))?;
    edits.push(file.editor().remove_entry(expression)?);
    Some(edits)
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
