#![doc = include_str!("duplicate_key.md")]

use super::{Finding, RuleContext};
use crate::nodes::mappings;
use yaml::{Mapping, Node};

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let file = context.file;
    for facts in context.policies() {
        let policy = facts.document;
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
