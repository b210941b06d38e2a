#![doc = include_str!("unknown_field.md")]

use crate::diagnostics::document_facts::{DocumentFacts, is_assertion};
use crate::diagnostics::misplaced::{Meant, Place, other_kind};
use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::file::SourceFile;
use policy::schema::{Mismatch, MismatchKind};
use policy::{FieldPath, PolicyDocument};
use text::TextEdit;
use yaml::edit::replace_word;
use yaml::{Entry, Node};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let mismatches = facts.mismatches.iter();
        let mismatches = mismatches.filter(|mismatch| !is_assertion(mismatch));
        let unknown = mismatches.filter_map(|mismatch| unknown(context.file, facts, mismatch));
        found.extend(unknown.take(context.max_findings()));
    }
}

fn unknown(file: &SourceFile, facts: &DocumentFacts<'_>, mismatch: &Mismatch) -> Option<Finding> {
    let MismatchKind::UnknownField { name, silent, .. } = &mismatch.kind else {
        return None;
    };
    let policy = facts.document;
    let entry = entry(policy, mismatch)?;
    // Another rule explains that `y:` is parsed as `true`.
    if entry.key.text() != name {
        return None;
    }
    let meant = facts.meant.get(&mismatch.node);
    let meant = meant.filter(|meant| is_free(facts, meant));
    let place = parent_in_words(policy, mismatch);
    let hint = match meant {
        Some(meant) => advice(policy, name, meant),
        None => of_other_kind(file, policy, mismatch),
    };
    let mut finding = Finding::new(
        mismatch.range,
        format!("{place} has no field `{name}`.{hint}"),
    );
    finding = if *silent {
        finding.severity(Severity::Warning)
    } else {
        finding.upstream(format!("unknown field \"{}\"", mismatch.path))
    };
    Some(
        match meant.and_then(|meant| fix(file, facts, entry, meant)) {
            Some((title, edits)) => finding.fix(title, edits),
            None => finding,
        },
    )
}

/// Returns whether the place of a field is not taken.
fn is_free(facts: &DocumentFacts<'_>, meant: &Meant) -> bool {
    let path = in_document(facts.document, &meant.owner).child(&meant.name);
    path.resolve(facts.document.root()).missing > 0
}

/// Returns a path in the file as one in the document.
fn in_document(document: &PolicyDocument, path: &FieldPath) -> FieldPath {
    let base = document.base().steps().len();
    path.steps().iter().skip(base).cloned().collect()
}

/// Returns what to write instead, as a sentence after another one.
fn advice(policy: &PolicyDocument, name: &str, meant: &Meant) -> String {
    let right = &meant.name;
    match &meant.place {
        Place::Same => format!(" Did you mean `{right}`?"),
        Place::Below(parent) if right == name => format!(" It belongs below `{parent}`."),
        Place::Below(parent) => format!(" Did you mean `{parent}.{right}`?"),
        Place::Above if meant.owner == *policy.base() => " It belongs at the top level.".to_owned(),
        Place::Above => format!(" It belongs in `{}`.", meant.owner),
    }
}

/// Returns the kind that has the field, as a sentence after another one.
fn of_other_kind(file: &SourceFile, policy: &PolicyDocument, mismatch: &Mismatch) -> String {
    let kind = other_kind(file.project().kinds(), policy, mismatch);
    kind.map_or(String::new(), |kind| format!(" A `{kind}` has this field."))
}

/// Returns the edits that write a field where it belongs.
fn fix(
    file: &SourceFile,
    facts: &DocumentFacts<'_>,
    entry: Entry<'_>,
    meant: &Meant,
) -> Option<(String, Vec<TextEdit>)> {
    let name = &meant.name;
    let object = entry.key.parent()?;
    let editor = file.editor();
    let move_to = |target: Node<'_>| editor.move_entry(entry, name, target.as_mapping()?);
    Some(match &meant.place {
        Place::Same => (
            format!("Rename to `{name}`"),
            vec![replace_word(entry.key, name)?],
        ),
        Place::Below(parent) => {
            let edits = match object.entry(parent) {
                Some(parent) => move_to(parent.value)?,
                None => vec![editor.wrap_entry(entry, name, parent)?],
            };
            (format!("Move below `{parent}`"), edits)
        }
        Place::Above => {
            let owner = in_document(facts.document, &meant.owner);
            let target = owner.resolve(facts.document.root()).node;
            let title = if owner.is_root() {
                "Move to the top level".to_owned()
            } else {
                format!("Move to `{}`", meant.owner)
            };
            (title, move_to(target)?)
        }
    })
}

fn entry<'a>(policy: &'a PolicyDocument, mismatch: &Mismatch) -> Option<Entry<'a>> {
    let value = policy.node(mismatch.node);
    value.parent()?.entry_of(value)
}

/// Returns the parent of the field.
fn parent_in_words(policy: &PolicyDocument, mismatch: &Mismatch) -> String {
    match mismatch.path.parent() {
        Some(parent) if parent != *policy.base() => format!("`{parent}`"),
        _ => format!("`{}`", policy.kind()),
    }
}

#[cfg(test)]
mod tests;
