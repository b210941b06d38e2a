//! The common values of fields that accept any string: those of Kubernetes, those that the
//! description lists, and the names of the objects that a field refers to.

use super::described_values::described_values;
use super::fixed_values::fixed_values;
use super::subjects;
use super::well_known::{NODE_LABELS, TOPOLOGY_KEYS, words};
use evaluation::samples::Sample;
use kubernetes::openapi::Schema;
use std::collections::BTreeSet;

/// The common values of fields that accept any string, by the type and its field.
///
/// Upstream: kubernetes/kubernetes, pkg/apis/core/types.go, SecretType and ContainerRestartPolicy;
/// capabilities(7).
const COMMON_VALUES: [(&str, &str, &str); 12] = [
    (
        "Capabilities",
        "add",
        "NET_ADMIN NET_BIND_SERVICE SYS_ADMIN SYS_PTRACE NET_RAW ALL",
    ),
    ("Capabilities", "drop", "ALL NET_RAW"),
    ("Container", "restartPolicy", "Always OnFailure Never"),
    ("NodeSelectorRequirement", "key", NODE_LABELS),
    ("PodAffinityTerm", "topologyKey", TOPOLOGY_KEYS),
    (
        "PodCondition",
        "type",
        "Ready ContainersReady Initialized PodScheduled",
    ),
    (
        "PolicyRule",
        "apiGroups",
        "* apps batch networking.k8s.io rbac.authorization.k8s.io",
    ),
    (
        "PolicyRule",
        "resources",
        "* secrets pods pods/exec nodes configmaps serviceaccounts/token",
    ),
    (
        "PolicyRule",
        "verbs",
        "* get list watch create update patch delete bind escalate impersonate",
    ),
    ("RoleRef", "name", "cluster-admin admin edit view"),
    (
        "Secret",
        "type",
        "Opaque kubernetes.io/tls kubernetes.io/dockerconfigjson \
         kubernetes.io/service-account-token kubernetes.io/basic-auth kubernetes.io/ssh-auth",
    ),
    ("TopologySpreadConstraint", "topologyKey", TOPOLOGY_KEYS),
];

/// Returns the common values of a field that accepts any string.
pub(super) fn common_values(samples: &[Sample], owner: Schema<'_>, field: &str) -> Vec<String> {
    let type_name = owner.type_name().and_then(|name| name.rsplit('.').next());
    let mut known = COMMON_VALUES.iter();
    let found = known.find(|(ty, name, _)| Some(*ty) == type_name && *name == field);
    let mut values = found.map_or_else(Vec::new, |(.., values)| words(values));
    if (type_name, field) == (Some("Subject"), "name") {
        values.extend(subjects::groups(samples));
        values.extend(subjects::users(samples));
    }
    if fixed_values(owner, field).is_none() {
        let described = described_values(owner, field).into_iter();
        values.extend(described.map(str::to_owned));
    }
    values.extend(names_of_kind(samples, field));
    values
}

/// Returns the names of the sample objects of the kind that the name of a field contains: those of
/// the priority classes for `priorityClassName`.
fn names_of_kind(samples: &[Sample], field: &str) -> BTreeSet<String> {
    let Some(kind) = field.strip_suffix("Name").filter(|kind| !kind.is_empty()) else {
        return BTreeSet::new();
    };
    let samples = samples
        .iter()
        .filter(|it| it.kind.eq_ignore_ascii_case(kind));
    let names = samples.map(|it| it.name.clone());
    names.filter(|it| !it.is_empty()).collect()
}
