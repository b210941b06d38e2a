//! Deprecated versions of built-in kinds.
//!
//! The API server returns a warning for every request to one of them. Only kinds that clients can
//! write are listed.
//!
//! Upstream: kubernetes/api, zz_generated.prerelease-lifecycle.go and core/v1/lifecycle.go of each
//! release; kubernetes/apiserver, pkg/endpoints/deprecation/deprecation.go.

use crate::versions::ServerVersion;

/// Kinds of one version that are deprecated together.
#[derive(Debug)]
pub struct Deprecation {
    /// The first server with this warning. Another row may follow for later servers.
    pub since: ServerVersion,
    /// The group and the version, such as `autoscaling/v2beta2`.
    pub group_version: &'static str,
    /// The kinds.
    pub kinds: &'static [&'static str],
    /// The minor versions in which they became deprecated and in which they are removed. The
    /// second is `None` if no removal is planned.
    pub lifecycle: (u8, Option<u8>),
    /// The group and the version of the replacement, and its kind if it differs.
    pub replacement: Option<(&'static str, Option<&'static str>)>,
}

impl Deprecation {
    /// Returns the warning about one of the kinds.
    #[must_use]
    pub fn warning(&self, kind: &str) -> String {
        let (deprecated, removed) = self.lifecycle;
        let removal = removed.map(|minor| format!(", unavailable in v1.{minor}+"));
        let advice = self
            .replacement
            .map(|(version, other)| format!("; use {version} {}", other.unwrap_or(kind)));
        format!(
            "{} {kind} is deprecated in v1.{deprecated}+{}{}",
            self.group_version,
            removal.unwrap_or_default(),
            advice.unwrap_or_default(),
        )
    }

    fn applies(&self, server: ServerVersion) -> bool {
        let removed = self.lifecycle.1.map(ServerVersion);
        server >= self.since && removed.is_none_or(|removed| server < removed)
    }
}

/// Returns the warning of a server about requests in a version of a built-in kind.
#[must_use]
pub fn warning(server: ServerVersion, group_version: &str, kind: &str) -> Option<String> {
    let mut rows = ALL.iter().rev();
    let found = rows.find(|row| {
        row.applies(server) && row.group_version == group_version && row.kinds.contains(&kind)
    });
    found.map(|row| row.warning(kind))
}

const fn row(
    group_version: &'static str,
    kinds: &'static [&'static str],
    lifecycle: (u8, Option<u8>),
    replacement: Option<&'static str>,
) -> Deprecation {
    let replacement = match replacement {
        Some(version) => Some((version, None)),
        None => None,
    };
    Deprecation {
        since: ServerVersion(lifecycle.0),
        group_version,
        kinds,
        lifecycle,
        replacement,
    }
}

const FLOW_CONTROL: &[&str] = &["FlowSchema", "PriorityLevelConfiguration"];
const MUTATING: &[&str] = &["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"];
const VALIDATING: &[&str] = &[
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
];
const ADDRESSES: &[&str] = &["IPAddress", "ServiceCIDR"];
const DEVICES: &[&str] = &[
    "DeviceClass",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "ResourceSlice",
];
const VOLUME_ATTRIBUTES: &[&str] = &["VolumeAttributesClass"];

/// Every deprecation, in the order of the warnings' first servers.
#[rustfmt::skip]
pub const ALL: [Deprecation; 27] = [
    row("autoscaling/v2beta2", &["HorizontalPodAutoscaler"], (23, Some(26)), Some("autoscaling/v2")),
    row("flowcontrol.apiserver.k8s.io/v1beta1", FLOW_CONTROL, (23, Some(26)), Some("flowcontrol.apiserver.k8s.io/v1beta2")),
    row("storage.k8s.io/v1beta1", &["CSIStorageCapacity"], (24, Some(27)), Some("storage.k8s.io/v1")),
    row("flowcontrol.apiserver.k8s.io/v1beta2", FLOW_CONTROL, (26, Some(29)), Some("flowcontrol.apiserver.k8s.io/v1beta3")),
    row("networking.k8s.io/v1alpha1", &["ClusterCIDR"], (28, Some(31)), None),
    row("authentication.k8s.io/v1alpha1", &["SelfSubjectReview"], (29, Some(32)), None),
    row("certificates.k8s.io/v1alpha1", &["ClusterTrustBundle"], (29, Some(32)), None),
    row("flowcontrol.apiserver.k8s.io/v1beta3", FLOW_CONTROL, (29, Some(32)), Some("flowcontrol.apiserver.k8s.io/v1")),
    row("authentication.k8s.io/v1beta1", &["SelfSubjectReview"], (30, Some(33)), None),
    row("networking.k8s.io/v1alpha1", ADDRESSES, (30, Some(33)), None),
    row("admissionregistration.k8s.io/v1beta1", VALIDATING, (31, Some(34)), None),
    row("storage.k8s.io/v1alpha1", VOLUME_ATTRIBUTES, (32, Some(35)), None),
    Deprecation {
        replacement: Some(("discovery.k8s.io/v1", Some("EndpointSlice"))),
        ..row("v1", &["Endpoints"], (33, None), None)
    },
    row("storagemigration.k8s.io/v1alpha1", &["StorageVersionMigration"], (33, Some(36)), None),
    row("certificates.k8s.io/v1alpha1", &["ClusterTrustBundle"], (34, Some(37)), None),
    row("networking.k8s.io/v1beta1", ADDRESSES, (34, Some(37)), None),
    Deprecation {
        since: ServerVersion(34),
        ..row("storage.k8s.io/v1alpha1", VOLUME_ATTRIBUTES, (32, Some(35)), Some("storage.k8s.io/v1"))
    },
    row("storage.k8s.io/v1beta1", VOLUME_ATTRIBUTES, (34, Some(37)), Some("storage.k8s.io/v1")),
    row("admissionregistration.k8s.io/v1alpha1", MUTATING, (35, Some(38)), None),
    row("coordination.k8s.io/v1alpha2", &["LeaseCandidate"], (35, Some(38)), None),
    row("resource.k8s.io/v1beta1", DEVICES, (35, Some(38)), None),
    row("coordination.k8s.io/v1beta1", &["LeaseCandidate"], (36, Some(39)), None),
    row("resource.k8s.io/v1alpha3", &["DeviceTaintRule"], (36, Some(39)), None),
    row("resource.k8s.io/v1beta2", DEVICES, (36, Some(39)), None),
    row("admissionregistration.k8s.io/v1beta1", MUTATING, (37, Some(40)), Some("admissionregistration.k8s.io/v1")),
    row("certificates.k8s.io/v1beta1", &["ClusterTrustBundle"], (37, Some(40)), None),
    row("storagemigration.k8s.io/v1beta1", &["StorageVersionMigration"], (37, Some(40)), Some("storagemigration.k8s.io/v1")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::Catalog;

    fn check(server: u8, group_version: &str, kind: &str, expected: &str) {
        let found = warning(ServerVersion(server), group_version, kind);
        assert_eq!(found.unwrap_or_default(), expected, "{server} {kind}");
    }

    #[test]
    fn a_warning_names_the_removal_and_the_replacement() {
        check(32, "v1", "Endpoints", "");
        let endpoints =
            "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
        check(33, "v1", "Endpoints", endpoints);
        check(38, "v1", "Endpoints", endpoints);
        let group = "storage.k8s.io/v1alpha1";
        let class = "storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, \
                     unavailable in v1.35+";
        check(33, group, "VolumeAttributesClass", class);
        let replaced = format!("{class}; use storage.k8s.io/v1 VolumeAttributesClass");
        check(34, group, "VolumeAttributesClass", &replaced);
        check(34, "storage.k8s.io/v1", "VolumeAttributesClass", "");
    }

    #[test]
    fn a_deprecation_can_be_renewed() {
        let text = |server| {
            warning(
                ServerVersion(server),
                "certificates.k8s.io/v1alpha1",
                "ClusterTrustBundle",
            )
        };
        assert!(text(31).unwrap().contains("v1.29+") && text(36).unwrap().contains("v1.34+"));
        assert_eq!(text(32), None);
    }

    /// Kinds that a server with the warning does not serve would be typos in the table.
    #[test]
    fn servers_know_the_deprecated_kinds_and_the_replacements() {
        for row in &ALL {
            let server = row.since.max(ServerVersion::OLDEST);
            let catalog = Catalog::built_in(server);
            let has = |group_version: &str, kind: &str| {
                let (group, version) = group_version
                    .rsplit_once('/')
                    .unwrap_or(("", group_version));
                let mut resources = catalog.resources();
                resources.any(|it| (it.group, it.version, it.kind) == (group, version, kind))
            };
            for kind in row.kinds {
                assert!(has(row.group_version, kind), "{row:?} {kind}");
                let other = row
                    .replacement
                    .map(|(version, other)| (version, other.unwrap_or(kind)));
                assert!(
                    other.is_none_or(|(version, kind)| has(version, kind)),
                    "{row:?}"
                );
            }
        }
    }

    #[test]
    fn the_rows_are_in_the_order_of_the_servers() {
        assert!(ALL.is_sorted_by_key(|row| row.since));
    }
}
