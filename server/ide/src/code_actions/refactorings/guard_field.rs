//! Guards a field at the cursor, or an entry of a map, that may be missing.
//!
//! A rule offers the same fix if a schema shows that the field is optional. An author may have more
//! information: about a kind without a schema, or about objects that are older than a field. The
//! decision about objects without the field changes, so the actions are unsafe.

use super::extract_variable::is_optional;
use super::{applied, is_tested, is_worse, refactoring};
use crate::code_actions::{ActionKind, CodeAction};
use crate::diagnostics::{Guard, chain_end, diagnose, or_default, parents, read_guards};
use crate::file::SourceFile;
use crate::kind_fields::Kinds;
use crate::presence::{FieldState, Presence, SiteContext};
use crate::report::Safety;
use crate::settings::Settings;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, Literal};
use std::sync::Arc;

/// Returns the actions for the field or the entry at the cursor.
pub(super) fn actions(file: &SourceFile, target: &Target<'_>) -> Vec<CodeAction> {
    let (ast, document, expression) = (target.ast(), target.document, target.expression);
    let path = ast.path_at(target.offset).into_iter().rev();
    let mut reads = path.filter(|id| names(ast, *id, target.offset));
    let Some(id) = reads.next().filter(|id| can_be_missing(ast, *id)) else {
        return Vec::new();
    };
    let guard = Guard::from_read(ast, id);
    let Some(guard) = guard.filter(|it| !it.is_there.contains('\n')) else {
        return Vec::new();
    };
    let end = chain_end(ast, &parents(ast), id);
    if is_optional(ast, end) || is_always_present(file, target, id) {
        return Vec::new();
    }
    // The fixes of a finding are the same.
    let found = diagnose(file, &Settings::default());
    let place = document.range(expression, ast.span(id));
    let mut known = found.iter().filter(|it| !it.fixes.is_empty());
    if known.any(|it| place.contains_range(it.range)) {
        return Vec::new();
    }
    let mut fixes = read_guards(document, expression, id, &guard);
    let kinds = Kinds::new(file, document, expression);
    let mut schemas = kinds.into_iter().flat_map(|kinds| kinds.types(end));
    let schema = schemas.next().and_then(|(_, schema)| schema);
    fixes.extend(or_default(document, expression, id, schema));
    // A guard of a value that is always present or already guarded adds a finding.
    fixes.retain(|(_, edits)| applied(file, edits).is_some_and(|it| !is_worse(file, &it)));
    let action = |(title, edits)| CodeAction {
        safety: Safety::Unsafe,
        ..refactoring(title, ActionKind::Rewrite, edits)
    };
    fixes.into_iter().map(action).collect()
}

/// Returns whether every object that the policy matches has the field or the entry.
fn is_always_present(file: &SourceFile, target: &Target<'_>, id: ExprId) -> bool {
    let presence = Presence::new(target.document, Arc::clone(file.project().kinds()), None);
    let expressions = target.document.expressions();
    let is_it = |place: &SiteContext<'_>| {
        let expression = expressions.get(place.site.expression);
        place.site.id == id && expression.is_some_and(|it| it.node == target.expression.node)
    };
    let mut sites = presence.failure_sites().filter(is_it).peekable();
    sites.peek().is_some()
        && sites.all(|place| {
            let mut cases = place.cases();
            cases.all(|case| place.state(case, place.site.term) == FieldState::Required)
        })
}

/// Returns whether a node reads the field or the entry whose name is at an offset.
fn names(ast: &Ast, id: ExprId, offset: u32) -> bool {
    match ast.kind(id) {
        ExprKind::Select { field, .. } => field.span.touches(offset),
        ExprKind::Index { index, .. } => ast.span(*index).touches(offset),
        _ => false,
    }
}

/// Returns whether a node reads a field or an entry that `has()` or `in` can test.
fn can_be_missing(ast: &Ast, id: ExprId) -> bool {
    let (operand, is_named) = match ast.kind(id) {
        ExprKind::Select {
            operand,
            optional: false,
            ..
        } => (*operand, true),
        ExprKind::Index {
            operand,
            index,
            optional: false,
            ..
        } => {
            let is_key = matches!(ast.kind(*index), ExprKind::Literal(Literal::String(_)));
            (*operand, is_key)
        }
        _ => return false,
    };
    // Variables of the policy are always defined, and a function name can contain a dot.
    let is_root = matches!(ast.kind(operand), ExprKind::Ident { name, .. }
        if matches!(ast.name(*name), "variables" | "request"));
    let mut values = ast.descendants(id);
    let is_function = ast.ids().any(|call| {
        matches!(ast.kind(call), ExprKind::Call { target: Some(it), .. }
            if *it == id && ast.idents(id, &[]).is_empty())
    });
    let is_plain = values.all(|it| !matches!(ast.kind(it), ExprKind::Error(_)));
    is_named && is_plain && !is_root && !is_function && !is_tested(ast, id)
}

#[cfg(test)]
mod tests;
