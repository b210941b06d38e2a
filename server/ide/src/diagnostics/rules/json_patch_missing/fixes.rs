//! Fixes that ensure the presence of a value before a JSON patch requires it.

use super::{Missing, Operation, condition, guard};
use crate::diagnostics::Finding;
use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use crate::diagnostics::parents;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use kubernetes::openapi::SchemaType;
use text::Span;

/// Adds fixes that create the missing value, or guard the patch.
pub(super) fn add(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    operation: Operation<'_>,
    missing: &Missing<'_>,
) -> Finding {
    let Some((list, is_alone)) = list(operation.ast(), operation.id()) else {
        return finding;
    };
    let span = operation.ast().span(list);
    let start = Span::new(span.start(), span.start());
    let end = Span::new(span.end(), span.end());
    let mut finding = finding;
    if let Some(create) = create(operation, missing)
        && let Some(edits) = edits(facts, operation.expression, &[(start, create)])
    {
        finding = finding.unsafe_fix("Add the missing value first", edits);
    }
    let guard = guard(operation.place, &missing.terms).filter(|_| is_alone && !missing.is_certain);
    if let Some(guard) = guard {
        let changes = [(start, format!("({guard} ? ")), (end, " : [])".to_owned())];
        if let Some(edits) = edits(facts, operation.expression, &changes) {
            finding = finding.unsafe_fix(format!("Guard with `{guard}`"), edits);
        }
    }
    finding
}

/// Returns the patch that creates the missing parent.
fn create(operation: Operation<'_>, missing: &Missing<'_>) -> Option<String> {
    let [term] = &*missing.terms else {
        return None;
    };
    let adds = matches!(operation.op(), Some("add" | "copy" | "move")) && missing.field == "path";
    if !adds || !missing.is_parent {
        return None;
    }
    let value = match operation.place.schema(missing.case, *term)?.ty() {
        SchemaType::Object => "{}",
        SchemaType::Array => "[]",
        _ => return None,
    };
    let tokens = &missing.pointer.tokens;
    let at = tokens.iter().position(|it| it.term == Some(*term))?;
    let path = missing.pointer.beginning(at + 1)?;
    if path.contains(['\'', '\\']) {
        return None;
    }
    let patch = format!("[JSONPatch{{op: 'add', path: '{path}', value: {value}}}]");
    if missing.is_certain {
        return Some(format!("{patch} + "));
    }
    let condition = condition(operation.place, *term)?;
    Some(format!("({condition} ? [] : {patch}) + "))
}

/// Returns the list that contains an operation, if it is the list of the patch or a part of it, and
/// whether it contains only this operation.
fn list(ast: &Ast, operation: ExprId) -> Option<(ExprId, bool)> {
    let parents = parents(ast);
    let parent = |id: ExprId| parents.get(id.index()).copied().flatten();
    let list = parent(operation)?;
    let ExprKind::List { elements } = ast.kind(list) else {
        return None;
    };
    let mut at = list;
    while let Some(outer) = parent(at) {
        let is_part = match ast.kind(outer) {
            ExprKind::Paren(_) => true,
            ExprKind::Binary { operator, .. } => *operator == BinaryOperator::Add,
            ExprKind::Conditional { condition, .. } => *condition != at,
            _ => false,
        };
        if !is_part {
            return None;
        }
        at = outer;
    }
    Some((list, elements.len() == 1))
}
