//! The errors of the API server about an invalid object.
//!
//! The messages of these errors are the server's own, to the letter: a user finds them in the
//! output of `kubectl apply` and searches for them.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/validation/field/errors.go.

use crate::field_error::ErrorType;
use crate::field_path::{FieldPath, PathRef};
use crate::validation::slot::{Slot, first_word};
use text::TextRange;
use yaml::NodeId;

/// One error of the API server's validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The type.
    pub kind: ErrorType,
    /// The field, as the server names it. For a CustomResourceDefinition whose versions share one
    /// schema, it is `spec.validation` instead of `spec.versions[0].schema`.
    pub field: String,
    /// The detail as the server writes it; empty if the type is enough.
    pub detail: String,
    /// The bytes of the file to look at: the value, or what should hold it.
    pub range: TextRange,
    /// The node of the value. `None` where nothing is written.
    pub node: Option<NodeId>,
    /// The part of the server that reports it.
    pub source: ErrorSource,
}

/// Which part of the API server finds an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorSource {
    /// The rules of the fields.
    Field,
    /// The rule that a variable is called by an identifier.
    VariableName,
    /// The CEL compiler. The problems of the expression are more exact.
    Compiler,
}

/// Collects errors.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    pub(crate) found: Vec<ApiError>,
}

impl Errors {
    pub(crate) fn push(&mut self, kind: ErrorType, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push_from(ErrorSource::Field, kind, slot, detail);
    }

    pub(crate) fn push_from(
        &mut self,
        source: ErrorSource,
        kind: ErrorType,
        slot: &Slot<'_, '_>,
        detail: impl Into<String>,
    ) {
        self.found.push(ApiError {
            kind,
            field: slot.path().to_string(),
            detail: detail.into(),
            range: slot.place(),
            node: slot.node().map(yaml::Node::id),
            source,
        });
    }

    pub(crate) fn required(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Required, slot, detail);
    }

    pub(crate) fn invalid(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Invalid, slot, detail);
    }

    pub(crate) fn forbidden(&mut self, slot: &Slot<'_, '_>, detail: impl Into<String>) {
        self.push(ErrorType::Forbidden, slot, detail);
    }

    pub(crate) fn duplicate(&mut self, slot: &Slot<'_, '_>) {
        self.push(ErrorType::Duplicate, slot, "");
    }

    /// One `Invalid` for every message.
    pub(crate) fn all_invalid(&mut self, slot: &Slot<'_, '_>, messages: Vec<String>) {
        for message in messages {
            self.invalid(slot, message);
        }
    }

    /// An error of what is in `slot`; `node` is the part that is wrong.
    pub(crate) fn push_at(
        &mut self,
        kind: ErrorType,
        slot: &Slot<'_, '_>,
        node: yaml::Node<'_>,
        detail: String,
    ) {
        self.push_path(kind, *slot.path_ref(), node, detail);
    }

    /// Adds an error of the field at `path`, which is in `node`.
    pub(crate) fn push_path(
        &mut self,
        kind: ErrorType,
        path: PathRef<'_>,
        node: yaml::Node<'_>,
        detail: String,
    ) {
        self.found.push(ApiError {
            kind,
            field: path.to_path().to_string(),
            detail,
            range: first_word(node),
            node: Some(node.id()),
            source: ErrorSource::Field,
        });
    }

    /// One `Invalid` of the map in `slot` for every message; `node` is the key or the value
    /// that is wrong.
    pub(crate) fn all_invalid_at(
        &mut self,
        slot: &Slot<'_, '_>,
        node: yaml::Node<'_>,
        messages: Vec<String>,
    ) {
        for detail in messages {
            self.push_at(ErrorType::Invalid, slot, node, detail);
        }
    }

    /// One `Invalid` for all messages together, if there are any.
    pub(crate) fn joined_invalid(&mut self, slot: &Slot<'_, '_>, messages: &[String]) {
        if !messages.is_empty() {
            self.invalid(slot, messages.join(","));
        }
    }

    pub(crate) fn not_supported(&mut self, slot: &Slot<'_, '_>, supported: &[&str]) {
        let quoted: Vec<String> = supported.iter().map(|value| format!("{value:?}")).collect();
        let detail = format!("supported values: {}", quoted.join(", "));
        self.push(ErrorType::NotSupported, slot, detail);
    }

    /// More than `limit` items.
    pub(crate) fn too_many(&mut self, slot: &Slot<'_, '_>, limit: usize) {
        let items = if limit == 1 { "item" } else { "items" };
        self.push(
            ErrorType::TooMany,
            slot,
            format!("must have at most {limit} {items}"),
        );
    }
}

impl ApiError {
    /// The path of the field, to walk the document with.
    #[must_use]
    pub fn path(&self) -> Option<FieldPath> {
        FieldPath::parse(&self.field)
    }
}
