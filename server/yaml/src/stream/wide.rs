//! The entries of wide mappings by key.
//!
//! A schema with thousands of properties is searched for each of them. A scan of all keys for
//! each search would take quadratic time.

use super::{Entry, Mapping, Node, NodeKind, Stream};
use std::collections::HashMap;

/// The number of entries above which a mapping has a table. A scan of fewer is as fast.
pub(super) const WIDE: usize = 32;

/// The entries of every wide mapping of a stream.
#[derive(Debug, Default)]
pub(super) struct WideMappings {
    /// The key and the value of the last entry of each key, by mapping.
    mappings: HashMap<u32, HashMap<Box<str>, (u32, u32)>>,
}

impl WideMappings {
    pub(super) fn new(stream: &Stream) -> Self {
        let nodes = (0..stream.tree.len()).map(|index| Node::new(stream, index));
        let mappings = nodes.filter_map(|node| match node.kind() {
            NodeKind::Mapping(mapping) if !node.is_alias() && mapping.is_wide() => Some(mapping),
            _ => None,
        });
        let table = |mapping: Mapping<'_>| {
            let entries = mapping.entries().filter(|it| it.key.as_scalar().is_some());
            let entry = |it: Entry<'_>| (it.key.key_text().into(), (it.key.index, it.value.index));
            (mapping.node().index, entries.map(entry).collect())
        };
        Self {
            mappings: mappings.map(table).collect(),
        }
    }

    /// Returns the entry of a key of a wide mapping.
    pub(super) fn entry<'a>(&self, mapping: Mapping<'a>, key: &str) -> Option<Entry<'a>> {
        let node = mapping.node();
        let (key, value) = *self.mappings.get(&node.index)?.get(key)?;
        Some(Entry {
            key: Node::new(node.stream, key),
            value: Node::new(node.stream, value),
        })
    }
}
