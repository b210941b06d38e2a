//! The patch type: how a mutation changes the object.

use yaml::Node;

/// `patchType` of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// `applyConfiguration` is merged into the object.
    ApplyConfiguration,
    /// `jsonPatch` lists the changes of the object.
    JsonPatch,
}

impl PatchType {
    /// The values, sorted as the API server lists them.
    pub(crate) const VALUES: [&str; 2] = ["ApplyConfiguration", "JSONPatch"];

    /// Reads `patchType` of a mutation. `None` for a value that the API server rejects.
    #[must_use]
    pub fn read(mutation: Node<'_>) -> Option<Self> {
        match mutation.get("patchType")?.as_str()? {
            "ApplyConfiguration" => Some(Self::ApplyConfiguration),
            "JSONPatch" => Some(Self::JsonPatch),
            _ => None,
        }
    }
}
