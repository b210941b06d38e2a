//! Which properties an object has when the rules of its definition are evaluated.
//!
//! A property with a default is present, and so is a required one. Null counts as absent.
//! Constraints on presence in `allOf`, `anyOf`, `oneOf` and `not` depend on other properties, and
//! so does `minProperties`: such a property counts as required, since an author who reads the
//! property checks the others first.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/registry/customresource/strategy.go,
//! Validate: no rule runs where a required property is missing; kubernetes/apiserver,
//! pkg/cel/common/valuesunstructured.go, unstructuredMap.Find.

use crate::entries::entries;
use std::collections::HashSet;
use yaml::{Node, NodeKind};

/// Limit: nodes of one definition, aliases followed. Objects in etcd have at most 1.5 MiB and far
/// fewer nodes.
const MAX_NODES: usize = 200_000;

/// Limit: nesting of nodes. Deeper schemas are rejected anyway.
const MAX_DEPTH: usize = 400;

/// The names in `required` of every schema within a junctor.
pub(super) struct NamesInJunctors {
    found: HashSet<String>,
    /// The remaining number of nodes.
    left: usize,
}

impl Default for NamesInJunctors {
    fn default() -> Self {
        Self {
            found: HashSet::new(),
            left: MAX_NODES,
        }
    }
}

impl NamesInJunctors {
    /// Reads a schema with everything inside it. `None` if this definition is too large or nested
    /// too deeply.
    pub(super) fn read(&mut self, schema: Node<'_>) -> Option<&HashSet<String>> {
        self.found.clear();
        self.visit(schema, false, 0)?;
        Some(&self.found)
    }

    fn visit(&mut self, node: Node<'_>, is_within: bool, depth: usize) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        match node.kind() {
            NodeKind::Scalar(_) => {}
            NodeKind::Sequence(sequence) => {
                for item in sequence.items() {
                    self.visit(item, is_within, depth + 1)?;
                }
            }
            NodeKind::Mapping(mapping) => {
                for entry in entries(mapping) {
                    let name = entry.key.text();
                    if is_within && name == "required" {
                        let names = entry.value.as_sequence().into_iter();
                        let names = names.flat_map(yaml::Sequence::items);
                        self.found
                            .extend(names.filter_map(Node::as_str).map(str::to_owned));
                    }
                    let is_junctor = matches!(name, "allOf" | "anyOf" | "oneOf" | "not");
                    self.visit(entry.value, is_within || is_junctor, depth + 1)?;
                }
            }
        }
        Some(())
    }
}
