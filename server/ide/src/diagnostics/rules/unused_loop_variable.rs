#![doc = include_str!("unused_loop_variable.md")]

use crate::diagnostics::conditions::closed;
use crate::diagnostics::guard::edits;
use crate::diagnostics::{Finding, RuleContext};
use cel::syntax::{ExprId, IdentRole, MacroCall, MacroKind};
use policy::Source;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for (facts, expression) in context.expressions() {
        if !expression.parse.is_ok() {
            continue;
        }
        let ast = expression.ast();
        for call in ast.ids().filter_map(|id| ast.macro_call(id)) {
            let Some(variable) = unused(&expression.parse, call) else {
                continue;
            };
            // An unknown name is probably the variable.
            let whole = facts.document.range(expression, ast.span(call.id));
            if context.is_found_by(&["unknown-name"], whole) {
                continue;
            }
            let name = ast.slice(ast.span(variable));
            let message = format!(
                "The condition does not use `{name}`, so it is the same for every element."
            );
            let span = ast.span(variable);
            let finding = Finding::new(facts.document.range(expression, span), message);
            let ignored = format!("_{name}");
            let uses = expression.parse.idents();
            let is_free = !uses.iter().any(|it| ast.name(it.name) == ignored);
            let title = format!("Rename it to `{ignored}`, since the elements do not matter");
            let edits = edits(facts, expression, &[(span, ignored)]);
            found.push(match edits.filter(|_| is_free) {
                Some(edits) => finding.unsafe_fix(title, edits),
                None => finding,
            });
        }
        found.truncate(context.max_findings());
    }
}

/// Returns the variable of a macro whose condition does not use it.
fn unused(source: &Source, call: MacroCall<'_>) -> Option<ExprId> {
    let ast = &source.ast;
    let asks = match call.kind {
        MacroKind::All | MacroKind::Exists | MacroKind::ExistsOne | MacroKind::Filter => true,
        MacroKind::Has
        | MacroKind::Map
        | MacroKind::OptMap
        | MacroKind::OptFlatMap
        | MacroKind::SortBy
        | MacroKind::TransformList
        | MacroKind::TransformMap
        | MacroKind::TransformMapEntry => false,
    };
    let condition = call.body.first().filter(|_| asks)?;
    let of_call = |role: IdentRole| match role {
        IdentRole::Bound(binding) => binding.call == call.id,
        IdentRole::Declaration(_) | IdentRole::Free => false,
    };
    let last = *call.variables.last()?;
    let name = ast.slice(ast.span(last));
    if name.starts_with('_') || source.idents().iter().any(|found| of_call(found.role)) {
        return None;
    }
    // `exists(x, true)` tests whether there is an element.
    let is_constant = closed(ast).get(condition.index()).copied().unwrap_or(true);
    (!is_constant).then_some(last)
}

#[cfg(test)]
mod tests;
