//! Fields that are written even if they are missing.
//!
//! The API server writes structs, numbers, strings and booleans of most required fields even if
//! they are missing, and null for a list, a map or a pointer among them. The schemas show nearly
//! all of these; the rest is here.
//!
//! Upstream: kubernetes/api, types.go of each group.

use crate::FieldTable;

/// Fields that are written as null without a value, though none is required.
static NULLS: FieldTable = FieldTable::new(
    "
    AllocatedDeviceStatus: conditions
    AzureFilePersistentVolumeSource: secretNamespace
    CSINodeDriver: topologyKeys
    CapacityRequestPolicy: default
    ClusterRole: rules
    ContainerImage: names
    ControllerRevision: data
    CustomResourceDefinitionStatus: conditions storedVersions
    DeviceClaim: requests
    EndpointSlice: endpoints ports
    GRPCAction: service
    HTTPIngressPath: pathType
    HorizontalPodAutoscalerStatus: currentMetrics
    IngressClassParametersReference: scope
    LimitedPriorityLevelConfiguration: nominalConcurrencyShares
    MutatingWebhook: sideEffects
    PodGroupSpec: podGroupTemplateRef
    PodGroupTemplate: schedulingConstraints
    PodGroupTemplateReference: workload
    ProjectedVolumeSource: sources
    ResourcePolicyRule: namespaces
    Role: rules
    TokenRequestSpec: audiences boundObjectRef expirationSeconds
    TypedLocalObjectReference: apiGroup
    TypedObjectReference: apiGroup
    ValidatingWebhook: sideEffects
    VolumeError: time
    ",
);

/// Fields that are not written if they are missing, although they are required or their default
/// in the schema is empty.
static LEFT_OUT: FieldTable = FieldTable::new(
    "
    CapacityRequestPolicyRange: min
    ConfigMapEnvSource: name
    ConfigMapKeySelector: name
    ConfigMapProjection: name
    ConfigMapVolumeSource: name
    CounterSet: counters
    DeviceCounterConsumption: counters
    IPAddressSpec: parentRef
    LocalObjectReference: name
    ReplicationControllerSpec: minReadySeconds
    ScaleSpec: replicas
    SecretEnvSource: name
    SecretKeySelector: name
    SecretProjection: name
    ServerStorageVersion: decodableVersions
    ValidatingAdmissionPolicyBindingSpec: validationActions
    ",
);

/// Timestamps that are written as null if they are missing: those that are not pointers.
static TIMES: &[&str] = &[
    "deprecatedFirstTimestamp",
    "deprecatedLastTimestamp",
    "eventTime",
    "evictionTime",
    "expirationTimestamp",
    "finishedAt",
    "firstTimestamp",
    "lastHeartbeatTime",
    "lastObservedTime",
    "lastProbeTime",
    "lastTimestamp",
    "lastTransitionTime",
    "lastUpdateTime",
    "startedAt",
];

/// Returns whether a missing field that is not required is written as null. Such
/// a field is a list, a map or a pointer.
pub(super) fn is_null(type_name: &str, field: &str) -> bool {
    NULLS.contains(short_name(type_name), field)
}

/// Returns whether a missing field is left out, although the schema requires it.
pub(super) fn is_left_out(type_name: &str, field: &str) -> bool {
    LEFT_OUT.contains(short_name(type_name), field)
}

/// Returns whether a missing timestamp is written as null.
pub(super) fn is_written_time(field: &str) -> bool {
    TIMES.contains(&field)
}

/// Returns the last part of the name of a type.
pub(super) fn short_name(type_name: &str) -> &str {
    type_name.rsplit('.').next().unwrap_or(type_name)
}
