#![doc = include_str!("duplicate_key.md")]

use crate::diagnostics::{Finding, RuleContext, Severity};
use crate::nodes::mappings;
use yaml::{Entry, Mapping, Node};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    for facts in context.policies() {
        let policy = facts.document;
        for mapping in mappings(policy.root()) {
            found.extend(overrides(mapping));
        }
        for mapping in mappings(policy.root()).filter(|mapping| has_duplicate(*mapping)) {
            for (first, second) in mapping.duplicates() {
                // `y:` beside `true:` lacks its quotes, which another rule says.
                if [first.key, second.key].map(Node::text) != [second.key.text(); 2] {
                    continue;
                }
                let key = second.key.key_text();
                let message = format!(
                    "The key `{key}` is in this mapping already. Kubernetes refuses the file, \
                     or reads only the last one."
                );
                let finding = Finding::new(second.key.range(), message)
                    .upstream(format!("key \"{key}\" already set in map"))
                    .related(first.key.range(), format!("the first `{key}`"));
                found.push(match file.editor().remove_entry(first) {
                    Some(edit) => {
                        finding.maybe_fix(format!("Remove the first `{key}`"), vec![edit])
                    }
                    None => finding,
                });
            }
        }
    }
}

/// The keys of a mapping that a merge key sets as well.
fn overrides(mapping: Mapping<'_>) -> impl Iterator<Item = Finding> {
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
            "`<<` sets the key `{key}` as well. Strict decoding of YAML rejects that; otherwise \
             the last one counts."
        );
        let finding = Finding::new(own.key.range(), message)
            .severity(Severity::Information)
            .upstream(format!("key \"{key}\" already set in map"))
            .related(merged.key.range(), format!("the merged `{key}`"));
        Some(finding)
    })
}

/// A quick look, so that no table is made for every mapping of a large schema.
fn has_duplicate(mapping: Mapping<'_>) -> bool {
    // Limit: beyond it comparing each with each costs more than a table.
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
