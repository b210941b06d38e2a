//! Fields that are always present although their schema does not require them.
//!
//! A validating policy receives an object after defaulting and validation. Both are mostly code and
//! not in the schema, so the fields are listed here by type. A field that depends on other fields
//! counts as present: expressions that read it usually check these first.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/*/*/defaults.go and
//! pkg/apis/*/validation/validation.go.

use kubernetes::FieldTable;

/// The types of `k8s.io/api`, by the suffix of their names, and their fields.
static FIELDS: FieldTable = FieldTable::new(
    "
    apps.v1.DeploymentSpec: replicas strategy revisionHistoryLimit progressDeadlineSeconds
    apps.v1.DeploymentStrategy: type rollingUpdate
    apps.v1.RollingUpdateDeployment: maxSurge maxUnavailable
    apps.v1.DaemonSetSpec: updateStrategy revisionHistoryLimit
    apps.v1.DaemonSetUpdateStrategy: type rollingUpdate
    apps.v1.RollingUpdateDaemonSet: maxSurge maxUnavailable
    apps.v1.StatefulSetSpec: replicas podManagementPolicy updateStrategy revisionHistoryLimit
      persistentVolumeClaimRetentionPolicy
    apps.v1.StatefulSetUpdateStrategy: type rollingUpdate
    apps.v1.RollingUpdateStatefulSetStrategy: partition maxUnavailable
    apps.v1.ReplicaSetSpec: replicas template
    core.v1.ReplicationControllerSpec: replicas selector template minReadySeconds
    batch.v1.JobSpec: completions parallelism backoffLimit completionMode suspend
      podReplacementPolicy selector manualSelector
    batch.v1.CronJobSpec: concurrencyPolicy suspend successfulJobsHistoryLimit
      failedJobsHistoryLimit
    batch.v1.JobTemplateSpec: spec metadata
    core.v1.PodTemplateSpec: spec metadata
    core.v1.PodSpec: restartPolicy dnsPolicy schedulerName securityContext
      terminationGracePeriodSeconds
    core.v1.Container: image imagePullPolicy terminationMessagePath terminationMessagePolicy
      resources
    core.v1.EphemeralContainer: image imagePullPolicy terminationMessagePath
      terminationMessagePolicy resources
    core.v1.ContainerPort: protocol
    core.v1.SecurityContext: procMount
    core.v1.Probe: timeoutSeconds periodSeconds successThreshold failureThreshold
      terminationGracePeriodSeconds
    core.v1.HTTPGetAction: path scheme
    core.v1.GRPCAction: service
    core.v1.ConfigMapVolumeSource: defaultMode name
    core.v1.SecretVolumeSource: defaultMode secretName
    core.v1.ProjectedVolumeSource: defaultMode sources
    core.v1.DownwardAPIVolumeSource: defaultMode
    core.v1.HostPathVolumeSource: type
    core.v1.ServiceAccountTokenProjection: expirationSeconds
    core.v1.ObjectFieldSelector: apiVersion
    core.v1.ResourceFieldSelector: divisor
    core.v1.LocalObjectReference: name
    core.v1.ConfigMapKeySelector: name
    core.v1.SecretKeySelector: name
    core.v1.EphemeralVolumeSource: volumeClaimTemplate
    core.v1.PersistentVolumeClaimTemplate: spec metadata
    core.v1.PersistentVolumeClaimSpec: accessModes volumeMode resources
    core.v1.VolumeResourceRequirements: requests
    core.v1.PersistentVolumeSpec: accessModes capacity persistentVolumeReclaimPolicy volumeMode
    core.v1.ServiceSpec: type sessionAffinity internalTrafficPolicy externalTrafficPolicy
      ipFamilies ipFamilyPolicy clusterIP clusterIPs allocateLoadBalancerNodePorts
      healthCheckNodePort externalName
    core.v1.ServicePort: protocol targetPort nodePort
    core.v1.Secret: type
    core.v1.NamespaceSpec: finalizers
    core.v1.ResourceQuotaSpec: hard
    autoscaling.v1.HorizontalPodAutoscalerSpec: minReplicas targetCPUUtilizationPercentage
    autoscaling.v2.HorizontalPodAutoscalerSpec: minReplicas metrics
    autoscaling.v2.HPAScalingRules: policies selectPolicy stabilizationWindowSeconds
    autoscaling.v1.ScaleSpec: replicas
    networking.v1.NetworkPolicySpec: policyTypes podSelector
    networking.v1.NetworkPolicyPort: protocol
    storage.v1.StorageClass: reclaimPolicy volumeBindingMode
    core.v1.EndpointPort: protocol
    discovery.v1.EndpointPort: name protocol
    rbac.v1.Role: rules
    rbac.v1.ClusterRole: rules
    discovery.v1.EndpointSlice: endpoints ports
    rbac.v1.RoleRef: apiGroup kind name
    authentication.v1.TokenRequestSpec: audiences expirationSeconds
    admissionregistration.v1.RuleWithOperations: scope apiGroups apiVersions operations
      resources
    admissionregistration.v1.ValidatingWebhook: failurePolicy matchPolicy namespaceSelector
      objectSelector timeoutSeconds rules
    admissionregistration.v1.MutatingWebhook: failurePolicy matchPolicy namespaceSelector
      objectSelector timeoutSeconds rules reinvocationPolicy
    ",
);

/// Fields of a Pod that the server's own admission plugins set before policies are evaluated,
/// unlike those of a Pod template.
const OF_PODS: &[&str] = &[
    "enableServiceLinks",
    "preemptionPolicy",
    "priority",
    "serviceAccount",
    "serviceAccountName",
    "tolerations",
];

/// The fields of `metadata` that an object may lack. The server sets the others, or does not read
/// them.
const OPTIONAL_METADATA: &[&str] = &[
    "annotations",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "labels",
    "ownerReferences",
];

/// The entries of maps in every valid object, by the field of the map.
const KEYS: &[(&str, &str)] = &[
    ("core.v1.VolumeResourceRequirements.requests", "storage"),
    ("core.v1.PersistentVolumeSpec.capacity", "storage"),
];

/// Returns whether an object of a type has a field that its schema does not require. `kind` is the
/// kind of the whole object.
pub(super) fn always_present(kind: Option<&str>, type_name: &str, field: &str) -> bool {
    if is_metadata(type_name) {
        return !OPTIONAL_METADATA.contains(&field);
    }
    let Some(name) = type_name.strip_prefix("io.k8s.api.") else {
        return false;
    };
    if name == "core.v1.PodSpec" && kind == Some("Pod") && OF_PODS.contains(&field) {
        return true;
    }
    FIELDS.contains(name, field)
}

/// Returns whether the map in a field of a type has an entry in every valid object.
pub(super) fn has_key(type_name: &str, field: &str, key: &str) -> bool {
    let Some(name) = type_name.strip_prefix("io.k8s.api.") else {
        return false;
    };
    let of = |map: &str| map.strip_prefix(name)?.strip_prefix('.').map(str::to_owned);
    KEYS.iter()
        .any(|(map, entry)| *entry == key && of(map).as_deref() == Some(field))
}

fn is_metadata(type_name: &str) -> bool {
    type_name.ends_with(".meta.v1.ObjectMeta")
}
