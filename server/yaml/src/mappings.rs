//! Walks over YAML nodes.

use crate::{Mapping, Node, NodeKind};

/// Returns every mapping that is written in `root`, in the order of the file. The target of an
/// alias is visited where it is written, and only there, so aliases cannot make the walk long.
pub fn mappings<'a>(root: Node<'a>) -> impl Iterator<Item = Mapping<'a>> {
    let mut waiting = vec![root];
    std::iter::from_fn(move || {
        loop {
            let node = waiting.pop()?;
            if node.is_alias() {
                continue;
            }
            match node.kind() {
                NodeKind::Scalar(_) => {}
                NodeKind::Sequence(sequence) => waiting.extend(sequence.items().rev()),
                NodeKind::Mapping(mapping) => {
                    waiting.extend(mapping.entries().rev().map(|entry| entry.value));
                    return Some(mapping);
                }
            }
        }
    })
}
