#![doc = include_str!("absent_request_field.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::failing_reads::part;
use crate::diagnostics::guard::{Guard, edits, with_guard};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::{Case, Root, SiteContext, SiteKind};
use admission::Operation;
use cel::syntax::ExprKind;
use std::collections::HashSet;
use text::Span;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mut seen = HashSet::new();
        for place in facts.presence().failure_sites() {
            let Some(reason) = missing_if(place) else {
                continue;
            };
            if seen.insert((place.site.expression, place.site.term)) {
                found.extend(finding(facts, place, reason));
            }
        }
    }
}

/// Returns the condition under which a field of the request is missing. `None` if it is present.
fn missing_if(place: SiteContext<'_>) -> Option<&'static str> {
    if place.site.kind != SiteKind::Read || place.is_present(place.site.term) {
        return None;
    }
    let (Root::Request, fields) = place.fields(place.site.term)? else {
        return None;
    };
    let has_no_subresource = |case: &Case| {
        case.kind
            .as_ref()
            .is_some_and(|kind| kind.subresource.is_none())
    };
    let is_cluster_scoped = |case: &Case| {
        let kind = case.kind.as_ref();
        // The namespace of a Namespace is its name.
        case.namespaced != Some(true)
            && kind.is_some_and(|kind| !kind.namespaced && kind.plural != "namespaces")
    };
    Some(match fields.as_slice() {
        ["subResource" | "requestSubResource"] => {
            place.cases().find(|case| has_no_subresource(case))?;
            "the request is for the object itself"
        }
        ["namespace"] => {
            place.cases().find(|case| is_cluster_scoped(case))?;
            "the object is cluster-scoped"
        }
        ["name"] => {
            let creates = |case: &&Case| case.operation == Operation::Create;
            place
                .cases()
                .filter(creates)
                .find(|case| has_no_subresource(case))?;
            "the object is created with `metadata.generateName`"
        }
        ["userInfo", "extra"] => "the user has no extra fields",
        ["userInfo", "uid"] => "the user has no UID, as with client certificates",
        ["userInfo", "extra", _] if place.is_present(place.parent(place.site.term)?) => {
            "the user has no extra field of this name"
        }
        _ => return None,
    })
}

fn finding(facts: &DocumentFacts<'_>, place: SiteContext<'_>, reason: &str) -> Option<Finding> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    if !facts.is_read(expression) {
        return None;
    }
    let ast = expression.ast();
    let (name, span) = part(ast, place.site.id)?;
    let message = format!(
        "`{name}` is missing if {reason}, so the expression can fail at admission. Read it with \
         `?` and `orValue()`."
    );
    let plain = name.trim_matches(['\'', '"']);
    let mut finding = Finding::new(facts.document.range(expression, span), message)
        .upstream(format!("no such key: {plain}"));
    let fields = place.fields(place.site.term)?.1;
    let default = match fields.as_slice() {
        ["userInfo", "extra"] => "{}",
        ["userInfo", "extra", _] => "[]",
        _ => "''",
    };
    if let Some(edits) = with_optional(facts, place, default) {
        let title = format!("Read it with `?` and `.orValue({default})`");
        finding = finding.unsafe_fix(title, edits);
    }
    let guard = Guard::from_read(ast, place.site.id)?;
    Some(with_guard(
        finding,
        facts,
        expression,
        place.site.id,
        &guard,
    ))
}

/// Returns the edits that read the field as an optional value.
fn with_optional(
    facts: &DocumentFacts<'_>,
    place: SiteContext<'_>,
    default: &str,
) -> Option<Vec<text::TextEdit>> {
    let expression = facts.document.expressions().get(place.site.expression)?;
    let ast = expression.ast();
    let at = match ast.kind(place.site.id) {
        ExprKind::Select { operator, .. } => operator.end(),
        ExprKind::Index { brackets, .. } => brackets.start() + 1,
        _ => return None,
    };
    let parents = crate::diagnostics::parents(ast);
    if crate::diagnostics::guard::chain_end(ast, &parents, place.site.id) != place.site.id {
        return None;
    }
    let after = ast.span(place.site.id).end();
    let changes = [
        (Span::new(at, at), "?".to_owned()),
        (Span::new(after, after), format!(".orValue({default})")),
    ];
    edits(facts, expression, &changes)
}

#[cfg(test)]
mod tests;
