//! The name of an object, as results and parameters refer to it.

use cel::Value;
use kubernetes::{metadata_field, string_field};

/// The names of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name {
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Name {
    pub(super) fn new(object: &Value) -> Self {
        let owned = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let name = metadata_field(object, "name");
        Self {
            kind: owned(string_field(object, "kind")),
            namespace: owned(metadata_field(object, "namespace")),
            name: owned(name.or_else(|| metadata_field(object, "generateName"))),
        }
    }

    /// Returns the label of the object: `Pod shop/web`.
    pub(super) fn label(&self) -> String {
        let Self {
            kind,
            namespace,
            name,
        } = self;
        match (namespace.as_str(), name.as_str()) {
            (_, "") => kind.clone(),
            ("", _) => format!("{kind} {name}"),
            _ => format!("{kind} {namespace}/{name}"),
        }
    }
}
