//! Merge keys and duplicate keys.
//!
//! Kubernetes' reader writes the entries of a mapping one after the other, and a merge key
//! writes those of the merged mappings at its own position. The last one written wins, so a
//! merge key placed after a key of the same name replaces it. The YAML specification differs,
//! but this is what the API server receives.
//!
//! Upstream: go.yaml.in/yaml/v2, decode.go, mapping and merge.

use crate::stream::{Entry, Mapping, Node, NodeKind};
use std::collections::HashMap;

/// Limit: merges within merges; no real file nests them deeper, and aliases could make
/// the walk exponential.
const MAX_MERGES: usize = 1_000;

impl<'a> Mapping<'a> {
    /// Returns the entries that Kubernetes sees: merge keys are replaced by the entries that
    /// they merge, and of several entries of one key only the last is kept, at the position of
    /// the first.
    #[must_use]
    pub fn merged(self) -> Vec<Entry<'a>> {
        let mut found: Vec<Entry<'a>> = Vec::new();
        let mut places = HashMap::new();
        self.visit(&mut |entry| {
            let place = *places.entry(entry.key.key_text()).or_insert(found.len());
            match found.get_mut(place) {
                Some(before) => *before = entry,
                None => found.push(entry),
            }
        });
        found
    }

    /// Returns the entry of a key, given as written in JSON. If there are several, the last one
    /// wins, merged entries included, as in Kubernetes.
    #[must_use]
    pub fn entry(self, key: &str) -> Option<Entry<'a>> {
        if !self.has_merge_key() {
            return self.own_entry(key);
        }
        let mut found = None;
        self.visit(&mut |entry| {
            if entry
                .key
                .as_scalar()
                .is_some_and(|scalar| scalar.is_key(key))
            {
                found = Some(entry);
            }
        });
        found
    }

    /// Returns the value of a key; see [`Mapping::entry`].
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        self.entry(key).map(|entry| entry.value)
    }

    /// Returns pairs of entries of the mapping itself that have the same key in JSON: the first,
    /// and each one that repeats it. Strict decoding rejects the second.
    #[must_use]
    pub fn duplicates(self) -> Vec<(Entry<'a>, Entry<'a>)> {
        let mut first: HashMap<_, Entry<'a>> = HashMap::new();
        let mut found = Vec::new();
        for entry in self.entries() {
            let scalar = entry.key.as_scalar();
            if scalar.is_none() || entry.is_merge() {
                continue;
            }
            match first.entry(entry.key.key_text()) {
                std::collections::hash_map::Entry::Occupied(before) => {
                    found.push((*before.get(), entry));
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(entry);
                }
            }
        }
        found
    }

    /// Returns pairs of entries that Kubernetes' reader sets under one key, at least one of which
    /// is merged: the first, and each one that sets the key again. Strict decoding rejects the
    /// second.
    #[must_use]
    pub fn overrides(self) -> Vec<(Entry<'a>, Entry<'a>)> {
        if !self.has_merge_key() {
            return Vec::new();
        }
        let mut first: HashMap<_, Entry<'a>> = HashMap::new();
        let mut found = Vec::new();
        self.visit(&mut |entry| {
            let before = *first.entry(entry.key.key_text()).or_insert(entry);
            if before.key.id() != entry.key.id() {
                found.push((before, entry));
            }
        });
        let is_own = |entry: &Entry<'a>| self.entries().any(|own| own.key.id() == entry.key.id());
        found.retain(|(before, again)| !is_own(before) || !is_own(again));
        found
    }

    /// Calls `write` for every entry, in the order in which Kubernetes' reader sets them.
    fn visit(self, write: &mut dyn FnMut(Entry<'a>)) {
        if !self.has_merge_key() {
            self.entries().for_each(write);
            return;
        }
        // An explicit stack, last in first out, so that depth costs no call frames.
        let mut waiting = vec![MergeStep::Mapping(self)];
        let mut budget = MAX_MERGES;
        while let Some(step) = waiting.pop() {
            match step {
                MergeStep::Entry(entry) if !entry.is_merge() => write(entry),
                MergeStep::Entry(entry) => waiting.extend(merged_mappings(entry.value)),
                MergeStep::Mapping(mapping) => {
                    let Some(rest) = budget.checked_sub(1) else {
                        return;
                    };
                    budget = rest;
                    waiting.extend(mapping.entries().rev().map(MergeStep::Entry));
                }
            }
        }
    }
}

enum MergeStep<'a> {
    Entry(Entry<'a>),
    Mapping(Mapping<'a>),
}

/// Returns the mappings that a merge key names, the last written one first: earlier items of a list
/// win.
fn merged_mappings(value: Node<'_>) -> Vec<MergeStep<'_>> {
    match value.kind() {
        NodeKind::Mapping(mapping) => vec![MergeStep::Mapping(mapping)],
        NodeKind::Sequence(sequence) => sequence
            .items()
            .filter_map(Node::as_mapping)
            .map(MergeStep::Mapping)
            .collect(),
        NodeKind::Scalar(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
