//! Pods: their resources, ports and volumes.

use super::check_at;

fn pod(spec: &str) -> String {
    format!("{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{{spec}}}}}")
}

#[test]
fn a_pod_asks_for_what_its_containers_need() {
    let pod = pod(
        "resources: {limits: {cpu: 4, memory: 2Gi}}, containers: [{name: a, resources: \
         {requests: {cpu: 500m}}}, {name: b, resources: {limits: {cpu: 1}}}]",
    );
    check_at(
        &pod,
        "spec.resources",
        r#"{limits: {cpu: "4", memory: "2Gi"}, requests: {cpu: "1500m", memory: "2Gi"}}"#,
    );
}

#[test]
fn containers_that_run_first_count_where_they_need_more() {
    let containers = "containers: [{name: a, resources: {requests: {cpu: 1}}}], initContainers: \
                      [{name: s, restartPolicy: Always, resources: {requests: {cpu: 250m}}}, \
                      {name: i, resources: {requests: {cpu: 1200m, memory: 1Gi}}}]";
    let pod = pod(&format!("resources: {{limits: {{cpu: 4}}}}, {containers}"));
    check_at(
        &pod,
        "spec.resources.requests",
        r#"{cpu: "1450m", memory: "1Gi"}"#,
    );
}

#[test]
fn requests_of_a_pod_without_limits_stay_alone() {
    let pod = pod(
        "resources: {requests: {cpu: 1}}, containers: [{name: a, resources: {requests: \
         {memory: 1Gi}, limits: {memory: 1Gi}}}]",
    );
    check_at(&pod, "spec.resources", r#"{requests: {cpu: "1"}}"#);
}

#[test]
fn huge_pages_of_containers_are_limits_of_the_pod() {
    let pod = pod(
        "resources: {requests: {cpu: 1}}, containers: [{name: a, resources: {limits: \
         {hugepages-2Mi: 2Mi}}}, {name: b, resources: {limits: {hugepages-2Mi: 4Mi}}}]",
    );
    check_at(
        &pod,
        "spec.resources",
        r#"{limits: {hugepages-2Mi: "6Mi"}, requests: {cpu: "1", hugepages-2Mi: "6Mi"}}"#,
    );
}

#[test]
fn a_pod_without_resources_of_its_own_gets_none() {
    let containers = "containers: [{name: a, resources: {limits: {cpu: 1}}}]";
    check_at(&pod(containers), "spec.resources", "nothing");
    let empty = pod(&format!("resources: {{}}, {containers}"));
    check_at(&empty, "spec.resources", "{}");
}

#[test]
fn a_template_of_a_pod_asks_for_no_more_than_it_says() {
    let set = "{apiVersion: apps/v1, kind: ReplicaSet, spec: {template: {spec: {resources: \
               {limits: {cpu: 1}}, containers: [{name: a, resources: {limits: {cpu: 100u}}}]}}}}";
    check_at(
        set,
        "spec.template.spec.resources",
        r#"{limits: {cpu: "1"}}"#,
    );
    check_at(
        set,
        "spec.template.spec.containers.0.resources",
        r#"{limits: {cpu: "1m"}}"#,
    );
    check_at(set, "spec.template.spec.enableServiceLinks", "nothing");
}

#[test]
fn a_port_zero_of_the_host_is_none() {
    let pod = pod(
        "hostNetwork: true, initContainers: [{name: i, ports: [{containerPort: 81, hostPort: \
         0}]}], ephemeralContainers: [{name: e, ports: [{containerPort: 82}]}]",
    );
    check_at(
        &pod,
        "spec.initContainers.0.ports",
        r#"[{containerPort: 81, hostPort: 81, protocol: "TCP"}]"#,
    );
    check_at(
        &pod,
        "spec.ephemeralContainers.0.ports",
        r#"[{containerPort: 82, protocol: "TCP"}]"#,
    );
    check_at(&pod, "spec.containers", "null");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row for each source")]
fn volumes_have_the_defaults_of_their_source() {
    for (source, expected) in [
        (
            "image: {reference: r}",
            r#"image: {pullPolicy: "Always", reference: "r"}"#,
        ),
        (
            "image: {reference: 'r:1', pullPolicy: Never}",
            r#"image: {pullPolicy: "Never", reference: "r:1"}"#,
        ),
        ("emptyDir: null", "emptyDir: {}"),
        (
            "hostPath: {path: /a, type: Directory}",
            r#"hostPath: {path: "/a", type: "Directory"}"#,
        ),
        (
            "iscsi: {targetPortal: t, iqn: i, lun: 0}",
            r#"iscsi: {iqn: "i", iscsiInterface: "default", lun: 0, targetPortal: "t"}"#,
        ),
        (
            "rbd: {monitors: [m], image: i}",
            r#"rbd: {image: "i", keyring: "/etc/ceph/keyring", monitors: ["m"], pool: "rbd", user: "admin"}"#,
        ),
        (
            "scaleIO: {gateway: g, system: s, secretRef: {name: nn}}",
            r#"scaleIO: {fsType: "xfs", gateway: "g", secretRef: {name: "nn"}, storageMode: "ThinProvisioned", system: "s"}"#,
        ),
        (
            "azureDisk: {diskName: d, diskURI: u}",
            r#"azureDisk: {cachingMode: "ReadWrite", diskName: "d", diskURI: "u", fsType: "ext4", kind: "Shared", readOnly: false}"#,
        ),
        (
            "downwardAPI: {items: [{path: p, fieldRef: {fieldPath: f}}]}",
            r#"downwardAPI: {defaultMode: 420, items: [{fieldRef: {apiVersion: "v1", fieldPath: "f"}, path: "p"}]}"#,
        ),
        (
            "configMap: {items: [{key: k, path: p}]}",
            r#"configMap: {defaultMode: 420, items: [{key: "k", path: "p"}]}"#,
        ),
        (
            "projected: {sources: [{serviceAccountToken: {path: t}}, {secret: {}}]}",
            r#"projected: {defaultMode: 420, sources: [{serviceAccountToken: {expirationSeconds: 3600, path: "t"}}, {secret: {}}]}"#,
        ),
        (
            "projected: {}",
            "projected: {defaultMode: 420, sources: null}",
        ),
        (
            "ephemeral: {volumeClaimTemplate: {spec: {}}}",
            r#"ephemeral: {volumeClaimTemplate: {metadata: {}, spec: {resources: {}, volumeMode: "Filesystem"}}}"#,
        ),
        ("gitRepo: {repository: r}", r#"gitRepo: {repository: "r"}"#),
    ] {
        let text = pod(&format!("volumes: [{{name: v, {source}}}]"));
        let mut parts = [expected.to_owned(), "name: \"v\"".to_owned()];
        parts.sort();
        check_at(
            &text,
            "spec.volumes.0",
            &format!("{{{}}}", parts.join(", ")),
        );
    }
}

#[test]
fn probes_and_handlers_have_defaults() {
    let pod = pod(
        "containers: [{name: a, livenessProbe: {timeoutSeconds: 0, grpc: {port: 1}}, lifecycle: \
         {preStop: {httpGet: {port: p}}, postStart: {exec: {}}}, startupProbe: {tcpSocket: \
         {port: 2}, failureThreshold: 9}}]",
    );
    check_at(
        &pod,
        "spec.containers.0.livenessProbe",
        r#"{failureThreshold: 3, grpc: {port: 1, service: ""}, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1}"#,
    );
    check_at(
        &pod,
        "spec.containers.0.lifecycle",
        r#"{postStart: {exec: {}}, preStop: {httpGet: {path: "/", port: "p", scheme: "HTTP"}}}"#,
    );
    check_at(
        &pod,
        "spec.containers.0.startupProbe",
        "{failureThreshold: 9, periodSeconds: 10, successThreshold: 1, tcpSocket: {port: 2}, \
         timeoutSeconds: 1}",
    );
}

#[test]
fn fields_without_defaults_stay_out() {
    let pod = pod(
        "topologySpreadConstraints: [{maxSkew: 1, topologyKey: k, whenUnsatisfiable: \
         DoNotSchedule}], hostPID: false, shareProcessNamespace: false, securityContext: \
         {runAsUser: 0, runAsNonRoot: false}",
    );
    check_at(
        &pod,
        "spec.topologySpreadConstraints.0",
        r#"{maxSkew: 1, topologyKey: "k", whenUnsatisfiable: "DoNotSchedule"}"#,
    );
    check_at(&pod, "spec.hostPID", "nothing");
    check_at(&pod, "spec.shareProcessNamespace", "false");
    check_at(
        &pod,
        "spec.securityContext",
        "{runAsNonRoot: false, runAsUser: 0}",
    );
}
