//! Parameters: the kind that a policy requires and the objects that a binding selects.

use super::{NodeRange, Selector, StringField, field, text_of, word};
use kubernetes::names::GroupVersion;
use yaml::{Entry, Node};

/// `paramKind` of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamKind {
    /// The key of the field.
    pub key: NodeRange,
    /// The whole value.
    pub at: NodeRange,
    /// `apiVersion`.
    pub api_version: Option<StringField>,
    /// `kind`.
    pub kind: Option<StringField>,
}

/// `paramRef` of a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamRef {
    /// The key of the field.
    pub key: NodeRange,
    /// The whole value.
    pub at: NodeRange,
    /// `name`.
    pub name: Option<StringField>,
    /// `namespace`.
    pub namespace: Option<StringField>,
    /// The value of `namespace`, regardless of its type.
    pub namespace_at: Option<NodeRange>,
    /// `selector`.
    pub selector: Option<Selector>,
    /// The key of `selector`.
    pub selector_key: Option<NodeRange>,
    /// `parameterNotFoundAction`.
    pub not_found_action: Option<StringField>,
}

impl ParamKind {
    /// Reads `paramKind` of `spec`.
    #[must_use]
    pub fn read(spec: Node<'_>) -> Option<Self> {
        let Entry { key, value: node } = spec.entry("paramKind")?;
        node.as_mapping()?;
        Some(Self {
            key: key.into(),
            at: node.into(),
            api_version: word(node, "apiVersion"),
            kind: word(node, "kind"),
        })
    }

    /// Returns `apiVersion`, empty if it is missing.
    #[must_use]
    pub fn api_version(&self) -> &str {
        text_of(self.api_version.as_ref())
    }

    /// Returns `kind`, empty if it is missing.
    #[must_use]
    pub fn kind(&self) -> &str {
        text_of(self.kind.as_ref())
    }

    /// Returns the parts of `apiVersion`.
    #[must_use]
    pub fn group_version(&self) -> GroupVersion<'_> {
        GroupVersion::parse(self.api_version())
    }
}

impl ParamRef {
    pub(super) fn read(spec: Node<'_>) -> Option<Self> {
        let Entry { key, value: node } = spec.entry("paramRef")?;
        node.as_mapping()?;
        Some(Self {
            key: key.into(),
            at: node.into(),
            name: word(node, "name"),
            namespace: word(node, "namespace"),
            namespace_at: node.get("namespace").map(NodeRange::from),
            selector: field(node, "selector").map(Selector::read),
            selector_key: node.entry("selector").map(|it| it.key.into()),
            not_found_action: word(node, "parameterNotFoundAction"),
        })
    }
}
