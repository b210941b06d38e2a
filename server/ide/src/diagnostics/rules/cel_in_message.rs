#![doc = include_str!("cel_in_message.md")]

mod template;

use crate::diagnostics::facts::Facts;
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext};
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprKind, Literal, parse};
use policy::{Expression, Role};
use template::Template;
use text::{TextEdit, TextRange};
use yaml::edit::quoted;
use yaml::{Entry, Node};

/// The roots of the expressions that read the request.
const ROOTS: [&str; 9] = [
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
        found.extend(findings.take(MAX_FINDINGS));
    }
}

fn finding(facts: &Facts<'_>, expression: &Expression) -> Option<Finding> {
    let owner = facts.document.node(expression.owner);
    let message = owner.get("message")?;
    let text = message.as_str()?;
    if is_expression(text) {
        return Some(whole(facts, expression, (owner, message), text));
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
    let finding = Finding::new(message.range(), text);
    let right = template
        .as_expression(expression.role.schema().is_some())
        .filter(|right| is_free(owner) && compiles(facts, expression, right));
    let place = key(owner).filter(|_| !message.is_alias());
    Some(match right.zip(place) {
        Some((right, key)) => {
            let range = TextRange::new(key.start(), message.range().end());
            let entry = format!("messageExpression: {}", quoted(&right));
            finding.fix(
                "Convert to `messageExpression`",
                vec![TextEdit::replace(range, entry)],
            )
        }
        None => finding,
    })
}

/// Reports a message that is an expression as a whole.
fn whole(
    facts: &Facts<'_>,
    expression: &Expression,
    (owner, message): (Node<'_>, Node<'_>),
    text: &str,
) -> Finding {
    let finding = Finding::new(
        message.range(),
        "`message` is a plain string, so users read this expression literally. Use \
         `messageExpression`.",
    );
    let key = key(owner).filter(|_| is_free(owner) && compiles(facts, expression, text));
    match key {
        Some(key) => finding.fix(
            "Change `message` to `messageExpression`",
            vec![TextEdit::replace(key, "messageExpression")],
        ),
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
fn compiles(facts: &Facts<'_>, expression: &Expression, text: &str) -> bool {
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

/// Returns whether there is no message expression yet.
fn is_free(owner: Node<'_>) -> bool {
    owner.get("messageExpression").is_none()
}

/// Returns the range of the key `message`.
fn key(owner: Node<'_>) -> Option<TextRange> {
    let mut entries = owner.as_mapping()?.entries();
    let entry: Entry<'_> = entries.find(|entry| entry.key.key_text() == "message")?;
    Some(entry.key.range())
}

#[cfg(test)]
mod tests;
