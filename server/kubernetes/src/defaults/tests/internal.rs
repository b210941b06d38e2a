//! Objects converted through the internal type of the server.

use super::{defaulted, json};
use crate::defaults::{normalize_for_admission, tree};

/// Compares the part of a normalized object at a path of field names.
#[track_caller]
fn check(text: &str, path: &[&str], expected: &str) {
    let mut value = defaulted(text);
    normalize_for_admission(&mut value);
    let part = tree::at(&value, path).map_or_else(|| "nothing".to_owned(), json);
    assert_eq!(part, expected, "{path:?} of {value}");
    let once = value.clone();
    normalize_for_admission(&mut value);
    assert_eq!(value, once, "a second time");
}

#[test]
fn the_account_of_a_pod_has_two_names() {
    let deployment = |spec: &str| {
        format!(
            "{{apiVersion: apps/v1, kind: Deployment, spec: {{template: {{spec: {{{spec}}}}}}}}}"
        )
    };
    let path = ["spec", "template", "spec"];
    for spec in [
        "serviceAccountName: a",
        "serviceAccount: a",
        "serviceAccount: b, serviceAccountName: a",
    ] {
        for field in ["serviceAccountName", "serviceAccount"] {
            let path = [path[0], path[1], path[2], field];
            check(&deployment(spec), &path, "\"a\"");
        }
    }
    check(
        &deployment("hostNetwork: true"),
        &[path[0], path[1], path[2], "serviceAccount"],
        "nothing",
    );
    check(
        "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: \
         {serviceAccount: a}}}}}}",
        &[
            "spec",
            "jobTemplate",
            "spec",
            "template",
            "spec",
            "serviceAccountName",
        ],
        "\"a\"",
    );
}

#[test]
fn texts_of_a_secret_become_data() {
    let secret = "{apiVersion: v1, kind: Secret, data: {a: eA==, b: eA==}, stringData: {a: b, \
                  c: ''}}";
    check(secret, &["data"], r#"{a: "Yg==", b: "eA==", c: ""}"#);
    check(secret, &["stringData"], "nothing");
}

#[test]
fn claims_of_a_stateful_set_say_what_they_are() {
    let set = "{apiVersion: apps/v1, kind: StatefulSet, spec: {volumeClaimTemplates: [{metadata: \
               {name: v}}]}}";
    let mut value = defaulted(set);
    normalize_for_admission(&mut value);
    let claim = tree::at(&value, &["spec", "volumeClaimTemplates"]);
    let claim = &claim.and_then(cel::Value::as_list).unwrap()[0];
    assert_eq!(tree::text_of(claim, "kind"), "PersistentVolumeClaim");
    assert_eq!(tree::text_of(claim, "apiVersion"), "v1");
}

#[test]
fn an_autoscaler_of_version_1_aims_at_the_processor() {
    let path = ["spec", "targetCPUUtilizationPercentage"];
    let autoscaler = |rest: &str| {
        format!("{{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, {rest}}}")
    };
    check(&autoscaler("spec: {}"), &path, "80");
    check(
        &autoscaler("spec: {targetCPUUtilizationPercentage: 50}"),
        &path,
        "50",
    );
    check(
        &autoscaler("metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '[]'}}"),
        &path,
        "nothing",
    );
}

#[test]
fn notes_for_another_version_go() {
    let autoscaler = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: \
                      {name: a, annotations: {autoscaling.alpha.kubernetes.io/metrics: '[]', b: \
                      c}}}";
    check(autoscaler, &["metadata", "annotations"], r#"{b: "c"}"#);
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: \
               {pod.beta.kubernetes.io/init-containers: '[]'}}}";
    check(pod, &["metadata"], r#"{name: "a"}"#);
}

#[test]
fn the_range_of_a_node_is_its_first() {
    let node = |spec: &str| format!("{{apiVersion: v1, kind: Node, spec: {{{spec}}}}}");
    check(
        &node("podCIDR: a"),
        &["spec"],
        r#"{podCIDR: "a", podCIDRs: ["a"]}"#,
    );
    check(
        &node("podCIDRs: [a, b]"),
        &["spec"],
        r#"{podCIDR: "a", podCIDRs: ["a", "b"]}"#,
    );
    check(
        &node("podCIDR: c, podCIDRs: [a, b]"),
        &["spec"],
        r#"{podCIDR: "c", podCIDRs: ["c"]}"#,
    );
}
