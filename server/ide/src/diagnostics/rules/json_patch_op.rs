#![doc = include_str!("json_patch_op.md")]

use crate::diagnostics::json_patches::{Operation, literals};
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::presence::Pointer;
use cel::syntax::ExprKind;
use policy::PolicyDocument;
use text::{Span, nearest};
use yaml::edit::replace_part;

/// The operations of a JSON patch.
///
/// Upstream: evanphx/json-patch v4, patch.go, Apply.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Names of operations in other tools.
const FOREIGN_NAMES: [(&str, &str); 8] = [
    ("append", "add"),
    ("create", "add"),
    ("insert", "add"),
    ("delete", "remove"),
    ("set", "replace"),
    ("update", "replace"),
    ("upsert", "add"),
    ("merge", "add"),
];

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        for operation in literals(facts) {
            let finding = unknown(facts.document, &operation);
            found.extend(finding.or_else(|| incomplete(facts.document, &operation)));
        }
    }
}

/// Reports an operation that does not exist or is missing.
fn unknown(document: &PolicyDocument, operation: &Operation<'_>) -> Option<Finding> {
    let Some(field) = operation.field("op") else {
        let message = "A JSON patch requires `op`: `add`, `remove`, `replace`, `move`, `copy` or \
                       `test`. Without it, the mutation fails.";
        let finding = Finding::new(
            document.range(operation.expression, type_name_span(operation)),
            message,
        );
        return Some(finding.upstream("JSON Patch: Unexpected kind: "));
    };
    let op = operation.op().filter(|op| !OPERATIONS.contains(op))?;
    let lower = op.to_ascii_lowercase();
    let mut words = FOREIGN_NAMES.iter();
    let right = words.find(|(word, _)| *word == lower);
    let right = right
        .map(|(_, right)| *right)
        .or_else(|| OPERATIONS.into_iter().find(|op| *op == lower))
        .or_else(|| nearest(&lower, OPERATIONS));
    let hint = right.map_or_else(
        || " Use `add`, `remove`, `replace`, `move`, `copy` or `test`.".to_owned(),
        |right| format!(" Did you mean `{right}`?"),
    );
    let ast = operation.ast();
    let span = ast.span(field.value);
    let message = format!("`{op}` is not a JSON patch operation, so the mutation fails.{hint}");
    let finding = Finding::new(document.range(operation.expression, span), message)
        .upstream(format!("JSON Patch: Unexpected kind: {op}"));
    let scalar = document.node(operation.expression.node).as_scalar();
    let quoted = ast.unparenthesized(field.value);
    let inner = matches!(ast.kind(quoted), ExprKind::Literal(_)).then(|| ast.span(quoted))?;
    let inner = Span::new(inner.start() + 1, inner.end().saturating_sub(1));
    let edit = right.zip(scalar).and_then(|(right, scalar)| {
        let is_plain = inner.slice(ast.text()) == op;
        is_plain.then(|| replace_part(scalar, inner, right))?
    });
    Some(match (edit, right) {
        (Some(edit), Some(right)) => finding.fix(format!("Change to `{right}`"), vec![edit]),
        _ => finding,
    })
}

/// Reports an operation without a required field.
fn incomplete(document: &PolicyDocument, operation: &Operation<'_>) -> Option<Finding> {
    let op = operation.op()?;
    let range = document.range(operation.expression, type_name_span(operation));
    let from = operation.patch.from.as_ref();
    let is_empty = from.is_some_and(|from| {
        *from
            == Pointer {
                is_whole: true,
                last: from.last,
                ..Pointer::default()
            }
    });
    let lacks = |field: &str| operation.field(field).is_none();
    match op {
        "move" | "copy" if is_empty || lacks("from") => {
            let message = format!(
                "`{op}` requires `from`, the path of the value. Without it, the mutation fails."
            );
            Some(Finding::new(range, message).upstream(format!(
                "JSON Patch: {op} operation failed to decode from: operation, missing from field: missing value"
            )))
        }
        "add" | "replace" if lacks("value") => {
            let message = format!("`{op}` has no `value`, so it sets `null`.");
            Some(Finding::new(range, message).severity(Severity::Warning))
        }
        _ => None,
    }
}

/// Returns the span of the type name of the literal.
fn type_name_span(operation: &Operation<'_>) -> Span {
    let ast = operation.ast();
    let whole = ast.span(operation.id());
    match ast.kind(operation.id()) {
        ExprKind::Struct { braces, .. } => Span::new(whole.start(), braces.start()),
        _ => whole,
    }
}

#[cfg(test)]
mod tests;
