//! `auditAnnotations` of a policy.

use super::expression_list::List;
use crate::expression::Role;
use yaml::Node;

/// The list of a policy.
pub(super) const AUDIT_ANNOTATIONS: List = List {
    field: "auditAnnotations",
    name: Some("key"),
    expressions: &[(&["valueExpression"], Role::AuditAnnotation)],
};

/// Returns `key` of an audit annotation.
pub(crate) fn audit_annotation_key(node: Node<'_>) -> Option<&str> {
    node.get("key")?.as_str()
}
