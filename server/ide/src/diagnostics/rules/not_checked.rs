#![doc = include_str!("not_checked.md")]

use crate::diagnostics::document_facts::{DocumentFacts, is_assertion};
use crate::diagnostics::placeholder::certain_errors;
use crate::diagnostics::{Finding, RuleContext};
use policy::{Expression, Kind, Unsupported};
use text::TextRange;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    found.extend(unsupported(context.file.unsupported()));
    for facts in context.policies() {
        found.extend(patch(facts));
        found.extend(assertion(facts));
        found.extend(placeholders(facts));
    }
}

/// Reports all unsupported documents of a file in one finding, at the first.
fn unsupported(documents: &[Unsupported]) -> Option<Finding> {
    let (first, others) = documents.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        1 => " Another document in this file is not checked either.".to_owned(),
        more => format!(" {more} more documents in this file are not checked either."),
    };
    let Unsupported { group, kind, range } = first;
    let message =
        format!("CEL in `{kind}` of `{group}` is not supported yet, so it is not checked.{others}");
    Some(Finding::new(*range, message))
}

/// Reports a document that lacks fields of every complete document.
fn patch(facts: &DocumentFacts<'_>) -> Option<Finding> {
    let document = facts.document;
    let kind = document.kind();
    let reason = match kind {
        _ if !document.is_patch() => return None,
        Kind::CustomResourceDefinition => "it has neither `spec.group` nor `spec.names`",
        _ => "no webhook has `clientConfig`, `sideEffects` or `admissionReviewVersions`",
    };
    let message = format!(
        "This document looks like a patch, because {reason}. Only its expressions and the types \
         of its fields are checked, not what the API server requires of a `{kind}`."
    );
    Some(Finding::new(document.kind_range(), message))
}

/// Reports the field of an assertion in a Chainsaw test.
fn assertion(facts: &DocumentFacts<'_>) -> Option<Finding> {
    let mismatch = facts.mismatches.iter().find(|it| is_assertion(it))?;
    let message = "This document looks like a test assertion, because it has a field in \
                   parentheses. What the API server requires of it is not checked.";
    Some(Finding::new(mismatch.range, message))
}

/// Reports values that Kubernetes rejects, but that a template may replace, in one finding at the
/// first value of a document.
fn placeholders(facts: &DocumentFacts<'_>) -> Option<Finding> {
    let document = facts.document;
    let broken = document.expressions().iter().filter(|it| !it.parse.is_ok());
    let (open, certain): (Vec<_>, Vec<_>) = broken.partition(|it| certain_errors(it).is_empty());
    let range = |it: &Expression| document.node(it.node).range();
    let certain: Vec<TextRange> = certain.into_iter().map(range).collect();
    let placeholders = facts.placeholders.iter().copied();
    let mut all: Vec<TextRange> = placeholders
        .filter(|place| !certain.contains(place))
        .chain(open.into_iter().map(range))
        .collect();
    all.sort_by_cached_key(|range| (range.start(), range.end()));
    all.dedup();
    let (first, others) = all.split_first()?;
    let subject = match others.len() {
        0 => "This value".to_owned(),
        1 => "This value and another".to_owned(),
        more => format!("This value and {more} others"),
    };
    let verb = if others.is_empty() { "is" } else { "are" };
    let message = format!(
        "{subject} in this document {verb} not checked: Kubernetes rejects `{{{{ … }}}}` here, \
         but a template may replace it. Render the document and check the result."
    );
    Some(Finding::new(*first, message))
}

#[cfg(test)]
mod tests;
