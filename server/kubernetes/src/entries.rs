//! The entries of a mapping as the API server sees them.
//!
//! Merge keys are rare and cost a table, so a mapping without one is read as written.

use yaml::{Entry, Mapping};

/// Returns the entries of a mapping, with merge keys replaced by the entries that they merge.
/// Duplicate keys are all returned if there is no merge key.
pub fn entries(mapping: Mapping<'_>) -> impl Iterator<Item = Entry<'_>> {
    let merges = mapping.has_merge_key();
    let merged = merges.then(|| mapping.merged());
    let written = (!merges).then(|| mapping.entries());
    merged
        .into_iter()
        .flatten()
        .chain(written.into_iter().flatten())
}
