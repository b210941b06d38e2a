//! Workloads, services, volumes and the other kinds of the core.

use super::check_at;

#[test]
fn a_stateful_set_rolls_and_keeps_its_volumes() {
    let set = "{apiVersion: apps/v1, kind: StatefulSet, spec: {volumeClaimTemplates: [{metadata: \
               {name: v}, spec: {accessModes: [ReadWriteOnce]}}]}}";
    check_at(
        set,
        "spec.updateStrategy",
        r#"{rollingUpdate: {partition: 0}, type: "RollingUpdate"}"#,
    );
    check_at(
        set,
        "spec.persistentVolumeClaimRetentionPolicy",
        r#"{whenDeleted: "Retain", whenScaled: "Retain"}"#,
    );
    check_at(set, "spec.podManagementPolicy", r#""OrderedReady""#);
    check_at(set, "spec.serviceName", r#""""#);
    check_at(set, "spec.selector", "null");
    check_at(
        set,
        "spec.volumeClaimTemplates.0",
        r#"{metadata: {name: "v"}, spec: {accessModes: ["ReadWriteOnce"], resources: {}, volumeMode: "Filesystem"}, status: {phase: "Pending"}}"#,
    );
    check_at(set, "status", "{availableReplicas: 0, replicas: 0}");
}

#[test]
fn a_strategy_that_is_named_alone_gets_no_parameters() {
    let set = "{apiVersion: apps/v1, kind: StatefulSet, spec: {updateStrategy: {type: \
               RollingUpdate}}}";
    check_at(set, "spec.updateStrategy", r#"{type: "RollingUpdate"}"#);
    let deployment = "{apiVersion: apps/v1, kind: Deployment, spec: {strategy: {type: Recreate}}}";
    check_at(deployment, "spec.strategy", r#"{type: "Recreate"}"#);
    let daemons =
        "{apiVersion: apps/v1, kind: DaemonSet, spec: {updateStrategy: {type: OnDelete}}}";
    check_at(daemons, "spec.updateStrategy", r#"{type: "OnDelete"}"#);
}

#[test]
fn a_job_counts_by_index() {
    let job = "{apiVersion: batch/v1, kind: Job, spec: {parallelism: 2, backoffLimitPerIndex: 1, \
               podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: T}]}]}, \
               template: {metadata: {labels: {a: b}}}}}";
    check_at(job, "spec.completions", "nothing");
    check_at(job, "spec.backoffLimit", "2147483647");
    check_at(job, "spec.podReplacementPolicy", r#""Failed""#);
    check_at(
        job,
        "spec.podFailurePolicy.rules.0",
        r#"{action: "Ignore", onPodConditions: [{status: "True", type: "T"}]}"#,
    );
    check_at(job, "metadata", r#"{labels: {a: "b"}}"#);
}

#[test]
fn a_controller_takes_the_labels_of_its_pods() {
    let controller = "{apiVersion: v1, kind: ReplicationController, spec: {template: {metadata: \
                      {labels: {a: b}}}}}";
    check_at(controller, "metadata", r#"{labels: {a: "b"}}"#);
    check_at(controller, "spec.selector", r#"{a: "b"}"#);
    check_at(controller, "spec.replicas", "1");
    check_at(controller, "spec.minReadySeconds", "nothing");
    let without = "{apiVersion: v1, kind: ReplicationController, spec: {replicas: 0}}";
    check_at(without, "spec", "{replicas: 0}");
}

#[test]
fn services_are_reached_as_their_type_says() {
    let service = |spec: &str| {
        format!("{{apiVersion: v1, kind: Service, metadata: {{name: s}}, spec: {{{spec}}}}}")
    };
    check_at(
        &service("type: ExternalName, externalName: e"),
        "spec",
        r#"{externalName: "e", sessionAffinity: "None", type: "ExternalName"}"#,
    );
    check_at(
        &service("externalIPs: [1.2.3.4]"),
        "spec.externalTrafficPolicy",
        r#""Cluster""#,
    );
    check_at(
        &service("sessionAffinity: ClientIP"),
        "spec.sessionAffinityConfig",
        "{clientIP: {timeoutSeconds: 10800}}",
    );
    check_at(
        &service("sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}"),
        "spec.sessionAffinityConfig",
        "nothing",
    );
    check_at(
        &service("ports: [{}]"),
        "spec.ports",
        r#"[{port: 0, protocol: "TCP", targetPort: 0}]"#,
    );
    check_at(
        &service("clusterIP: None"),
        "spec",
        r#"{clusterIP: "None", internalTrafficPolicy: "Cluster", sessionAffinity: "None", type: "ClusterIP"}"#,
    );
}

#[test]
fn limits_of_containers_follow_from_each_other() {
    let range = |item: &str| {
        format!("{{apiVersion: v1, kind: LimitRange, spec: {{limits: [{{{item}}}]}}}}")
    };
    check_at(
        &range("type: Container"),
        "spec.limits.0",
        r#"{type: "Container"}"#,
    );
    check_at(
        &range("type: Container, max: {cpu: 2}, min: {memory: 1Gi}"),
        "spec.limits.0",
        r#"{default: {cpu: "2"}, defaultRequest: {cpu: "2", memory: "1Gi"}, max: {cpu: "2"}, min: {memory: "1Gi"}, type: "Container"}"#,
    );
    check_at(
        &range("type: Pod, max: {cpu: 2}"),
        "spec.limits.0",
        r#"{max: {cpu: "2"}, type: "Pod"}"#,
    );
}

#[test]
fn volumes_and_nodes_have_a_state() {
    let volume = "{apiVersion: v1, kind: PersistentVolume, spec: {capacity: {storage: 1024Mi}, \
                  hostPath: {path: /a}}}";
    check_at(
        volume,
        "spec",
        r#"{capacity: {storage: "1Gi"}, hostPath: {path: "/a", type: ""}, persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem"}"#,
    );
    check_at(volume, "status", r#"{phase: "Pending"}"#);
    let node = "{apiVersion: v1, kind: Node, status: {capacity: {cpu: 4}}}";
    check_at(node, "status.allocatable", r#"{cpu: "4"}"#);
    check_at(node, "status.nodeInfo.kubeletVersion", r#""""#);
}

#[test]
fn a_namespace_has_its_name_as_label() {
    let namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: nn, labels: {a: b, \
                     kubernetes.io/metadata.name: x}}}";
    check_at(
        namespace,
        "metadata.labels",
        r#"{a: "b", kubernetes.io/metadata.name: "nn"}"#,
    );
    let nameless = "{apiVersion: v1, kind: Namespace, metadata: {generateName: n-}}";
    check_at(nameless, "metadata", r#"{generateName: "n-"}"#);
}

#[test]
fn autoscalers_scale_by_the_processor() {
    let behavior = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {behavior: \
                    {scaleDown: {stabilizationWindowSeconds: 0, policies: null, tolerance: '0.10'}}}}";
    check_at(
        behavior,
        "spec.behavior.scaleDown",
        r#"{policies: [{periodSeconds: 15, type: "Percent", value: 100}], selectPolicy: "Max", stabilizationWindowSeconds: 0, tolerance: "100m"}"#,
    );
    check_at(
        behavior,
        "spec.behavior.scaleUp",
        r#"{policies: [{periodSeconds: 15, type: "Pods", value: 4}, {periodSeconds: 15, type: "Percent", value: 100}], selectPolicy: "Max", stabilizationWindowSeconds: 0}"#,
    );
    let first = "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {}}";
    check_at(
        first,
        "spec",
        r#"{maxReplicas: 0, minReplicas: 1, scaleTargetRef: {kind: "", name: ""}}"#,
    );
    check_at(first, "status", "{currentReplicas: 0, desiredReplicas: 0}");
}

#[test]
fn other_kinds_of_the_core() {
    let account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: a}, secrets: [], \
                   automountServiceAccountToken: false}";
    check_at(account, "automountServiceAccountToken", "false");
    check_at(account, "secrets", "nothing");
    let ends = "{apiVersion: v1, kind: Endpoints, subsets: [{ports: [{port: 1}]}]}";
    check_at(ends, "subsets.0.ports", r#"[{port: 1, protocol: "TCP"}]"#);
    let event = "{apiVersion: v1, kind: Event, metadata: {name: e}}";
    check_at(event, "eventTime", "null");
    check_at(event, "involvedObject", "{}");
    check_at(event, "reportingComponent", r#""""#);
}
