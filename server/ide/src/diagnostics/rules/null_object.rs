#![doc = include_str!("null_object.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::failing_reads::{part, used_at};
use crate::diagnostics::guard::{Guard, edits, with_guard};
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::presence::{Root, SiteContext, SiteKind, Term};
use cel::syntax::{ExprKind, IdentRole};
use policy::Source;
use std::collections::HashSet;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut seen = HashSet::new();
        for place in facts.presence().failure_sites() {
            let Some(root) = root(place) else {
                continue;
            };
            if seen.contains(&(place.site.expression, root)) {
                continue;
            }
            if let Some(finding) = finding(facts, place, root) {
                seen.insert((place.site.expression, root));
                found.push(finding);
            }
        }
    }
}

/// Returns the root whose field is read.
fn root(place: SiteContext<'_>) -> Option<Root> {
    if place.site.kind != SiteKind::Read {
        return None;
    }
    let of = place.parent(place.site.term)?;
    match place.term(of) {
        Term::Root(root @ (Root::Object | Root::OldObject)) if !place.is_not_null(of) => {
            Some(*root)
        }
        _ => None,
    }
}

fn finding(facts: &DocumentFacts<'_>, place: SiteContext<'_>, root: Root) -> Option<Finding> {
    if place.is_operation_vague() {
        return None;
    }
    let (present, missing): (Vec<_>, Vec<_>) = place.cases().partition(|case| case.has(root));
    let operation = missing.first()?.operation.as_str();
    let expression = facts.document.expressions().get(place.site.expression)?;
    if !facts.is_read(expression) {
        return None;
    }
    let always = present.is_empty();
    let span = expression.ast().span(place.site.id);
    let range = facts.document.range(expression, span);
    let message = if always {
        always_null(root, operation, uses(&expression.parse, other(root)))
    } else {
        sometimes_null(facts, root, operation)
    };
    let finding =
        Finding::new(range, message).upstream(format!("no such key: {}", key(facts, place)?));
    if always {
        let finding = finding.severity(Severity::Error);
        let other = other(root);
        return Some(match swapped(facts, place, root.name(), other) {
            Some(edits) => finding.unsafe_fix(format!("Change to `{other}`"), edits),
            None => finding,
        });
    }
    let guard = Guard::from_nullable(root.name());
    let finding = used_at(finding, facts, place);
    Some(with_guard(
        finding,
        facts,
        expression,
        place.site.id,
        &guard,
    ))
}

/// Returns the object that exists when `root` is null.
fn other(root: Root) -> &'static str {
    match root {
        Root::Object => "oldObject",
        _ => "object",
    }
}

/// Returns whether an expression uses a variable.
fn uses(source: &Source, name: &str) -> bool {
    let ast = &source.ast;
    let mut free = source
        .idents()
        .iter()
        .filter(|used| used.role == IdentRole::Free);
    free.any(|used| ast.name(used.name) == name)
}

fn always_null(root: Root, operation: &str, has_both: bool) -> String {
    let name = root.name();
    let advice = if has_both {
        "Evaluate it only when both objects exist: `request.operation != 'UPDATE' || …`.".to_owned()
    } else {
        format!("Use `{}`.", other(root))
    };
    format!("`{name}` is null on {operation}, so this always fails at admission. {advice}")
}

fn sometimes_null(facts: &DocumentFacts<'_>, root: Root, operation: &str) -> String {
    let name = root.name();
    let owner = if facts.document.kind().is_webhook_configuration() {
        "webhook"
    } else {
        "policy"
    };
    format!(
        "The {owner} also matches {operation}, for which `{name}` is null and the expression fails \
         at admission. Guard it with `{name} != null`, or remove {operation} from the rules."
    )
}

fn key(facts: &DocumentFacts<'_>, place: SiteContext<'_>) -> Option<String> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    let (key, _) = part(expression.ast(), place.site.id)?;
    Some(key.trim_matches(['\'', '"']).to_owned())
}

/// Returns the edits that replace this object with the other one. `None` if the expression already
/// uses it: a comparison of an object with itself is no rule.
fn swapped(
    facts: &DocumentFacts<'_>,
    place: SiteContext<'_>,
    name: &str,
    other: &str,
) -> Option<Vec<text::TextEdit>> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    let ast = expression.ast();
    if uses(&expression.parse, other) {
        return None;
    }
    let places: Vec<(Span, String)> = expression
        .parse
        .idents()
        .iter()
        .filter(|used| used.role == IdentRole::Free && ast.name(used.name) == name)
        .filter(|used| matches!(ast.kind(used.id), ExprKind::Ident { .. }))
        .map(|used| (used.name.span, other.to_owned()))
        .collect();
    edits(facts, expression, &places)
}

#[cfg(test)]
mod tests;
