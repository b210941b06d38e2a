#![doc = include_str!("null_object.md")]

use super::facts::Facts;
use super::guard::{Guard, edits, with_guard};
use super::{Finding, RuleContext, Severity};
use crate::flow::{Place, Root, SiteKind, Term};
use cel::syntax::{ExprKind, IdentRole};
use std::collections::HashSet;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut seen = HashSet::new();
        for place in facts.flow(context.file.project()).places() {
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

/// The root of which a field is read.
fn root(place: Place<'_>) -> Option<Root> {
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

fn finding(facts: &Facts<'_>, place: Place<'_>, root: Root) -> Option<Finding> {
    if place.is_operation_vague() {
        return None;
    }
    let (there, missing): (Vec<_>, Vec<_>) = place.cases().partition(|case| case.has(root));
    let operation = missing.first()?.operation.as_str();
    let expression = facts.document.expressions().get(place.site.expression)?;
    if !facts.is_read(expression) {
        return None;
    }
    let ast = expression.ast();
    let span = ast.span(place.site.id);
    let name = root.name();
    let always = there.is_empty();
    let message = match (always, root) {
        (true, Root::Object) => format!(
            "`object` is null on {operation}, so this always fails at admission. Use \
             `oldObject`."
        ),
        (true, _) => format!(
            "`oldObject` is null on {operation}, so this always fails at admission. Use `object`."
        ),
        (false, _) => format!(
            "`{name}` is null on {operation}, which the rules of the policy match. The \
             expression then fails at admission. Guard it with `{name} != null`, or take \
             {operation} out of the rules."
        ),
    };
    let mut finding = Finding::new(facts.document.range(expression, span), message)
        .upstream(format!("no such key: {}", key(facts, place)?));
    if always {
        finding = finding.severity(Severity::Error);
        let other = if root == Root::Object {
            "oldObject"
        } else {
            "object"
        };
        if let Some(edits) = swapped(facts, place, name, other) {
            finding = finding.maybe_fix(format!("Change to `{other}`"), edits);
        }
        return Some(finding);
    }
    if let Some((index, id)) = place.site.used_at {
        let user = facts.document.expressions().get(index)?;
        let range = facts.document.range(user, user.ast().span(id));
        finding = finding.related(range, "The variable is used here without a guard.");
    }
    let guard = Guard::all(&[format!("{name} != null")]);
    Some(with_guard(
        finding,
        facts,
        expression,
        place.site.id,
        &guard,
    ))
}

fn key(facts: &Facts<'_>, place: Place<'_>) -> Option<String> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    let (key, _) = super::reads::part(expression.ast(), place.site.id)?;
    Some(key.trim_matches(['\'', '"']).to_owned())
}

/// The edits that put the other object in place of this one.
fn swapped(
    facts: &Facts<'_>,
    place: Place<'_>,
    name: &str,
    other: &str,
) -> Option<Vec<text::TextEdit>> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    let ast = expression.ast();
    let uses = ast.idents(ast.root(), &[]);
    let places: Vec<(Span, String)> = uses
        .iter()
        .filter(|used| used.role == IdentRole::Free && ast.name(used.name) == name)
        .filter(|used| matches!(ast.kind(used.id), ExprKind::Ident { .. }))
        .map(|used| (used.name.span, other.to_owned()))
        .collect();
    edits(facts, expression, &places)
}

#[cfg(test)]
mod tests;
