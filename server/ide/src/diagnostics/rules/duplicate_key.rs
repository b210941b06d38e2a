#![doc = include_str!("duplicate_key.md")]

use crate::diagnostics::{Finding, RuleContext, Severity};
use yaml::mappings;
use yaml::{Entry, Mapping, Node};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    for facts in context.policies() {
        let policy = facts.document;
        for mapping in mappings(policy.root()) {
            found.extend(merge_overrides(mapping));
        }
        for mapping in mappings(policy.root()).filter(|mapping| may_have_duplicates(*mapping)) {
            for (first, second) in mapping.duplicates() {
                // The key `y:` next to `true:` lacks quotes, which `implicit-type` reports.
                if [first.key, second.key].map(Node::text) != [second.key.text(); 2] {
                    continue;
                }
                let key = second.key.key_text();
                let message = format!(
                    "Duplicate key `{key}`. Kubernetes rejects the file, or uses only the last \
                     value."
                );
                let finding = Finding::new(second.key.range(), message)
                    .upstream(format!("key \"{key}\" already set in map"))
                    .related(first.key.range(), format!("the first `{key}`"));
                found.push(match file.editor().remove_entry(first) {
                    Some(edit) => {
                        finding.unsafe_fix(format!("Remove the first `{key}`"), vec![edit])
                    }
                    None => finding,
                });
            }
        }
    }
}

/// Reports the keys of a mapping that a merge key also sets.
fn merge_overrides(mapping: Mapping<'_>) -> impl Iterator<Item = Finding> {
    let is_own = move |entry: &Entry<'_>| {
        let mut entries = mapping.entries();
        entries.any(|own| own.key.id() == entry.key.id())
    };
    mapping.overrides().into_iter().filter_map(move |pair| {
        let (own, merged) = match (is_own(&pair.0), is_own(&pair.1)) {
            (true, _) => pair,
            (false, true) => (pair.1, pair.0),
            (false, false) => return None,
        };
        let key = own.key.key_text();
        let message = format!(
            "`<<` also sets the key `{key}`. Strict YAML decoding rejects this; otherwise the last \
             value is used."
        );
        let finding = Finding::new(own.key.range(), message)
            .severity(Severity::Information)
            .upstream(format!("key \"{key}\" already set in map"))
            .related(merged.key.range(), format!("the merged `{key}`"));
        Some(finding)
    })
}

/// Returns whether a mapping may have duplicate keys. Avoids a table for every mapping of a large
/// schema.
fn may_have_duplicates(mapping: Mapping<'_>) -> bool {
    // Limit: above this size, comparing all pairs costs more than a table.
    const FEW: usize = 16;
    let mut entries = mapping.entries();
    if entries.len() > FEW {
        return true;
    }
    while let Some(entry) = entries.next() {
        let key = entry.key.key_text();
        if entries.clone().any(|other| other.key.key_text() == key) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
