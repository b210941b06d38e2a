//! The keys and values that Kubernetes and its tools define, where a schema has only a map or a
//! string.
//!
//! Upstream: kubernetes/website, content/en/docs/reference/labels-annotations-taints.

use evaluation::samples::Sample;
use std::collections::BTreeSet;

/// The labels that tools agree on.
const LABELS: &str = "app.kubernetes.io/name app.kubernetes.io/instance \
    app.kubernetes.io/version app.kubernetes.io/component app.kubernetes.io/part-of \
    app.kubernetes.io/managed-by";

/// The labels of namespaces: the one that every namespace has, and those of the Pod Security
/// admission.
const NAMESPACE_LABELS: &str = "kubernetes.io/metadata.name \
    pod-security.kubernetes.io/enforce pod-security.kubernetes.io/warn \
    pod-security.kubernetes.io/audit pod-security.kubernetes.io/enforce-version \
    pod-security.kubernetes.io/warn-version pod-security.kubernetes.io/audit-version";

const ANNOTATIONS: &str = "kubernetes.io/description \
    kubectl.kubernetes.io/default-container kubectl.kubernetes.io/last-applied-configuration \
    kubernetes.io/change-cause cluster-autoscaler.kubernetes.io/safe-to-evict";

/// The labels of nodes.
const NODE_LABELS: &str = "kubernetes.io/os kubernetes.io/arch kubernetes.io/hostname \
    topology.kubernetes.io/zone topology.kubernetes.io/region \
    node.kubernetes.io/instance-type node-role.kubernetes.io/control-plane";

const RESOURCES: &str = "cpu memory ephemeral-storage";

/// The groups of users.
///
/// Upstream: kubernetes/apiserver, pkg/authentication/user/user.go.
pub(super) const USER_GROUPS: &str = "system:masters system:authenticated \
    system:unauthenticated system:serviceaccounts system:nodes";

/// The namespaces of every cluster.
const NAMESPACES: &str = "kube-system default kube-public kube-node-lease";

/// The levels of the Pod Security Standards.
const POD_SECURITY_LEVELS: &str = "restricted baseline privileged";

/// Returns the keys of a map by the name of its field, separated by spaces. `of_namespace` is
/// whether it is a map of a namespace.
pub(super) fn keys(field: &str, of_namespace: bool) -> &'static str {
    match field {
        "labels" if of_namespace => NAMESPACE_LABELS,
        "labels" | "matchLabels" => LABELS,
        "annotations" => ANNOTATIONS,
        "nodeSelector" => NODE_LABELS,
        "limits" | "requests" | "capacity" => RESOURCES,
        _ => "",
    }
}

/// Returns the values of a label: those of Kubernetes, and the names of namespaces.
pub(super) fn label_values(label: &str, samples: &[Sample]) -> Vec<String> {
    match label {
        "kubernetes.io/metadata.name" => namespaces(samples),
        _ if label.starts_with("pod-security.kubernetes.io/") && !label.ends_with("-version") => {
            words(POD_SECURITY_LEVELS)
        }
        _ => Vec::new(),
    }
}

/// Returns the namespaces of the sample manifests, then those of every cluster.
pub(super) fn namespaces(samples: &[Sample]) -> Vec<String> {
    let of_samples = samples.iter().map(|sample| match &*sample.kind {
        "Namespace" => &sample.name,
        _ => &sample.namespace,
    });
    let of_samples: BTreeSet<&String> = of_samples.filter(|name| !name.is_empty()).collect();
    let mut names: Vec<String> = of_samples.into_iter().cloned().collect();
    names.extend(words(NAMESPACES));
    names
}

pub(super) fn words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}
