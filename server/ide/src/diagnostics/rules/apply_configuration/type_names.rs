//! Types of values in an `Object{…}` that are not those of their fields.
//!
//! Kubernetes has a type for every name that begins with `Object`, so the compiler accepts any of
//! them.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, typeCheck.

use super::OBJECT;
use crate::diagnostics::Finding;
use crate::diagnostics::document_facts::DocumentFacts;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroKind};
use policy::Expression;
use text::Span;

/// Returns the findings about the types in an expression. A value inside one of the wrong type is
/// compared with that type.
pub(super) fn findings(facts: &DocumentFacts<'_>, expression: &Expression) -> Vec<Finding> {
    let ast = expression.ast();
    let mut found = Vec::new();
    for id in ast.ids() {
        let (Some((owner, _)), ExprKind::Struct { fields, .. }) =
            (object_type(ast, id), ast.kind(id))
        else {
            continue;
        };
        for field in fields {
            let name = ast.name(field.name);
            let expected = format!("{owner}.{name}");
            let mut values = Vec::new();
            add_literals(ast, field.value, &mut values);
            let values = values
                .into_iter()
                .filter_map(|value| object_type(ast, value));
            let wrong = values.filter(|(written, _)| *written != expected);
            found.extend(wrong.map(|it| finding(facts, expression, (name, &expected), it)));
        }
    }
    found
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    (field, expected): (&str, &str),
    (written, span): (String, Span),
) -> Finding {
    let message = format!("The type of `{field}` is `{expected}`, not `{written}`.");
    let upstream = format!(
        "type mismatch: unexpected type name \"{written}\", expected \"{expected}\", which matches \
         field name path from root Object type"
    );
    let finding = Finding::new(facts.document.range(expression, span), message).upstream(upstream);
    facts.rename(finding, (expression, span), expected)
}

/// Returns the name of the type of an object, and where it is written. `None` for other nodes.
fn object_type(ast: &Ast, id: ExprId) -> Option<(String, Span)> {
    let ExprKind::Struct { type_name, .. } = ast.kind(id) else {
        return None;
    };
    let (first, last) = (type_name.first()?, type_name.last()?);
    let parts: Vec<&str> = type_name.iter().map(|part| ast.name(*part)).collect();
    let span = first.span.cover(last.span);
    (*parts.first()? == OBJECT).then(|| (parts.join("."), span))
}

/// Adds the objects that a value is, or contains in lists and maps.
fn add_literals(ast: &Ast, id: ExprId, found: &mut Vec<ExprId>) {
    let mut add = |id: &ExprId| add_literals(ast, *id, found);
    if let Some(call) = ast.macro_call(id) {
        if call.kind == MacroKind::Map {
            call.body.last().into_iter().for_each(add);
        }
        return;
    }
    match ast.kind(id) {
        ExprKind::Paren(inner) => add(inner),
        ExprKind::List { elements } => elements.iter().for_each(|it| add(&it.value)),
        ExprKind::Conditional {
            then, otherwise, ..
        } => [then, otherwise].into_iter().for_each(add),
        ExprKind::Binary {
            operator: BinaryOperator::Add,
            left,
            right,
            ..
        } => [left, right].into_iter().for_each(add),
        ExprKind::Struct { .. } => found.push(id),
        _ => {}
    }
}
