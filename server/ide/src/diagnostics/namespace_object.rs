#![doc = include_str!("namespace_object.md")]

use super::facts::Facts;
use super::guard::{Guard, edits, with_guard};
use super::reads::part;
use super::{Finding, RuleContext, Severity};
use crate::flow::{Case, Place, Root, SiteKind, Term};
use cel::syntax::ExprKind;
use policy::Role;
use std::collections::HashSet;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut seen = HashSet::new();
        for place in facts.flow(context.file.project()).places() {
            if place.site.kind != SiteKind::Read
                || place.root_of(place.site.term) != Some(Root::Namespace)
                || seen.contains(&(place.site.expression, place.site.term))
            {
                continue;
            }
            if let Some(finding) = finding(facts, place) {
                seen.insert((place.site.expression, place.site.term));
                found.push(finding);
            }
        }
    }
}

fn finding(facts: &Facts<'_>, place: Place<'_>) -> Option<Finding> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    if !facts.is_read(expression) {
        return None;
    }
    let ast = expression.ast();
    let (name, span) = part(ast, place.site.id)?;
    let plain = name.trim_matches(['\'', '"']);
    let new = |message: String| {
        Finding::new(facts.document.range(expression, span), message)
            .upstream(format!("no such key: {plain}"))
    };
    let of = place.parent(place.site.term)?;
    if matches!(place.term(of), Term::Root(_)) {
        return null(place, expression.role).map(|(message, severity)| {
            let finding = new(message).severity(severity);
            if severity == Severity::Error {
                return finding;
            }
            let guard = Guard::all(&["namespaceObject != null".to_owned()]);
            with_guard(finding, facts, expression, place.site.id, &guard)
        });
    }
    let (_, fields) = place.fields(place.site.term)?;
    if fields == ["metadata", "UID"] {
        let operand = match ast.kind(place.site.id) {
            ExprKind::Select { operand, .. } => ast.span(*operand),
            _ => return None,
        };
        let message = "The compiler calls the field `UID`, but at admission it is `uid`, so this \
                       always fails. Write `dyn(namespaceObject.metadata).uid`.";
        let finding = new(message.to_owned()).severity(Severity::Error);
        let changes = [
            (
                Span::new(operand.start(), operand.start()),
                "dyn(".to_owned(),
            ),
            (Span::new(operand.end(), operand.end()), ")".to_owned()),
            (span, "uid".to_owned()),
        ];
        return Some(match edits(facts, expression, &changes) {
            Some(edits) => finding.fix("Change to `dyn(…).uid`", edits),
            None => finding,
        });
    }
    if place.is_present(place.site.term) || !can_be_absent(&fields) {
        return None;
    }
    let message = format!(
        "A namespace can be without `{plain}`. The expression then fails at admission. Guard it, \
         or give a default with `?` and `orValue()`."
    );
    let text = |span: Span| ast.slice(span);
    let condition = match ast.kind(place.site.id) {
        ExprKind::Select { .. } => format!("has({})", text(ast.span(place.site.id))),
        ExprKind::Index { operand, index, .. } => {
            format!("{} in {}", text(ast.span(*index)), text(ast.span(*operand)))
        }
        _ => return None,
    };
    let guard = Guard::all(&[condition]);
    Some(with_guard(
        new(message),
        facts,
        expression,
        place.site.id,
        &guard,
    ))
}

/// Why `namespaceObject` is null.
fn null(place: Place<'_>, role: Role) -> Option<(String, Severity)> {
    let of = place.parent(place.site.term)?;
    if place.is_not_null(of) {
        return None;
    }
    // The variables of a policy are not evaluated in match conditions.
    if matches!(role, Role::MatchCondition | Role::WebhookMatchCondition) {
        let message = "`namespaceObject` is null in match conditions, so this always fails at \
                       admission. Use it in a validation, or match with `namespaceSelector`.";
        return Some((message.to_owned(), Severity::Error));
    }
    let is_outside = |case: &Case| {
        let kind = case.kind.as_ref();
        case.namespaced != Some(true) && kind.is_some_and(|kind| !kind.namespaced)
    };
    let case = place.cases().find(|case| is_outside(case))?;
    let kind = case.kind.as_ref()?;
    let always = place.cases().all(is_outside);
    let severity = if always {
        Severity::Error
    } else {
        Severity::Warning
    };
    let message = format!(
        "`namespaceObject` is null for objects outside of namespaces, such as {}. The \
         expression {} at admission.",
        kind.kind,
        if always { "always fails" } else { "then fails" }
    );
    Some((message, severity))
}

/// Whether a namespace can lack what is at a path. Every namespace has a label with its name.
fn can_be_absent(fields: &[&str]) -> bool {
    match fields {
        ["metadata", field] => [
            "annotations",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "finalizers",
            "generateName",
            "generation",
            "namespace",
        ]
        .contains(field),
        ["metadata", "labels", key] => *key != "kubernetes.io/metadata.name",
        ["metadata", "annotations", _] => true,
        ["status", "conditions"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
