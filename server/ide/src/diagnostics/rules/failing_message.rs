#![doc = include_str!("failing_message.md")]

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::{Finding, RuleContext, suggested_message};
use crate::file::SourceFile;
use crate::presence::{FieldState, Presence, Root, SiteContext, SiteKind, Term, TermId};
use cel::syntax::ExprKind;
use foldhash::fast::RandomState;
use policy::{Expression, Role};
use std::cell::OnceCell;
use std::collections::HashSet;
use text::TextEdit;
use yaml::NodeId;
use yaml::edit::quoted;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let expressions = facts.document.expressions().iter();
        if !expressions.clone().any(is_message) {
            continue;
        }
        let presence = facts.presence();
        let validated = OnceCell::new();
        let is_validated = |value: &(NodeId, TermId)| {
            let values = validated.get_or_init(|| values_of_validations(facts, presence));
            values.contains(value)
        };
        let mut seen = HashSet::new();
        for place in presence.messages() {
            // An expression that fails has one message, regardless of other failures in it.
            let message = place
                .site
                .used_at
                .map_or(place.site.expression, |(at, _)| at);
            if seen.contains(&message) {
                continue;
            }
            if let Some(finding) = finding(context.file, facts, is_validated, place, message) {
                seen.insert(message);
                found.push(finding);
            }
        }
        found.truncate(context.max_findings());
    }
}

fn finding(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    is_validated: impl Fn(&(NodeId, TermId)) -> bool,
    place: SiteContext<'_>,
    index: usize,
) -> Option<Finding> {
    let message = facts.document.expressions().get(index)?;
    if facts.document.validation(message).message_entry().is_some() || !facts.is_read(message) {
        return None;
    }
    let reason = reason(facts, place)?;
    if is_validated(&(message.owner, place.site.term)) {
        return None;
    }
    let expression = facts.document.expressions().get(place.site.expression)?;
    let ast = expression.ast();
    let span = match ast.kind(place.site.id) {
        ExprKind::Select { field, .. } => field.span,
        _ => ast.span(place.site.id),
    };
    let fallback = match message.role.schema() {
        Some(_) => "failed rule",
        None => "failed expression",
    };
    let text = format!(
        "{reason}, so the message expression can fail, in which case users see `{fallback}: …`. \
         Add a `message`."
    );
    let finding = Finding::new(facts.document.range(expression, span), text);
    Some(match with_message(file, facts, message) {
        Some(edit) => finding.unsafe_fix("Add a `message`", vec![edit]),
        None => finding,
    })
}

fn is_message(expression: &Expression) -> bool {
    use Role as R;
    matches!(
        expression.role,
        R::MessageExpression | R::CrdMessageExpression { .. }
    )
}

/// Returns the reason that a site can fail. `None` if it cannot.
fn reason(facts: &DocumentFacts<'_>, place: SiteContext<'_>) -> Option<String> {
    let term = place.site.term;
    if place.site.kind != SiteKind::Read || place.is_present(term) {
        return None;
    }
    let root = place.root_of(term)?;
    let of = place.parent(term)?;
    let is_whole = matches!(place.term(of), Term::Root(Root::Object | Root::OldObject));
    if is_whole && !place.is_not_null(of) && !place.is_operation_vague() {
        let mut missing = place.cases().filter(|case| !case.has(root));
        if let Some(case) = missing.next() {
            let operation = case.operation.as_str();
            return Some(format!("`{}` is null on {operation}", root.name()));
        }
    }
    if matches!(root, Root::Request | Root::Namespace) {
        return None;
    }
    let mut cases = place.cases().filter(|case| case.has(root));
    let is_optional = cases.any(|case| {
        matches!(
            place.state(case, term),
            FieldState::Optional | FieldState::Key
        )
    });
    let expression = facts.document.expressions().get(place.site.expression)?;
    let name = match expression.ast().kind(place.site.id) {
        ExprKind::Select { field, .. } => expression.ast().name(*field),
        ExprKind::Index { index, .. } => expression.ast().slice(expression.ast().span(*index)),
        _ => return None,
    };
    is_optional.then(|| format!("`{name}` may be missing"))
}

/// Returns the values that each validation reads, by the owner of its expression. A message is
/// evaluated only if its validation did not fail, so they are present.
fn values_of_validations(
    facts: &DocumentFacts<'_>,
    presence: &Presence,
) -> HashSet<(NodeId, TermId), RandomState> {
    let places = presence
        .failure_sites()
        .chain(presence.rule_failure_sites());
    let values = places.filter_map(|place| {
        let index = place
            .site
            .used_at
            .map_or(place.site.expression, |(at, _)| at);
        let expression = facts.document.expressions().get(index)?;
        let is_validation = matches!(expression.role, Role::Validation | Role::CrdRule { .. });
        is_validation.then_some((expression.owner, place.site.term))
    });
    values.collect()
}

/// Returns the edit that adds a plain message after the expression.
fn with_message(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    message: &Expression,
) -> Option<TextEdit> {
    let validation = facts.document.validation(message);
    let text = suggested_message(validation, message.role.schema().is_some());
    let owner = validation.node().as_mapping()?;
    file.editor().add_entry(owner, "message", &quoted(&text))
}

#[cfg(test)]
mod tests;
