#![doc = include_str!("wrong_result.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::{Finding, RuleContext, api_error};
use cel::Type;
use cel::syntax::ExprKind;
use policy::validation::{ApiError, ApiRule};
use policy::{Expression, Role};
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for error in facts
            .errors
            .iter()
            .filter(|error| error.rule == ApiRule::ResultType)
        {
            let node = error.node;
            let mut expressions = facts.document.expressions().iter();
            if let Some(expression) = expressions.find(|found| Some(found.node) == node) {
                found.push(finding(facts, expression, error));
            }
        }
    }
}

fn finding(facts: &DocumentFacts<'_>, expression: &Expression, error: &ApiError) -> Finding {
    let checked = facts.document.checked(expression);
    let found = match checked.map(|checked| checked.answer().output_type()) {
        Some(Type::Dyn) => " Its type is `dyn`: compare it, or convert it.".to_owned(),
        Some(found) => format!(" This one evaluates to `{found}`."),
        None => String::new(),
    };
    let ast = expression.ast();
    let span = ast.span(ast.root());
    let range = facts.document.range(expression, span);
    let finding = Finding::new(range, format!("{}{found}", needed(expression.role)))
        .upstream(api_error::upstream(error));
    let ty = checked.map(|checked| checked.answer().output_type());
    let is_convertible = needs_string(expression.role) && ty.is_some_and(has_string);
    if ty.is_some_and(is_decision) && needs_bool(expression.role) {
        let is_whole = !matches!(ast.kind(ast.root()), ExprKind::Conditional { .. });
        let (open, close) = if is_whole { ("", "") } else { ("(", ")") };
        let changes = [
            (Span::empty(span.start()), open.to_owned()),
            (Span::empty(span.end()), format!("{close}.allowed()")),
        ];
        let changes = changes.get(usize::from(is_whole)..).unwrap_or_default();
        return match edits(facts, expression, changes) {
            Some(edits) => finding.fix("Add `.allowed()`", edits),
            None => finding,
        };
    }
    let changes = [
        (Span::empty(span.start()), "string(".to_owned()),
        (Span::empty(span.end()), ")".to_owned()),
    ];
    match edits(facts, expression, &changes).filter(|_| is_convertible) {
        Some(edits) => finding.fix("Convert with `string(…)`", edits),
        None => finding,
    }
}

/// Returns whether a type is that of the answer of the authorizer.
fn is_decision(ty: &Type) -> bool {
    ty.to_string() == "kubernetes.authorization.Decision"
}

fn needs_bool(role: Role) -> bool {
    matches!(
        role,
        Role::Validation | Role::MatchCondition | Role::WebhookMatchCondition
    )
}

fn needs_string(role: Role) -> bool {
    matches!(
        role,
        Role::MessageExpression | Role::CrdMessageExpression { .. } | Role::AuditAnnotation
    )
}

/// Returns whether `string()` converts every value of a type.
fn has_string(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool | Type::Int | Type::Uint | Type::Double | Type::Timestamp | Type::Duration
    )
}

fn needed(role: Role) -> &'static str {
    match role {
        Role::MatchCondition | Role::WebhookMatchCondition => {
            "A match condition must evaluate to `true` or `false`."
        }
        Role::Validation | Role::CrdRule { .. } => {
            "The expression must evaluate to `true` or \
                                                    `false`."
        }
        Role::MessageExpression | Role::CrdMessageExpression { .. } => {
            "A message expression must evaluate to a string."
        }
        Role::AuditAnnotation => "An audit annotation must evaluate to a string or null.",
        Role::ApplyConfiguration => "The expression must evaluate to an `Object{…}`.",
        Role::JsonPatch => "The expression must evaluate to a list of `JSONPatch{…}`.",
        Role::Variable { .. } => "The expression has the wrong type.",
    }
}

#[cfg(test)]
mod tests;
