//! Fields that are written even if they are zero.
//!
//! The API server decodes an object into Go types and encodes it again. A number, a string or a
//! boolean that is zero is written only if the field is a pointer or always written. The schemas
//! show the fields that are always written, but not the pointers, so they are listed here:
//! `replicas: 0` is kept, `hostNetwork: false` is not.
//!
//! Upstream: kubernetes/api, types.go of each group.

use super::presence::short_name;
use crate::FieldTable;

/// The pointers to plain values by the name of the type.
static POINTERS: FieldTable = FieldTable::new(
    "
    AllocatedDeviceStatus: shareID
    AppArmorProfile: localhostProfile
    AzureDiskVolumeSource: cachingMode fsType kind readOnly
    BasicDevice: allNodes allowMultipleAllocations bindsToNode nodeName
    CSIDriverSpec: attachRequired fsGroupPolicy nodeAllocatableUpdatePeriodSeconds
      podInfoOnMount preventPodSchedulingIfMissing requiresRepublish seLinuxMount
      serviceAccountTokenInSecrets storageCapacity
    CSIVolumeSource: fsType readOnly
    CertificateSigningRequestSpec: expirationSeconds signerName
    ClientIPConfig: timeoutSeconds
    ClusterTrustBundleProjection: name optional signerName
    ConfigMap: immutable
    ConfigMapEnvSource: optional
    ConfigMapKeySelector: optional
    ConfigMapProjection: optional
    ConfigMapVolumeSource: defaultMode optional
    Container: restartPolicy
    ContainerResourceMetricSource: targetAverageUtilization
    ContainerResourceMetricStatus: currentAverageUtilization
    ContainerStatus: started stopSignal
    CronJobSpec: failedJobsHistoryLimit startingDeadlineSeconds successfulJobsHistoryLimit
      suspend timeZone
    CustomResourceDefinitionVersion: deprecationWarning
    CustomResourceSubresourceScale: labelSelectorPath
    DaemonSetSpec: revisionHistoryLimit
    DaemonSetStatus: collisionCount
    DeleteOptions: gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential
      orphanDependents propagationPolicy
    DeploymentSpec: progressDeadlineSeconds replicas revisionHistoryLimit
    DeploymentStatus: collisionCount terminatingReplicas
    Device: allNodes allowMultipleAllocations bindsToNode nodeName
    DeviceAttribute: bool int string version
    DeviceClassSpec: extendedResourceName
    DeviceConstraint: distinctAttribute matchAttribute
    DeviceRequest: adminAccess
    DeviceRequestAllocationResult: adminAccess shareID
    DeviceTaintSelector: device driver pool
    DeviceToleration: tolerationSeconds
    DownwardAPIVolumeFile: mode
    DownwardAPIVolumeSource: defaultMode
    Endpoint: hostname nodeName zone
    EndpointAddress: nodeName
    EndpointConditions: ready serving terminating
    EndpointPort: appProtocol port
    EphemeralContainerCommon: restartPolicy
    ExactDeviceRequest: adminAccess
    ExemptPriorityLevelConfiguration: lendablePercent nominalConcurrencyShares
    FCVolumeSource: lun
    FileKeySelector: optional
    GlusterfsPersistentVolumeSource: endpointsNamespace
    HPAScalingRules: selectPolicy stabilizationWindowSeconds
    HTTPIngressPath: pathType
    HorizontalPodAutoscalerSpec: minReplicas targetCPUUtilizationPercentage
    HorizontalPodAutoscalerStatus: currentCPUUtilizationPercentage observedGeneration
    HostPathVolumeSource: type
    ISCSIPersistentVolumeSource: initiatorName
    ISCSIVolumeSource: initiatorName
    IngressClassParametersReference: apiGroup namespace
    IngressPortStatus: error
    IngressSpec: ingressClassName
    JSONSchemaProps: $ref maxItems maxLength maxProperties maximum minItems minLength
      minProperties minimum multipleOf x-kubernetes-list-type x-kubernetes-map-type
      x-kubernetes-preserve-unknown-fields
    JobSpec: activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions
      managedBy manualSelector maxFailedIndexes parallelism podReplacementPolicy suspend
      ttlSecondsAfterFinished
    JobStatus: failedIndexes ready terminating
    KeyToPath: mode
    LeaseSpec: holderIdentity leaseDurationSeconds leaseTransitions preferredHolder strategy
    Lifecycle: stopSignal
    LimitedPriorityLevelConfiguration: borrowingLimitPercent lendablePercent
    ListMeta: remainingItemCount
    ListOptions: sendInitialEvents timeoutSeconds
    LoadBalancerIngress: ipMode
    LocalVolumeSource: fsType
    MatchResources: matchPolicy
    MetricTarget: averageUtilization
    MetricValueStatus: averageUtilization
    MutatingAdmissionPolicySpec: failurePolicy
    MutatingWebhook: failurePolicy matchPolicy reinvocationPolicy sideEffects timeoutSeconds
    NetworkPolicyPort: endPort protocol
    NodeAllocatableResourceMapping: capacityKey
    NodeFeatures: supplementalGroupsPolicy
    NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts userNamespaces
    NodeSwapStatus: capacity
    ObjectMeta: deletionGracePeriodSeconds
    OwnerReference: blockOwnerDeletion controller
    ParamRef: parameterNotFoundAction
    PatchOptions: force
    PersistentVolumeClaimSpec: storageClassName volumeAttributesClassName volumeMode
    PersistentVolumeClaimStatus: currentVolumeAttributesClassName
    PersistentVolumeSpec: volumeAttributesClassName volumeMode
    PodCertificateProjection: maxExpirationSeconds
    PodCertificateRequestSpec: maxExpirationSeconds
    PodDNSConfigOption: value
    PodDisruptionBudgetSpec: unhealthyPodEvictionPolicy
    PodFailurePolicyOnExitCodesRequirement: containerName
    PodGroupResourceClaim: resourceClaimName resourceClaimTemplateName
    PodGroupResourceClaimStatus: resourceClaimName
    PodGroupSpec: disruptionMode priority
    PodGroupTemplate: disruptionMode priority
    PodLogOptions: limitBytes sinceSeconds stream tailLines
    PodResourceClaim: resourceClaimName resourceClaimTemplateName
    PodResourceClaimStatus: resourceClaimName
    PodSchedulingGroup: podGroupName
    PodSecurityContext: fsGroup fsGroupChangePolicy runAsGroup runAsNonRoot runAsUser
      seLinuxChangePolicy supplementalGroupsPolicy
    PodSpec: activeDeadlineSeconds automountServiceAccountToken enableServiceLinks hostUsers
      hostnameOverride preemptionPolicy priority runtimeClassName setHostnameAsFQDN
      shareProcessNamespace terminationGracePeriodSeconds
    PoolStatus: allocatedDevices availableDevices nodeName resourceSliceCount totalDevices
      unavailableDevices validationError
    PortStatus: error
    Preconditions: resourceVersion uid
    PriorityClass: preemptionPolicy
    Probe: terminationGracePeriodSeconds
    ProjectedVolumeSource: defaultMode
    ReplicaSetSpec: replicas
    ReplicaSetStatus: terminatingReplicas
    ReplicationControllerSpec: replicas
    ResourceHealth: message
    ResourceMetricSource: targetAverageUtilization
    ResourceMetricStatus: currentAverageUtilization
    ResourcePoolStatusRequestSpec: limit poolName
    ResourcePoolStatusRequestStatus: poolCount
    ResourceSliceSpec: allNodes nodeName perDeviceNodeSelection
    RollingUpdateStatefulSetStrategy: partition
    Rule: scope
    SeccompProfile: localhostProfile
    Secret: immutable
    SecretEnvSource: optional
    SecretKeySelector: optional
    SecretProjection: optional
    SecretVolumeSource: defaultMode optional
    SecurityContext: allowPrivilegeEscalation privileged procMount readOnlyRootFilesystem
      runAsGroup runAsNonRoot runAsUser
    ServiceAccount: automountServiceAccountToken
    ServiceAccountTokenProjection: expirationSeconds
    ServicePort: appProtocol
    ServiceReference: path port
    ServiceSpec: allocateLoadBalancerNodePorts internalTrafficPolicy ipFamilyPolicy
      loadBalancerClass trafficDistribution
    StatefulSetSpec: replicas revisionHistoryLimit
    StatefulSetStatus: collisionCount
    StorageClass: allowVolumeExpansion reclaimPolicy volumeBindingMode
    StorageVersionStatus: commonEncodingVersion
    SuccessPolicyRule: succeededCount succeededIndexes
    TokenRequest: expirationSeconds
    Toleration: tolerationSeconds
    TopologySpreadConstraint: minDomains nodeAffinityPolicy nodeTaintsPolicy
    TypedObjectReference: namespace
    ValidatingAdmissionPolicySpec: failurePolicy
    ValidatingWebhook: failurePolicy matchPolicy sideEffects timeoutSeconds
    Validation: reason
    ValidationRule: optionalOldSelf reason
    VolumeAttachmentSource: persistentVolumeName
    VolumeError: errorCode
    VolumeMount: mountPropagation recursiveReadOnly
    VolumeMountStatus: recursiveReadOnly
    VolumeNodeResources: count
    WebhookClientConfig: url
    WindowsSecurityContextOptions: gmsaCredentialSpec gmsaCredentialSpecName hostProcess
      runAsUserName
    ",
);

/// Returns whether a field of a type is a pointer to a scalar. Only the last part of the type's
/// name is compared.
pub(super) fn is_pointer(type_name: &str, field: &str) -> bool {
    POINTERS.contains(short_name(type_name), field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pointers_are_in_the_table() {
        assert!(is_pointer("io.k8s.api.apps.v1.DeploymentSpec", "replicas"));
        assert!(!is_pointer("io.k8s.api.core.v1.PodSpec", "hostNetwork"));
    }
}
