//! What Kubernetes refuses as a key of a mapping or as a value to merge.
//!
//! Upstream: go.yaml.in/yaml/v2, decode.go, mapping and merge; kubernetes-sigs/yaml,
//! yaml.go, convertToJSONableObject.

use crate::error::SyntaxErrorKind;
use crate::node::{Node, NodeKind};
use crate::stream::Stream;
use crate::value::Value;
use text::TextRange;

/// What is wrong with an entry of a mapping. `keyless` tells that the mapping lacks a key,
/// which was reported.
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
        // An alias that could not be resolved was reported.
        let is_known = value.is_alias() || !stream.slice(value.range()).starts_with('*');
        let is_wrong = is_known && !can_merge(value);
        return is_wrong.then(|| (value.range(), SyntaxErrorKind::BadMerge));
    }
    match scalar.value() {
        Value::Null if keyless && key.range().is_empty() => None,
        Value::Null | Value::Uint(_) => Some((key.range(), SyntaxErrorKind::BadKey)),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str => None,
    }
}

/// Whether a value is a mapping, or a list of mappings that is no alias itself.
fn can_merge(value: Node<'_>) -> bool {
    match value.kind() {
        NodeKind::Mapping(_) => true,
        NodeKind::Sequence(sequence) => {
            !value.is_alias() && sequence.items().all(|item| item.as_mapping().is_some())
        }
        NodeKind::Scalar(_) => false,
    }
}
