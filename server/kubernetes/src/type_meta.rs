//! The fields that the manifests of all kinds have.
//!
//! They distinguish policies, parameters, samples and lists before anything else is read.

use crate::names::GroupVersion;
use yaml::{Node, Sequence};

/// `apiVersion` and `kind` of a manifest, without those that are null.
///
/// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/types.go, TypeMeta.
#[derive(Clone, Copy, Debug)]
pub struct TypeMeta<'d> {
    /// `apiVersion`, of any type.
    pub api_version: Option<Node<'d>>,
    /// `kind`, of any type.
    pub kind: Option<Node<'d>>,
}

impl<'d> TypeMeta<'d> {
    /// Reads the fields of a manifest.
    #[must_use]
    pub fn read(manifest: Node<'d>) -> Self {
        let [api_version, kind] =
            ["apiVersion", "kind"].map(|field| manifest.get(field).filter(|it| !it.is_null()));
        Self { api_version, kind }
    }

    /// Returns `apiVersion` and `kind` if both are strings.
    #[must_use]
    pub fn strings(self) -> Option<(&'d str, &'d str)> {
        self.api_version?.as_str().zip(self.kind?.as_str())
    }

    /// Returns the group, the version and the kind if both fields are strings.
    #[must_use]
    pub fn names(self) -> Option<(GroupVersion<'d>, &'d str)> {
        let (api_version, kind) = self.strings()?;
        Some((GroupVersion::parse(api_version), kind))
    }
}

/// Returns a field of `metadata`.
#[must_use]
pub fn metadata<'d>(manifest: Node<'d>, field: &str) -> Option<Node<'d>> {
    manifest.get("metadata")?.get(field)
}

/// Returns `items` of a list.
#[must_use]
pub fn items(list: Node<'_>) -> Option<Sequence<'_>> {
    list.get("items")?.as_sequence()
}
