//! Returns the rules of the checker that are not about types.
//!
//! cel-go leaves it to whoever makes the environment, and Kubernetes has become stricter
//! from version to version.

use crate::library::Since;

/// The syntax and literals that an environment accepts.
///
/// Upstream: kubernetes/apiserver, pkg/cel/environment/base.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether the elements of a list, the keys and the values of a map can have several types,
    /// as in `[1, 'a']`. Kubernetes rejects it.
    pub mixed_literals: bool,
    /// Whether the constants are read that `duration()`, `timestamp()` and `matches()` take,
    /// and whether the text of `format()` has to fit its arguments. From Kubernetes 1.29 on.
    pub validates_constants: bool,
    /// Whether there are `a.?b`, `a[?b]` and `{?a: b}`. From Kubernetes 1.28 on.
    pub optional_syntax: bool,
}

impl Rules {
    /// Returns the rules of a version of Kubernetes, or of plain CEL.
    #[must_use]
    pub fn from_version(version: Since) -> Self {
        let is_kubernetes = version != Since::PLAIN_CEL;
        Self {
            mixed_literals: !is_kubernetes,
            validates_constants: is_kubernetes && version >= Since(29),
            optional_syntax: version >= Since(28),
        }
    }
}
