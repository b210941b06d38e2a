//! Bugs of servers that later ones have fixed.
//!
//! Their effects differ from the documentation, so evaluation follows the server, and the reason is
//! here: the versions with the bug, the fix, and the report.

use crate::versions::ServerVersion;

/// An error of servers.
#[derive(Debug)]
pub struct Bug {
    /// The first server that has it.
    pub first: ServerVersion,
    /// The first server without it. `None` if none is known.
    pub mended: Option<ServerVersion>,
    /// The affected releases, by patch version.
    pub releases: &'static str,
    /// A description in one sentence.
    pub description: &'static str,
    /// Where it is reported or fixed.
    pub source: &'static str,
}

impl Bug {
    /// Returns whether a server has it. For a version that fixes it in a later patch, the first
    /// releases decide.
    #[must_use]
    pub fn affects(&self, server: ServerVersion) -> bool {
        server >= self.first && self.mended.is_none_or(|mended| server < mended)
    }
}

/// Upstream: kubernetes/apiserver, pkg/cel/mutation/dynamic/objects.go, ConvertToNative.
pub const PATCH_VALUE_PANICS: Bug = Bug {
    first: ServerVersion(32),
    mended: Some(ServerVersion(37)),
    releases: "1.32 to 1.34, 1.35.0 to 1.35.7, 1.36.0 to 1.36.3",
    description: "A JSON patch whose value is a list or a map that holds an `Object` makes the API \
           server panic, regardless of `failurePolicy`.",
    source: "https://github.com/kubernetes/kubernetes/issues/142181",
};

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
/// dispatchInvocations.
pub const MUTATIONS_OF_OTHER_KINDS_LOST: Bug = Bug {
    first: ServerVersion(32),
    mended: None,
    releases: "1.32 and later",
    description: "If mutating policies match a request in different versions of its kind, only \
                  the changes to the version that is mutated last are kept.",
    source: "https://github.com/kubernetes/kubernetes/pull/142055",
};

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/smd.go,
/// ApplyStructuredMergeDiff.
pub(crate) const DUPLICATES_NOT_APPLIED: Bug = Bug {
    first: ServerVersion(32),
    mended: Some(ServerVersion(35)),
    releases: "1.32 to 1.34",
    description: "An apply configuration fails on an object with duplicate elements in a list, such as \
           an environment variable that is set twice.",
    source: "https://github.com/kubernetes/kubernetes/pull/135560",
};

/// Upstream: kubernetes/apiserver, pkg/cel/library/cidr.go, cidrContainsCIDR.
pub const CONTAINS_CIDR_TOO_STRICT: Bug = Bug {
    first: ServerVersion(31),
    mended: Some(ServerVersion(33)),
    releases: "1.31, 1.32.0 to 1.32.3",
    description: "`containsCIDR` is false unless the inner range begins with the address of the outer \
           one: `cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')` is false.",
    source: "https://github.com/kubernetes/kubernetes/pull/130450",
};

/// Upstream: kubernetes/apiserver, pkg/cel/library/quantity.go, quantityAdd.
pub const QUANTITY_CHANGED_BY_ADD: Bug = Bug {
    first: ServerVersion(29),
    mended: Some(ServerVersion(37)),
    releases: "1.29 to 1.36",
    description: "`add` and `sub` of a quantity that is not stored in 64 bits, such as `1.5Gi`, \
                  change the quantity itself, so it has a different value the next time a variable \
                  or a loop uses it.",
    source: "https://github.com/kubernetes/kubernetes/pull/140556",
};

/// Upstream: kubernetes/apimachinery, pkg/api/resource/quantity.go, Cmp.
pub(crate) const QUANTITY_CHANGED_BY_COMPARISON: Bug = Bug {
    first: ServerVersion(29),
    mended: None,
    releases: "1.29 and later",
    description: "After a comparison with a quantity that is not stored in 64 bits, such as \
                  `1.5Gi`, the other quantity is not stored in 64 bits either: `isInteger` is \
                  false and `asInteger` fails.",
    source: "https://github.com/kubernetes/kubernetes/blob/v1.36.0/staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go",
};

/// Only `self` of a rule of the set itself is one value that all its uses share, so no other rule
/// depends on the bug.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredSetList.Add.
pub(crate) const SET_CHANGED_BY_ADD: Bug = Bug {
    first: ServerVersion(25),
    mended: Some(ServerVersion(37)),
    releases: "1.25 to 1.36",
    description: "In a rule of a set, after `self + x`, a later `self == y` also compares the \
                  elements of `x`. Evaluation does not reproduce this.",
    source: "https://github.com/kubernetes/kubernetes/pull/140293",
};

/// Every error, in the order of the documentation.
pub const ALL: [&Bug; 7] = [
    &PATCH_VALUE_PANICS,
    &MUTATIONS_OF_OTHER_KINDS_LOST,
    &DUPLICATES_NOT_APPLIED,
    &CONTAINS_CIDR_TOO_STRICT,
    &QUANTITY_CHANGED_BY_ADD,
    &QUANTITY_CHANGED_BY_COMPARISON,
    &SET_CHANGED_BY_ADD,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_affects_the_servers_between() {
        let affected = |bug: &Bug| {
            let servers = (29..=38)
                .map(ServerVersion)
                .filter(|server| bug.affects(*server));
            servers.map(|server| server.0).collect::<Vec<_>>()
        };
        assert_eq!(affected(&DUPLICATES_NOT_APPLIED), [32, 33, 34]);
        assert_eq!(
            affected(&MUTATIONS_OF_OTHER_KINDS_LOST),
            [32, 33, 34, 35, 36, 37, 38]
        );
    }
}
