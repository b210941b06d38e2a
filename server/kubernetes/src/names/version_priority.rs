//! The priority of API versions: stable ones first, then beta, then alpha.
//!
//! Upstream: kubernetes/apimachinery, pkg/version/helpers.go, CompareKubeAwareVersionStrings.

use std::cmp::{Ordering, Reverse};

/// How stable a version is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Alpha,
    Beta,
    Stable,
}

/// Compares two versions by priority: `v1` is greater than `v2beta1`, which is greater than
/// `v1beta1`. Names of another form come last, in reverse alphabetical order.
#[must_use]
pub fn compare_versions(one: &str, other: &str) -> Ordering {
    let key = |version| (parts(version), Reverse(version));
    key(one).cmp(&key(other))
}

/// Returns the stage and the numbers of a version such as `v1beta2`.
fn parts(version: &str) -> Option<(Stage, u32, u32)> {
    let numbers = version.strip_prefix('v')?;
    let number = |text: &str| {
        let is_number = text.starts_with(|it: char| ('1'..='9').contains(&it));
        text.parse().ok().filter(|_| is_number)
    };
    for (word, stage) in [("alpha", Stage::Alpha), ("beta", Stage::Beta)] {
        if let Some((major, minor)) = numbers.split_once(word) {
            return Some((stage, number(major)?, number(minor)?));
        }
    }
    Some((Stage::Stable, number(numbers)?, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_versions_have_priority() {
        let mut versions = [
            "v1alpha1",
            "foo1",
            "v10",
            "v2",
            "v1beta2",
            "v11alpha2",
            "v1",
            "v2beta1",
            "foo10",
            "v0",
        ];
        versions.sort_by(|one, other| compare_versions(other, one));
        assert_eq!(
            versions,
            [
                "v10",
                "v2",
                "v1",
                "v2beta1",
                "v1beta2",
                "v11alpha2",
                "v1alpha1",
                "foo1",
                "foo10",
                "v0"
            ]
        );
    }
}
