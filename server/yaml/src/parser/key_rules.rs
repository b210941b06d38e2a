//! Keys of mappings and merged values that Kubernetes rejects.
//!
//! Upstream: go.yaml.in/yaml/v2, decode.go, mapping and merge; kubernetes-sigs/yaml,
//! yaml.go, convertToJSONableObject.

use crate::error::SyntaxErrorKind;
use crate::stream::{Node, NodeKind, Scalar, Stream};
use crate::value::Value;
use text::TextRange;

/// Returns whether a key is a merge key.
pub(super) fn is_merge(stream: &Stream, key: u32) -> bool {
    let scalar = Node::new(stream, key).as_scalar();
    scalar.is_some_and(Scalar::is_merge_key)
}

/// Returns the error of an entry of a mapping. `keyless` means that a missing key of the
/// mapping was reported.
pub(super) fn check(
    stream: &Stream,
    keyless: bool,
    key: u32,
    value: u32,
) -> Option<(TextRange, SyntaxErrorKind)> {
    let key = Node::new(stream, key);
    let scalar = match key.kind() {
        NodeKind::Scalar(scalar) => scalar,
        NodeKind::Mapping(_) | NodeKind::Sequence(_) => {
            return Some((key.range(), SyntaxErrorKind::BadKey));
        }
    };
    if scalar.is_merge_key() {
        let value = Node::new(stream, value);
        let is_wrong = !is_unresolved(value) && !can_merge(value);
        return is_wrong.then(|| (value.range(), SyntaxErrorKind::BadMerge));
    }
    match scalar.value() {
        Value::Null if keyless && key.range().is_empty() => None,
        Value::Null | Value::Uint(_) => Some((key.range(), SyntaxErrorKind::BadKey)),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str => None,
    }
}

/// Returns whether a value is a mapping, or a list of mappings that is not an alias itself.
fn can_merge(value: Node<'_>) -> bool {
    match value.kind() {
        NodeKind::Mapping(_) => true,
        NodeKind::Sequence(sequence) => {
            let is_mapping = |item: Node<'_>| item.as_mapping().is_some() || is_unresolved(item);
            !value.is_alias() && sequence.items().all(is_mapping)
        }
        NodeKind::Scalar(_) => false,
    }
}

/// Returns whether the node is an alias without a target, which was reported.
fn is_unresolved(node: Node<'_>) -> bool {
    !node.is_alias() && node.text().is_empty() && node.is_written_as_alias()
}
