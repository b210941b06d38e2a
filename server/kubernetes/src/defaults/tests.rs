//! Objects as admission sees them.

mod custom;
mod governing;
mod internal;
mod pods;
mod presence;
mod workloads;

use super::{apply, tree};
use crate::object::object;
use crate::openapi::Catalog;
use crate::versions::ServerVersion;
use expect_test::{Expect, expect};

fn defaulted(text: &str) -> cel::Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    let mut value = object(root).unwrap();
    apply(&Catalog::built_in(ServerVersion(36)), &mut value);
    value
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&defaulted(text).to_string());
}

/// Compares the part of an object at a path of field names and numbers.
#[track_caller]
fn check_at(text: &str, path: &str, expected: &str) {
    let value = defaulted(text);
    let part = path
        .split('.')
        .try_fold(&value, |value, step| match step.parse::<usize>() {
            Ok(number) => value.as_list()?.get(number),
            Err(_) => value.as_map()?.get_str(step),
        })
        .map_or_else(|| "nothing".to_owned(), json);
    assert_eq!(part, expected, "{path} of {value}");
}

/// Returns a value as JSON, its fields in order.
fn json(value: &cel::Value) -> String {
    match value {
        cel::Value::Map(map) => {
            let mut fields: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", tree::key_text(key).unwrap(), json(value)))
                .collect();
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        cel::Value::List(_) => {
            let elements: Vec<String> = value.as_list().unwrap().iter().map(json).collect();
            format!("[{}]", elements.join(", "))
        }
        cel::Value::String(text) => format!("{text:?}"),
        cel::Value::Null => "null".to_owned(),
        other => other.to_string(),
    }
}

#[test]
fn a_zero_stays_where_the_field_is_a_pointer() {
    check(
        "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: a, labels: {}}, spec: \
         {replicas: 0, minReadySeconds: 0, selector: {matchLabels: {a: b}}, nonsense: 1}}",
        &expect![
            "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: a}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {}, spec: {dnsPolicy: ClusterFirst, restartPolicy: Always, securityContext: {}, terminationGracePeriodSeconds: 30, schedulerName: default-scheduler, containers: 0}}}, status: {replicas: 0}}"
        ],
    );
}

#[test]
fn quantities_are_written_in_one_form() {
    check(
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: a}, spec: \
         {hard: {cpu: 0.5, memory: 1024Mi, pods: 4, x: '1000m'}}}",
        &expect![
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: a}, spec: {hard: {cpu: 500m, memory: 1Gi, pods: 4, x: 1}}, status: {}}"
        ],
    );
}

#[test]
fn amounts_of_resources_are_rounded_up_to_thousandths() {
    check(
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: a}, spec: \
         {hard: {cpu: 100u, memory: '1.0005', a: 1n, b: 1500m, c: -1u}}}",
        &expect![
            "{apiVersion: v1, kind: ResourceQuota, metadata: {name: a}, spec: {hard: {cpu: 1m, memory: 1001m, a: 1m, b: 1500m, c: -1m}}, status: {}}"
        ],
    );
}

#[test]
fn lists_that_must_be_there_are_null_without_a_value() {
    check(
        "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}}",
        &expect![
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}, rules: 0}"
        ],
    );
}

#[test]
fn a_pod_on_the_host_network_has_the_ports_of_the_host() {
    check(
        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {hostNetwork: true, containers: \
         [{name: a, image: 'a:1', ports: [{containerPort: 80}], env: [{name: E, valueFrom: \
         {resourceFieldRef: {resource: limits.cpu}}}]}]}}",
        &expect![
            "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {hostNetwork: true, containers: [{name: a, image: a:1, ports: [{containerPort: 80, hostPort: 80, protocol: TCP}], env: [{name: E, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 0}}}], resources: {}, imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}], enableServiceLinks: true, dnsPolicy: ClusterFirst, restartPolicy: Always, securityContext: {}, terminationGracePeriodSeconds: 30, schedulerName: default-scheduler}, status: {}}"
        ],
    );
}

#[test]
fn other_kinds_stay_as_they_are() {
    check(
        "{apiVersion: x.io/v1, kind: Gateway, spec: {}}",
        &expect!["{apiVersion: x.io/v1, kind: Gateway, spec: {}}"],
    );
}
