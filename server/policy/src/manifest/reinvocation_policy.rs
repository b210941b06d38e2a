//! The reinvocation policy: whether a mutating policy is evaluated again in the same request.

use yaml::Node;

/// `reinvocationPolicy` of a mutating policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReinvocationPolicy {
    /// The policy is evaluated once.
    #[default]
    Never,
    /// The policy is evaluated again after others have changed the object.
    IfNeeded,
}

impl ReinvocationPolicy {
    /// The values, sorted as the API server lists them.
    pub(crate) const VALUES: [&str; 2] = ["IfNeeded", "Never"];

    /// Reads `reinvocationPolicy` of `spec`. The default is Never.
    pub(super) fn read(spec: Node<'_>) -> Self {
        match spec.get("reinvocationPolicy").and_then(Node::as_str) {
            Some("IfNeeded") => Self::IfNeeded,
            _ => Self::Never,
        }
    }
}
