#![doc = include_str!("cel_in_message.md")]

mod template;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext};
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprKind, Literal, parse};
use policy::{Expression, Role};
use template::Template;
use yaml::Entry;
use yaml::edit::{quoted, replace_entry, replace_word};

/// The roots of the expressions that read the request.
pub(super) const ROOTS: [&str; 9] = [
    "object",
    "oldObject",
    "params",
    "request",
    "variables",
    "namespaceObject",
    "authorizer",
    "self",
    "oldSelf",
];

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        let findings = expressions
            .filter(|it| matches!(it.role, Role::Validation | Role::CrdRule { .. }))
            .filter_map(|expression| finding(facts, expression));
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(facts: &DocumentFacts<'_>, expression: &Expression) -> Option<Finding> {
    let validation = facts.document.validation(expression);
    let entry = validation.message_entry()?;
    let text = entry.value.as_str()?;
    // A merged message is not part of the validation.
    let is_own = validation.node().range().contains_range(entry.key.range());
    let is_free = is_own && validation.message_expression().is_none();
    if is_expression(text) {
        let is_fixed = is_free && compiles(facts, expression, text);
        return Some(whole_message(entry, is_fixed));
    }
    let template = Template::find(text)?;
    let text = match &template {
        Template::Expressions { first, .. } => format!(
            "`message` is a plain string, so users read `{first}` literally. Use \
             `messageExpression`."
        ),
        Template::Verb(verb) => format!(
            "`message` is a plain string, so users read `{verb}` literally. Use \
             `messageExpression` with `format()`."
        ),
    };
    let finding = Finding::new(entry.value.range(), text);
    let edits = template
        .as_expression(expression.role.schema().is_some())
        .filter(|right| is_free && compiles(facts, expression, right))
        .and_then(|right| replace_entry(entry, "messageExpression", &quoted(&right)));
    Some(match edits {
        Some(edits) => finding.fix("Convert to `messageExpression`", edits),
        None => finding,
    })
}

/// Reports a message that is an expression as a whole.
fn whole_message(entry: Entry<'_>, is_fixed: bool) -> Finding {
    let finding = Finding::new(
        entry.value.range(),
        "`message` is a plain string, so users read this expression literally. Use \
         `messageExpression`.",
    );
    match replace_word(entry.key, "messageExpression").filter(|_| is_fixed) {
        Some(edit) => finding.fix("Change `message` to `messageExpression`", vec![edit]),
        None => finding,
    }
}

/// Returns whether a string is an expression, not a sentence.
fn is_expression(text: &str) -> bool {
    let begins = text.starts_with(['\'', '"', '(']) || ROOTS.iter().any(|it| text.starts_with(it));
    if !begins {
        return false;
    }
    let parsed = parse(text);
    let ast = &parsed.ast;
    let reads = || ast.ids().any(|id| is_read(ast, id));
    let is_string = match ast.kind(ast.unparenthesized(ast.root())) {
        ExprKind::Binary {
            operator: BinaryOperator::Add,
            ..
        } => ast
            .ids()
            .any(|id| matches!(ast.kind(id), ExprKind::Literal(Literal::String(_)))),
        ExprKind::Call {
            target, function, ..
        } => target.is_some() && ["format", "join"].contains(&ast.name(*function)),
        ExprKind::Select { .. } | ExprKind::Index { .. } | ExprKind::Conditional { .. } => true,
        _ => false,
    };
    parsed.is_ok() && is_string && reads()
}

/// Returns whether a node reads a field of a root.
fn is_read(ast: &Ast, id: cel::syntax::ExprId) -> bool {
    let (ExprKind::Select { operand, .. } | ExprKind::Index { operand, .. }) = ast.kind(id) else {
        return false;
    };
    match ast.kind(ast.unparenthesized(*operand)) {
        ExprKind::Ident { name, .. } => ROOTS.contains(&ast.name(*name)),
        _ => false,
    }
}

/// Returns whether the server accepts a string as a message expression.
fn compiles(facts: &DocumentFacts<'_>, expression: &Expression, text: &str) -> bool {
    let role = match expression.role {
        Role::CrdRule {
            schema,
            optional_old_self,
        } => Role::CrdMessageExpression {
            schema,
            optional_old_self,
        },
        _ => Role::MessageExpression,
    };
    let parsed = parse(text);
    let env = policy::typecheck::env(facts.document, role);
    let checked = cel::check::check(&parsed.ast, &env);
    parsed.is_ok() && checked.is_ok() && *checked.output_type() == Type::String
}

#[cfg(test)]
mod tests;
