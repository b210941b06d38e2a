//! The keys and values that Kubernetes and its tools define, for maps and strings that a schema
//! does not restrict.
//!
//! Upstream: kubernetes/website, content/en/docs/reference/labels-annotations-taints.

use evaluation::samples::Sample;
use kubernetes::openapi::{Schema, SchemaType};
use std::collections::BTreeSet;

/// The recommended labels, which tools share.
const LABELS: &str = "app.kubernetes.io/name app.kubernetes.io/instance \
    app.kubernetes.io/version app.kubernetes.io/component app.kubernetes.io/part-of \
    app.kubernetes.io/managed-by";

/// The labels of namespaces: the one that every namespace has, and those of Pod Security Admission.
const NAMESPACE_LABELS: &str = "kubernetes.io/metadata.name \
    pod-security.kubernetes.io/enforce pod-security.kubernetes.io/warn \
    pod-security.kubernetes.io/audit pod-security.kubernetes.io/enforce-version \
    pod-security.kubernetes.io/warn-version pod-security.kubernetes.io/audit-version";

const ANNOTATIONS: &str =
    "kubernetes.io/description kubectl.kubernetes.io/last-applied-configuration";

/// The annotations of pods and of the kinds that create pods.
const WORKLOAD_ANNOTATIONS: &str = "kubernetes.io/description \
    kubectl.kubernetes.io/default-container kubectl.kubernetes.io/last-applied-configuration \
    kubernetes.io/change-cause cluster-autoscaler.kubernetes.io/safe-to-evict";

/// The kinds with [`WORKLOAD_ANNOTATIONS`].
const WORKLOADS: [&str; 8] = [
    "Pod",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "CronJob",
    "ReplicationController",
];

/// The labels of nodes.
pub(super) const NODE_LABELS: &str = "kubernetes.io/os kubernetes.io/arch kubernetes.io/hostname \
    topology.kubernetes.io/zone topology.kubernetes.io/region \
    node.kubernetes.io/instance-type node-role.kubernetes.io/control-plane \
    node.kubernetes.io/exclude-from-external-load-balancers node.kubernetes.io/windows-build";

/// The labels of nodes that divide a cluster into domains.
pub(super) const TOPOLOGY_KEYS: &str = "topology.kubernetes.io/zone kubernetes.io/hostname \
    topology.kubernetes.io/region";

const RESOURCES: &str = "cpu memory ephemeral-storage";

/// The groups that policies match most often, in this order.
pub(super) const GROUPS: [&str; 5] = [
    "apps",
    "",
    "batch",
    "networking.k8s.io",
    "rbac.authorization.k8s.io",
];

/// The resources that policies match most often, in this order.
pub(super) const MATCHED_RESOURCES: &str = "pods deployments statefulsets daemonsets jobs cronjobs \
    services ingresses namespaces configmaps secrets roles rolebindings clusterroles \
    clusterrolebindings";

/// Returns the position of a resource among those that policies match most often.
pub(super) fn place_of_resource(plural: &str) -> usize {
    let mut known = MATCHED_RESOURCES.split(' ');
    known.position(|it| it == plural).unwrap_or(usize::MAX)
}

/// The subresources that users request.
pub(super) const SUBRESOURCES: &str =
    "exec ephemeralcontainers log portforward attach scale status";

/// The namespaces of every cluster.
const NAMESPACES: &str = "kube-system default kube-public kube-node-lease";

/// The levels of the Pod Security Standards.
const POD_SECURITY_LEVELS: &str = "restricted baseline privileged";

/// The meaning of the keys above, if they have a separate one.
const MEANINGS: [(&str, &str); 22] = [
    (
        "kubernetes.io/metadata.name",
        "The name of the namespace. The API server sets this label, and it cannot be changed.",
    ),
    (
        "pod-security.kubernetes.io/enforce",
        "The level of the Pod Security Standards that pods must meet: `privileged`, `baseline` or \
         `restricted`.",
    ),
    (
        "pod-security.kubernetes.io/warn",
        "The level of the Pod Security Standards below which users get a warning.",
    ),
    (
        "pod-security.kubernetes.io/audit",
        "The level of the Pod Security Standards below which audit events are annotated.",
    ),
    (
        "app.kubernetes.io/name",
        "The name of the application: `mysql`.",
    ),
    (
        "app.kubernetes.io/instance",
        "A unique name for the instance of the application: `mysql-abcxyz`.",
    ),
    (
        "app.kubernetes.io/version",
        "The version of the application.",
    ),
    (
        "app.kubernetes.io/component",
        "The component within the architecture: `database`.",
    ),
    (
        "app.kubernetes.io/part-of",
        "The name of a larger application that this one is part of.",
    ),
    (
        "app.kubernetes.io/managed-by",
        "The tool that manages the application: `Helm`.",
    ),
    (
        "kubernetes.io/os",
        "The operating system of a node. The kubelet sets this label.",
    ),
    (
        "kubernetes.io/arch",
        "The architecture of a node. The kubelet sets this label.",
    ),
    (
        "kubernetes.io/hostname",
        "The host name of a node. The kubelet sets this label.",
    ),
    (
        "topology.kubernetes.io/zone",
        "The zone of a node or a volume: a failure domain within a region.",
    ),
    (
        "topology.kubernetes.io/region",
        "The region of a node or a volume.",
    ),
    (
        "node.kubernetes.io/instance-type",
        "The type of the machine of a node, as its cloud provider names it. Other clusters do not \
         set it.",
    ),
    (
        "node-role.kubernetes.io/control-plane",
        "Marks a node that runs components of the control plane.",
    ),
    (
        "node.kubernetes.io/exclude-from-external-load-balancers",
        "Marks a node that is excluded from external load balancers.",
    ),
    (
        "node.kubernetes.io/windows-build",
        "The version of Windows Server on a node. The kubelet sets this label.",
    ),
    (
        "kubectl.kubernetes.io/default-container",
        "The container that `kubectl exec` and `kubectl logs` use by default.",
    ),
    (
        "kubectl.kubernetes.io/last-applied-configuration",
        "The last configuration that `kubectl apply` sent without server-side apply.",
    ),
    (
        "cluster-autoscaler.kubernetes.io/safe-to-evict",
        "Whether the cluster autoscaler may evict the pod: `true` or `false`.",
    ),
];

/// Returns the meaning of a key of labels or annotations.
pub(crate) fn meaning_of_key(key: &str) -> Option<&'static str> {
    let mut known = MEANINGS.iter();
    known
        .find(|(name, _)| *name == key)
        .map(|(_, meaning)| *meaning)
}

/// Returns the keys of a map by the name of its field, separated by spaces. `kind` is the kind of
/// the object with the field, and `values` the schema of its values, if known. The keys of a map of
/// quantities are resources. A CustomResourceDefinition declares a quantity as `IntOrString`.
pub(super) fn keys(field: &str, kind: &str, values: Option<Schema<'_>>) -> &'static str {
    match (field, kind) {
        _ if values.is_some_and(|it| it.ty() == SchemaType::Quantity) => RESOURCES,
        ("limits" | "requests" | "capacity", _)
            if values.is_some_and(|it| it.ty() == SchemaType::IntOrString) =>
        {
            RESOURCES
        }
        ("labels", "Namespace") => NAMESPACE_LABELS,
        ("labels", "Node") | ("nodeSelector", _) => NODE_LABELS,
        ("labels" | "matchLabels", _) => LABELS,
        ("annotations", kind) if kind.is_empty() || WORKLOADS.contains(&kind) => {
            WORKLOAD_ANNOTATIONS
        }
        ("annotations", _) => ANNOTATIONS,
        _ => "",
    }
}

/// The kinds whose labels differ from those of all other kinds.
const WITH_OWN_LABELS: [&str; 2] = ["Namespace", "Node"];

/// Returns the keys of `metadata.labels` or `metadata.annotations` of sample manifests whose keys
/// have the same meaning as those of a kind.
pub(super) fn metadata_keys(samples: &[Sample], field: &str, kind: &str) -> BTreeSet<String> {
    let label_kind = |kind: &str| WITH_OWN_LABELS.into_iter().find(|it| *it == kind);
    let samples = samples.iter();
    let samples = samples.filter(|it| label_kind(&it.kind) == label_kind(kind));
    let maps = samples.filter_map(|sample| {
        let metadata = sample.value.as_map()?.get_str("metadata")?;
        metadata.as_map()?.get_str(field)?.as_map()
    });
    let keys = maps.flat_map(|map| map.iter().map(|(key, _)| key.value()));
    keys.filter_map(|it| it.as_str().map(str::to_owned))
        .collect()
}

/// Returns whether the keys of a map with this name are labels.
pub(super) fn is_labels(map: &str) -> bool {
    matches!(map, "labels" | "matchLabels" | "nodeSelector")
}

/// Returns the values of a label: those of Kubernetes, the names of namespaces, or the values in
/// sample manifests.
pub(super) fn label_values(label: &str, samples: &[Sample]) -> Vec<String> {
    match label {
        "kubernetes.io/metadata.name" => namespaces(samples),
        "kubernetes.io/os" => words("linux windows"),
        "kubernetes.io/arch" => words("amd64 arm64"),
        _ if label.starts_with("pod-security.kubernetes.io/") && !label.ends_with("-version") => {
            words(POD_SECURITY_LEVELS)
        }
        _ => {
            let labels = samples.iter().filter_map(|sample| {
                let metadata = sample.value.as_map()?.get_str("metadata")?;
                let labels = metadata.as_map()?.get_str("labels")?;
                Some(labels.as_map()?.get_str(label)?.as_str()?.to_owned())
            });
            let values: BTreeSet<String> = labels.collect();
            values.into_iter().collect()
        }
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
