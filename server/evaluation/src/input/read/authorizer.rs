//! `authorizer`: a list of decisions, or the keyword for the roles of the project.
//!
//! Upstream: kubernetes/api, authorization/v1/types.go, ResourceAttributes and
//! NonResourceAttributes, for the names.

use super::super::error::{ExpectedType, InputErrorKind, StructureError};
use super::Reader;
use admission::{AuthorizerRow, AuthorizerTable, Otherwise, RowAnswer};
use text::{Key, ValueType};
use yaml::Node;

/// The keys of a decision.
pub(super) const KEYS: &[Key] = &[
    Key::new(
        "decision",
        ValueType::Words(ANSWERS),
        "The decision of the authorizer for matching requests.",
    )
    .required(),
    any("verb", "The verb, such as `get` or `create`."),
    any("group", "The API group."),
    any("resource", "The resource, such as `deployments`."),
    any("user", "The name of the user."),
    any("subresource", "The subresource, such as `scale`."),
    any("namespace", "The namespace."),
    any("name", "The name of the object."),
    any(
        "path",
        "The path of a non-resource request, such as `/healthz`.",
    ),
    Key::new(
        "reason",
        ValueType::String,
        "The reason for the decision, for `authorizer.….check().reason()`.",
    ),
];

/// Returns a key that matches every request if it is missing, empty or `*`.
const fn any(name: &'static str, description: &'static str) -> Key {
    Key::new(name, ValueType::String, description).with_default("\"*\"")
}

pub(super) const ANSWERS: &[&str] = &["allow", "deny", "noOpinion", "error"];

/// The strings allowed in place of a list.
pub(super) const WORDS: &[&str] = &["RBAC"];

impl Reader<'_> {
    /// Reads the table that a value is.
    pub(in crate::input) fn authorizer(&mut self, node: Node<'_>) -> AuthorizerTable {
        if node.as_str().is_some() {
            let word = self.word(node, "authorizer", WORDS);
            return AuthorizerTable {
                otherwise: word.map_or(Otherwise::NoOpinion, |_| Otherwise::Rbac),
                ..AuthorizerTable::default()
            };
        }
        let rows = node.as_sequence();
        if rows.is_none() && !node.is_null() {
            self.wrong(node, "authorizer", ExpectedType::Authorizer);
        }
        let rows = rows.into_iter().flat_map(yaml::Sequence::items);
        AuthorizerTable {
            rows: rows.filter_map(|row| self.row(row)).collect(),
            otherwise: Otherwise::NoOpinion,
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
