#![doc = include_str!("namespace_object.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::failing_reads::part;
use crate::diagnostics::guard::{Guard, edits, with_guard};
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::presence::{Case, FieldState, Root, SiteContext, SiteKind, Term};
use cel::syntax::ExprKind;
use kubernetes::names::NAMESPACE_NAME;
use policy::{Expression, Role};
use std::collections::HashSet;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut seen = HashSet::new();
        for place in facts.presence().failure_sites() {
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

/// A read of `namespaceObject`.
struct NamespaceRead<'a> {
    facts: &'a DocumentFacts<'a>,
    place: SiteContext<'a>,
    expression: &'a Expression,
    name: &'a str,
    span: Span,
}

impl NamespaceRead<'_> {
    fn finding(&self, message: impl Into<String>) -> Finding {
        let range = self.facts.document.range(self.expression, self.span);
        Finding::new(range, message).upstream(format!("no such key: {}", self.name))
    }

    fn guarded(&self, finding: Finding, guard: &Guard) -> Finding {
        let id = self.place.site.id;
        with_guard(finding, self.facts, self.expression, id, guard)
    }
}

fn finding<'a>(facts: &'a DocumentFacts<'a>, place: SiteContext<'a>) -> Option<Finding> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    if !facts.is_read(expression) {
        return None;
    }
    let (name, span) = part(expression.ast(), place.site.id)?;
    let read = NamespaceRead {
        facts,
        place,
        expression,
        name: name.trim_matches(['\'', '"']),
        span,
    };
    let of = place.parent(place.site.term)?;
    if matches!(place.term(of), Term::Root(_)) {
        let (message, severity) = null(place, expression.role)?;
        let finding = read.finding(message).severity(severity);
        return Some(match severity {
            Severity::Error => finding,
            _ => read.guarded(finding, &Guard::from_nullable("namespaceObject")),
        });
    }
    // A null object has no fields to guard.
    if expression.role.is_match_condition() {
        return None;
    }
    let (_, fields) = place.fields(place.site.term)?;
    if fields == ["metadata", "UID"] {
        return uid(&read);
    }
    if place.is_present(place.site.term) || !can_be_absent(&fields) || is_selected(place) {
        return None;
    }
    let message = format!(
        "`{}` can be missing from a namespace, in which case the expression fails at admission. \
         Guard it, or provide a default with `?` and `orValue()`.",
        read.name
    );
    let guard = Guard::from_read(expression.ast(), place.site.id)?;
    Some(read.guarded(read.finding(message), &guard))
}

/// Returns the finding about `UID`, which is `uid` at admission.
fn uid(read: &NamespaceRead<'_>) -> Option<Finding> {
    let ast = read.expression.ast();
    let ExprKind::Select { operand, .. } = ast.kind(read.place.site.id) else {
        return None;
    };
    let operand = ast.span(*operand);
    let message = "The field is `UID` for the compiler but `uid` at admission, so this always \
                   fails. Write `dyn(namespaceObject.metadata).uid`.";
    let finding = read.finding(message).severity(Severity::Error);
    let at = |offset| Span::new(offset, offset);
    let changes = [
        (at(operand.start()), "dyn(".to_owned()),
        (at(operand.end()), ")".to_owned()),
        (read.span, "uid".to_owned()),
    ];
    Some(match edits(read.facts, read.expression, &changes) {
        Some(edits) => finding.fix("Change to `dyn(…).uid`", edits),
        None => finding,
    })
}

/// Returns the reason that `namespaceObject` is null, and the severity.
fn null(place: SiteContext<'_>, role: Role) -> Option<(String, Severity)> {
    let of = place.parent(place.site.term)?;
    if place.is_not_null(of) {
        return None;
    }
    // The variables of a policy are not evaluated in match conditions.
    if role.is_match_condition() {
        let message = "`namespaceObject` is null in match conditions, so this always fails at \
                       admission. Use it in a validation, or match with `namespaceSelector`.";
        return Some((message.to_owned(), Severity::Error));
    }
    let is_outside = |case: &Case| {
        let kind = case.kind.as_ref();
        case.namespaced != Some(true) && kind.is_some_and(|kind| !kind.namespaced)
    };
    let kind = place.cases().find(|case| is_outside(case))?.kind.as_ref()?;
    let always = place.cases().all(is_outside);
    let severity = if always {
        Severity::Error
    } else {
        Severity::Warning
    };
    let message = format!(
        "`namespaceObject` is null for cluster-scoped objects such as {}, {} at admission.",
        kind.kind,
        if always {
            "so the expression always fails"
        } else {
            "for which the expression fails"
        }
    );
    Some((message, severity))
}

/// Returns whether `namespaceSelector` matches only namespaces with the label that is read.
fn is_selected(place: SiteContext<'_>) -> bool {
    let case = place.all_cases().first();
    case.is_some_and(|case| place.state(case, place.site.term) == FieldState::Required)
}

/// Returns whether a namespace may lack a field. Every namespace has a label with its name.
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
        ["metadata", "labels", key] => *key != NAMESPACE_NAME,
        ["metadata", "annotations", _] => true,
        ["status", "conditions"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
