#![doc = include_str!("unknown_field.md")]

use crate::diagnostics::document_facts::{is_assertion, owner};
use crate::diagnostics::{Finding, MAX_FINDINGS, RuleContext, Severity};
use policy::PolicyDocument;
use policy::schema::{Mismatch, MismatchKind};
use yaml::Entry;
use yaml::edit::replace_word;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let policy = facts.document;
        let mismatches = facts.mismatches.iter();
        let mismatches = mismatches.filter(|mismatch| !is_assertion(mismatch));
        let unknown = mismatches.filter_map(|mismatch| unknown(policy, mismatch));
        found.extend(unknown.take(MAX_FINDINGS));
    }
}

fn unknown(policy: &PolicyDocument, mismatch: &Mismatch) -> Option<Finding> {
    let MismatchKind::UnknownField {
        name,
        nearest,
        silent,
        ..
    } = &mismatch.kind
    else {
        return None;
    };
    let entry = entry(policy, mismatch)?;
    // Another rule explains that `y:` is parsed as `true`.
    if entry.key.text() != name {
        return None;
    }
    let nearest = nearest.filter(|nearest| {
        let owner = entry.key.parent().and_then(|owner| owner.entry(nearest));
        owner.is_none()
    });
    let place = parent_in_words(policy, mismatch);
    let hint = nearest.map_or(String::new(), |nearest| {
        format!(" Did you mean `{nearest}`?")
    });
    let mut finding = Finding::new(
        mismatch.range,
        format!("{place} has no field `{name}`.{hint}"),
    );
    finding = if *silent {
        finding.severity(Severity::Warning)
    } else {
        finding.upstream(format!("unknown field \"{}\"", mismatch.path))
    };
    let edit = nearest.and_then(|nearest| replace_word(entry.key, nearest));
    Some(match (nearest, edit) {
        (Some(nearest), Some(edit)) => finding.fix(format!("Rename to `{nearest}`"), vec![edit]),
        _ => finding,
    })
}

fn entry<'a>(policy: &'a PolicyDocument, mismatch: &Mismatch) -> Option<Entry<'a>> {
    let value = policy.node(mismatch.node);
    value.parent()?.entry_of(value)
}

/// Returns the parent of the field.
fn parent_in_words(policy: &PolicyDocument, mismatch: &Mismatch) -> String {
    match owner(&mismatch.path) {
        Some(parent) if parent != *policy.base() => format!("`{parent}`"),
        _ => format!("`{}`", policy.kind()),
    }
}

#[cfg(test)]
mod tests;
