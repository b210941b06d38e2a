//! Fields of a value that the server would prune.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/pruning/algorithm.go.

use crate::json_schema::JsonSchema;
use kubernetes::entries;
use yaml::{Node, NodeKind};

/// The fields of a resource that no schema need declare.
pub(super) const METADATA: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Returns whether a value has a field that its schema does not declare. `values` is the remaining
/// number of values to visit.
pub(super) fn has_unknown(
    node: Node<'_>,
    schema: JsonSchema<'_>,
    is_resource: bool,
    values: &mut usize,
) -> bool {
    inside(node, Some(schema), is_resource, values)
}

fn inside(
    node: Node<'_>,
    schema: Option<JsonSchema<'_>>,
    is_resource: bool,
    values: &mut usize,
) -> bool {
    let Some(rest) = values.checked_sub(1) else {
        return false;
    };
    *values = rest;
    let is_resource =
        is_resource || schema.is_some_and(|it| it.flag("x-kubernetes-embedded-resource"));
    let keeps = schema.is_some_and(|it| it.flag("x-kubernetes-preserve-unknown-fields"));
    match node.kind() {
        NodeKind::Scalar(_) => false,
        NodeKind::Sequence(sequence) => {
            let items = schema.and_then(|schema| schema.schema("items"));
            let keeps = keeps && items.is_none();
            !keeps
                && sequence
                    .items()
                    .any(|item| inside(item, items, false, values))
        }
        NodeKind::Mapping(mapping) => entries(mapping).any(|entry| {
            let name = entry.key.key_text();
            let Some(schema) = schema else {
                return true;
            };
            if is_resource && METADATA.contains(&name.as_ref()) {
                return false;
            }
            match schema.property(&name) {
                Some(property) => inside(entry.value, Some(property), false, values),
                None if schema.has("additionalProperties") => {
                    let of_values = schema.schema("additionalProperties");
                    inside(entry.value, of_values, false, values)
                }
                None => !keeps,
            }
        }),
    }
}
