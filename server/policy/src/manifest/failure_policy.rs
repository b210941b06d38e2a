//! The failure policy: the effect of a failed evaluation on the request.

use yaml::Node;

/// `failurePolicy` of a policy or a webhook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailurePolicy {
    /// A failure denies the request.
    #[default]
    Fail,
    /// A failure is ignored.
    Ignore,
}

impl FailurePolicy {
    /// The values, sorted as the API server lists them.
    pub(crate) const VALUES: [&str; 2] = ["Fail", "Ignore"];

    /// Reads `failurePolicy` of an owner. The default is Fail.
    pub(super) fn read(owner: Node<'_>) -> Self {
        match owner.get("failurePolicy").and_then(Node::as_str) {
            Some("Ignore") => Self::Ignore,
            _ => Self::Fail,
        }
    }

    /// Returns whether a failure denies the request.
    #[must_use]
    pub fn denies(self) -> bool {
        self == Self::Fail
    }
}
