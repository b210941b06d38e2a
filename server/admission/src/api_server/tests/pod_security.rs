//! The Pod Security Standards that the labels of a namespace require.

use super::built_in::{POD, created};
use crate::Response;

fn namespace(labels: &str) -> String {
    let labels = labels.split(' ').map(|label| {
        let (key, value) = label.split_once('=').unwrap();
        format!("pod-security.kubernetes.io/{key}: {value}")
    });
    let labels = labels.collect::<Vec<_>>().join(", ");
    format!("{{apiVersion: v1, kind: Namespace, metadata: {{name: a, labels: {{{labels}}}}}}}")
}

/// Returns the response to the creation of a pod in a namespace with these labels.
fn response(labels: &str, pod: &str) -> Response {
    created("", &[namespace(labels)], pod)
}

fn pod(spec: &str, container: &str) -> String {
    POD.replace("spec: {", &format!("spec: {{{spec}"))
        .replace("image: a}", &format!("image: a{container}}}"))
}

/// The settings with which a pod meets the strictest level.
const RESTRICTED: &str = ", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, \
    runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}";

#[track_caller]
fn check(level: &str, pod: &str, expected: &str) {
    let response = response(&format!("enforce={level}"), pod);
    let start = format!("pods \"g-x7k2p\" is forbidden: violates PodSecurity \"{level}:latest\": ");
    let found = response.message.strip_prefix(&start);
    assert_eq!(found.unwrap_or(&response.message), expected);
    assert_eq!(response.allowed, expected.is_empty());
}

/// Fields of a pod, fields of its container, and the violations.
const BASELINE: &[(&str, &str, &str)] = &[
    ("", "", ""),
    (
        "hostPID: true, hostIPC: true, ",
        "",
        "host namespaces (hostPID=true, hostIPC=true)",
    ),
    (
        "volumes: [{name: v, hostPath: {path: /}}, {name: w, hostPath: {path: /}}], ",
        "",
        "hostPath volumes (volumes \"v\", \"w\")",
    ),
    (
        "",
        ", ports: [{containerPort: 1, hostPort: 90}, {containerPort: 2, hostPort: 8}]",
        "hostPort (container \"a\" uses hostPorts 8, 90)",
    ),
    (
        "",
        ", livenessProbe: {httpGet: {host: x, port: 1}}",
        "probe or lifecycle host (container \"a\" uses probe or lifecycle host \"x\")",
    ),
    (
        "",
        ", securityContext: {privileged: true}",
        "privileged (container \"a\" must not set securityContext.privileged=true)",
    ),
    (
        "",
        ", securityContext: {capabilities: {add: [NET_ADMIN, CHOWN, BPF]}}",
        "non-default capabilities (container \"a\" must not include \"BPF\", \"NET_ADMIN\" in \
             securityContext.capabilities.add)",
    ),
    (
        "",
        ", securityContext: {procMount: Unmasked}",
        "procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
    ),
    (
        "securityContext: {seLinuxOptions: {type: t, user: u}}, ",
        ", securityContext: {seLinuxOptions: {role: r}}",
        "seLinuxOptions (pod and container \"a\" set forbidden securityContext.seLinuxOptions: \
             type \"t\"; user may not be set; role may not be set)",
    ),
    (
        "securityContext: {seccompProfile: {type: Unconfined}}, ",
        "",
        "seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
    ),
    (
        "securityContext: {appArmorProfile: {type: Unconfined}}, ",
        "",
        "forbidden AppArmor profile (pod must not set AppArmor profile type to \"Unconfined\")",
    ),
    (
        "securityContext: {sysctls: [{name: net.ipv4.tcp_rmem, value: '1'}, {name: kernel.msgmax, \
             value: '1'}]}, ",
        "",
        "forbidden sysctls (kernel.msgmax)",
    ),
    (
        "",
        ", securityContext: {windowsOptions: {hostProcess: true}}",
        "hostProcess (container \"a\" must not set \
             securityContext.windowsOptions.hostProcess=true)",
    ),
];

#[test]
fn baseline_rejects_privileges_of_the_node() {
    for (spec, container, expected) in BASELINE {
        check("baseline", &pod(spec, container), expected);
    }
}

#[test]
fn restricted_requires_settings() {
    check(
        "restricted",
        POD,
        "allowPrivilegeEscalation != false (container \"a\" must set \
         securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container \"a\" \
         must set securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or container \
         \"a\" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container \"a\" must \
         set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")",
    );
    check("restricted", &pod("", RESTRICTED), "");
    for (spec, container, expected) in [
        (
            "volumes: [{name: v, nfs: {server: s, path: /}}, {name: w, emptyDir: {}}], ",
            RESTRICTED.to_owned(),
            "restricted volume types (volume \"v\" uses restricted volume type \"nfs\")",
        ),
        (
            "securityContext: {runAsNonRoot: false, runAsUser: 0}, ",
            RESTRICTED.to_owned(),
            "runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false), runAsUser=0 \
             (pod must not set runAsUser=0)",
        ),
        (
            "",
            RESTRICTED.replace("drop: [ALL]", "drop: [ALL], add: [NET_BIND_SERVICE, CHOWN]"),
            "unrestricted capabilities (container \"a\" must not include \"CHOWN\" in \
             securityContext.capabilities.add)",
        ),
        (
            "hostUsers: false, ",
            RESTRICTED.replace("runAsNonRoot: true", "runAsUser: 0"),
            "",
        ),
    ] {
        check("restricted", &pod(spec, &container), expected);
    }
}

#[test]
fn version_label_selects_checks() {
    let user = pod(
        "",
        &RESTRICTED.replace("runAsNonRoot: true", "runAsNonRoot: true, runAsUser: 0"),
    );
    assert!(!response("enforce=restricted enforce-version=v1.23", &user).allowed);
    assert!(response("enforce=restricted enforce-version=v1.22", &user).allowed);
}

#[test]
fn warn_and_audit_labels_do_not_reject() {
    let privileged = pod("hostPID: true, ", "");
    let found = response("warn=baseline audit=restricted", &privileged);
    assert!(found.allowed);
    let warnings: Vec<&str> = found.warnings.iter().map(|it| &*it.message).collect();
    assert_eq!(
        warnings,
        ["would violate PodSecurity \"baseline:latest\": host namespaces (hostPID=true)"]
    );
    let keys: Vec<&str> = found
        .audit_annotations
        .iter()
        .map(|(key, _)| &**key)
        .collect();
    assert_eq!(
        keys,
        [
            "pod-security.kubernetes.io/enforce-policy",
            "pod-security.kubernetes.io/audit-violations"
        ]
    );
    // A denial has no warnings.
    assert!(
        response("enforce=baseline warn=restricted", &privileged)
            .warnings
            .is_empty()
    );
}

#[test]
fn workload_gets_only_warnings() {
    let deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: a}, spec: \
        {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {hostPID: true, \
        containers: [{name: a, image: a}]}}}}";
    let found = response("enforce=baseline", deployment);
    assert!(found.allowed);
    assert_eq!(
        found.warnings[0].message,
        "would violate PodSecurity \"baseline:latest\": host namespaces (hostPID=true)"
    );
    assert_eq!(found.audit_annotations, []);
}

#[test]
fn namespace_with_invalid_label_is_rejected() {
    let namespace = namespace("enforce=strict warn-version=1x");
    let response = created("", &[], &namespace);
    assert_eq!(response.code, 422);
    assert_eq!(
        response.message,
        "Namespace \"a\" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \
         \"strict\": must be one of privileged, baseline, restricted, \
         metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: \"1x\": must be \
         \"latest\" or \"v1.x\"]"
    );
}
