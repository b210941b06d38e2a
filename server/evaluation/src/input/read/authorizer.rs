//! `authorizer`: a list of decisions.
//!
//! Upstream: kubernetes/api, authorization/v1/types.go, ResourceAttributes and
//! NonResourceAttributes, for the words.

use super::super::error::{InputErrorKind, StructureError};
use super::Reader;
use admission::{AuthorizerRow, AuthorizerTable, RowAnswer};
use yaml::Node;

pub(super) const KEYS: &[&str] = &[
    "user",
    "verb",
    "group",
    "resource",
    "subresource",
    "namespace",
    "name",
    "path",
    "decision",
    "reason",
];

pub(super) const ANSWERS: &[&str] = &["allow", "deny", "noOpinion", "error"];

impl Reader<'_> {
    /// The table that a value is.
    pub(in crate::input) fn authorizer(&mut self, node: Node<'_>) -> AuthorizerTable {
        let rows = self.list(node, "authorizer");
        let rows = rows.into_iter().flat_map(yaml::Sequence::items);
        AuthorizerTable {
            rows: rows.filter_map(|row| self.row(row)).collect(),
            is_complete: true,
            ..AuthorizerTable::default()
        }
    }

    fn row(&mut self, node: Node<'_>) -> Option<AuthorizerRow> {
        let mapping = self.mapping(node, "authorizer")?;
        self.check_keys(mapping, KEYS, &[], |_| None);
        let decision = mapping.get("decision").filter(|node| !node.is_null());
        let Some(decision) = decision else {
            self.error(node, InputErrorKind::Structure(StructureError::NoAnswer));
            return None;
        };
        let answer = match self.word(decision, "decision", ANSWERS)? {
            "allow" => RowAnswer::Allow,
            "deny" => RowAnswer::Deny,
            "error" => RowAnswer::Error,
            _ => RowAnswer::NoOpinion,
        };
        let mut text = |key| self.text(mapping, key).unwrap_or_default();
        Some(AuthorizerRow {
            user: text("user"),
            verb: text("verb"),
            group: text("group"),
            resource: text("resource"),
            subresource: text("subresource"),
            namespace: text("namespace"),
            name: text("name"),
            path: text("path"),
            answer,
            reason: text("reason"),
        })
    }
}
