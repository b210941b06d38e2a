//! The identity of an object that a server has stored.

use policy::parts::Parts;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The identity of an object that a server has stored.
#[derive(Debug, Deserialize)]
pub(super) struct Identity {
    metadata: Metadata,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: Option<String>,
    generate_name: Option<String>,
    namespace: Option<String>,
    #[serde(rename = "uid")]
    _uid: IgnoredAny,
    #[serde(rename = "resourceVersion")]
    _resource_version: IgnoredAny,
}

impl Identity {
    /// Returns the parts of an object that identify it.
    pub(super) fn parts() -> Parts {
        let mut parts = Parts::default();
        for field in [
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
        ] {
            parts.add_path(&["metadata", field]);
        }
        parts
    }

    /// Reads an identity from the text of its parts. `None` if no server has stored the object, or
    /// if a field has another type.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    /// Returns the name, or the beginning of the one that the server generates.
    pub(super) fn name(&self) -> Option<&str> {
        let fields = [&self.metadata.name, &self.metadata.generate_name];
        let mut names = fields.into_iter().flatten();
        names.find(|name| !name.is_empty()).map(String::as_str)
    }

    /// Returns the namespace; empty if there is none.
    pub(super) fn namespace(&self) -> &str {
        self.metadata.namespace.as_deref().unwrap_or_default()
    }
}
