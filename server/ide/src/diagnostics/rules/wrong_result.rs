#![doc = include_str!("wrong_result.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::uncalled::Uncalled;
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
    let ty = checked.map(|checked| checked.answer().output_type());
    let ast = expression.ast();
    let span = ast.span(ast.root());
    let range = facts.document.range(expression, span);
    let finding =
        Finding::new(range, message(expression.role, ty)).upstream(api_error::upstream(error));
    if let Some(method) = Uncalled::new(facts, expression, ast.root()) {
        return method.advise(finding, facts, expression);
    }
    let Some((title, before, after)) = conversion(expression, ty) else {
        return finding;
    };
    let changes = [(span.start(), before), (span.end(), after)];
    let changes = changes.iter().filter(|(_, insert)| !insert.is_empty());
    let changes: Vec<_> = changes
        .map(|(at, insert)| (Span::empty(*at), (*insert).to_owned()))
        .collect();
    match edits(facts, expression, &changes) {
        // A value without a known type can be a list, which `string()` does not convert.
        Some(edits) if ty == Some(&Type::Dyn) => finding.unsafe_fix(title, edits),
        Some(edits) => finding.fix(title, edits),
        None => finding,
    }
}

/// Returns what converts an expression to the type that its field needs: a title, and the text
/// before and after the expression.
fn conversion(
    expression: &Expression,
    ty: Option<&Type>,
) -> Option<(&'static str, &'static str, &'static str)> {
    let (role, ty, ast) = (expression.role, ty?, expression.ast());
    let is_conditional = matches!(ast.kind(ast.root()), ExprKind::Conditional { .. });
    if is_decision(ty) && needs_bool(role) {
        let (before, after) = if is_conditional {
            ("(", ").allowed()")
        } else {
            ("", ".allowed()")
        };
        return Some(("Add `.allowed()`", before, after));
    }
    if role == Role::JsonPatch && ty.to_string() == "JSONPatch" {
        return Some(("Write a list", "[", "]"));
    }
    let is_convertible = needs_string(role) && (has_string(ty) || *ty == Type::Dyn);
    is_convertible.then_some(("Convert with `string(…)`", "string(", ")"))
}

fn message(role: Role, found: Option<&Type>) -> String {
    let needed = needed(role);
    match found {
        Some(Type::Dyn) if needs_string(role) => {
            format!("{needed} Its type is `dyn`: convert it with `string(…)`.")
        }
        Some(Type::Dyn) => {
            format!("{needed} Its type is only known at admission: compare it, as in `x == true`.")
        }
        Some(found) => format!("{needed} This one evaluates to `{found}`."),
        None => needed.to_owned(),
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
