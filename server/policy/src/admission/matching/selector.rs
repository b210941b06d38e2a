//! Label selectors.
//!
//! Upstream: kubernetes/apimachinery, pkg/labels/selector.go, Requirement.Matches.

use super::strings;
use cel::Value;
use cel::value::Map;
use yaml::{Node, Sequence};

/// Whether labels fit a selector. An empty one fits everything.
pub(super) fn matches(selector: Node<'_>, labels: Option<&Map>) -> bool {
    let label = |key: &str| labels?.get_str(key).and_then(Value::as_str);
    let wanted = selector.get("matchLabels").and_then(Node::as_mapping);
    let entries = wanted.into_iter().flat_map(yaml::Mapping::entries);
    let expressions = selector.get("matchExpressions").and_then(Node::as_sequence);
    let mut expressions = expressions.into_iter().flat_map(Sequence::items);
    entries
        .into_iter()
        .all(|entry| label(&entry.key.key_text()) == entry.value.as_str())
        && expressions.all(|requirement| {
            let key = requirement.get("key").map_or("", Node::text);
            fits(requirement, label(key))
        })
}

fn fits(requirement: Node<'_>, label: Option<&str>) -> bool {
    let listed = |label: &str| strings(requirement.get("values")).any(|value| value == label);
    match requirement.get("operator").and_then(Node::as_str) {
        Some("In") => label.is_some_and(listed),
        Some("NotIn") => !label.is_some_and(listed),
        Some("Exists") => label.is_some(),
        Some("DoesNotExist") => label.is_none(),
        _ => false,
    }
}
