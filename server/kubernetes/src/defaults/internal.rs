//! Conversion of objects to the internal types of the server and back.
//!
//! Admission sees an object after the server has converted it to its internal type and back to its
//! version. Most fields are the same afterward. This module handles those that are not.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/v1/conversion.go, pkg/apis/apps/v1/
//! conversion.go, pkg/apis/autoscaling/v1/conversion.go and v2/conversion.go.

use super::autoscaling::UTILIZATION;
use super::tree::{
    at, at_mut, child, default_int, elements_mut, get, get_mut, is_empty, key_text, set, text,
    text_of,
};
use cel::Value;
use cel::value::Map;

/// The pod templates of a kind: the parts that hold `metadata` and `spec`.
const PODS: [(&str, &str, &[&str]); 9] = [
    ("v1", "Pod", &[]),
    ("v1", "PodTemplate", &["template"]),
    ("v1", "ReplicationController", &["spec", "template"]),
    ("apps/v1", "Deployment", &["spec", "template"]),
    ("apps/v1", "ReplicaSet", &["spec", "template"]),
    ("apps/v1", "StatefulSet", &["spec", "template"]),
    ("apps/v1", "DaemonSet", &["spec", "template"]),
    ("batch/v1", "Job", &["spec", "template"]),
    (
        "batch/v1",
        "CronJob",
        &["spec", "jobTemplate", "spec", "template"],
    ),
];

/// Notes of containers that run first, from before they had a field.
const OF_FIRST_CONTAINERS: [&str; 4] = [
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-containers",
    "pod.alpha.kubernetes.io/init-container-statuses",
    "pod.beta.kubernetes.io/init-container-statuses",
];

/// Annotations in which version 1 of an autoscaler keeps what only version 2 has fields for.
const OF_AUTOSCALERS: [&str; 4] = [
    METRICS,
    "autoscaling.alpha.kubernetes.io/behavior",
    "autoscaling.alpha.kubernetes.io/current-metrics",
    "autoscaling.alpha.kubernetes.io/conditions",
];
const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";

/// The annotation in which a DaemonSet counts the changes of its template.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// Normalizes an object with defaults as admission sees it.
pub fn normalize_for_admission(object: &mut Value) {
    let kind = text_of(object, "kind");
    let api_version = text_of(object, "apiVersion");
    let pods = PODS
        .iter()
        .find(|(of, name, _)| (*of, *name) == (api_version, kind));
    let rule: Option<super::Rule> = match (api_version, kind) {
        ("v1", "Pod") => Some(pod),
        ("v1", "Secret") => Some(secret),
        ("v1", "Node") => Some(node),
        ("apps/v1", "StatefulSet") => Some(stateful_set),
        ("apps/v1", "DaemonSet") => Some(daemon_set),
        ("autoscaling/v1", "HorizontalPodAutoscaler") => Some(autoscaler_v1),
        ("autoscaling/v2", "HorizontalPodAutoscaler") => {
            Some(|it| drop_annotations(it, &OF_AUTOSCALERS))
        }
        _ => None,
    };
    if let Some((_, _, path)) = pods
        && let Some(pod) = at_mut(object, path)
    {
        drop_annotations(pod, &OF_FIRST_CONTAINERS);
        if let Some(spec) = get_mut(pod, "spec") {
            account(spec);
        }
    }
    if let Some(rule) = rule {
        rule(object);
    }
}

/// Sets the annotation that counts the changes of a DaemonSet's template, which starts at 1.
pub fn count_template(object: &mut Value) {
    let path = ["metadata", "annotations", TEMPLATE_GENERATION];
    let is_of_daemons =
        text_of(object, "apiVersion") == "apps/v1" && text_of(object, "kind") == "DaemonSet";
    if is_of_daemons && at(object, &path).and_then(Value::as_str) == Some("0") {
        annotate(object, TEMPLATE_GENERATION, "1");
    }
}

/// Sets the same annotation in a changed DaemonSet: the old value, plus one if the template
/// changed.
pub fn recount_template(object: &mut Value, old: &Value, is_same: bool) {
    let path = ["metadata", "annotations", TEMPLATE_GENERATION];
    let count = at(old, &path).and_then(Value::as_str);
    let count = count.and_then(|count| count.parse::<i64>().ok());
    let count = count.unwrap_or(1).saturating_add(i64::from(!is_same));
    annotate(object, TEMPLATE_GENERATION, &count.to_string());
}

/// Sets a grace period that is negative, which only templates keep.
fn pod(pod: &mut Value) {
    const FIELD: &str = "terminationGracePeriodSeconds";
    if let Some(spec) = get_mut(pod, "spec")
        && get(spec, FIELD)
            .and_then(Value::as_int)
            .is_some_and(|it| it < 0)
    {
        set(spec, FIELD, Value::Int(1));
    }
}

fn drop_annotations(object: &mut Value, names: &[&str]) {
    let Some(metadata) = get_mut(object, "metadata") else {
        return;
    };
    let annotations = get(metadata, "annotations").and_then(Value::as_map);
    let has = |annotations: &Map| names.iter().any(|name| annotations.get_str(name).is_some());
    if !annotations.is_some_and(has) {
        return;
    }
    let is_gone = |annotations: &mut Map| {
        annotations.retain(|key, _| key_text(key).is_none_or(|key| !names.contains(&key)));
        annotations.is_empty()
    };
    let annotations = get_mut(metadata, "annotations").and_then(Value::as_map_mut);
    if annotations.is_some_and(is_gone)
        && let Some(metadata) = metadata.as_map_mut()
    {
        metadata.take_str("annotations");
    }
}

fn annotate(object: &mut Value, name: &str, value: &str) {
    let metadata = child(object, "metadata");
    if let Some(annotations) = metadata.and_then(|metadata| child(metadata, "annotations")) {
        set(annotations, name, text(value));
    }
}

/// Sets both fields of a pod's service account.
fn account(spec: &mut Value) {
    let name = text_of(spec, "serviceAccountName");
    let name = if name.is_empty() {
        text_of(spec, "serviceAccount")
    } else {
        name
    };
    if name.is_empty() {
        return;
    }
    let name = text(name);
    set(spec, "serviceAccountName", name.clone());
    set(spec, "serviceAccount", name);
}

/// Moves `stringData` to `data`.
fn secret(secret: &mut Value) {
    let Some(texts) = secret.as_map_mut().and_then(|it| it.take_str("stringData")) else {
        return;
    };
    let Some(data) = child(secret, "data") else {
        return;
    };
    for (key, value) in texts.as_map().into_iter().flat_map(Map::iter) {
        if let (Some(key), Some(value)) = (key_text(key), value.as_str()) {
            let bytes = text::encode_base64(value.as_bytes());
            set(data, key, Value::string(bytes));
        }
    }
}

/// Sets the pod CIDR of a node to the first of its CIDRs.
fn node(node: &mut Value) {
    let Some(spec) = get_mut(node, "spec") else {
        return;
    };
    let first = get(spec, "podCIDRs").and_then(|list| list.as_list()?.first()?.as_str());
    let one = text_of(spec, "podCIDR");
    match first {
        Some(first) if one.is_empty() => {
            let first = text(first);
            set(spec, "podCIDR", first);
        }
        Some(first) if first == one => {}
        _ if one.is_empty() => {}
        _ => {
            let one = text(one);
            set(spec, "podCIDRs", Value::list(vec![one]));
        }
    }
}

fn stateful_set(set_: &mut Value) {
    let Some(spec) = get_mut(set_, "spec") else {
        return;
    };
    for claim in elements_mut(spec, "volumeClaimTemplates") {
        set(claim, "apiVersion", text("v1"));
        set(claim, "kind", text("PersistentVolumeClaim"));
    }
}

fn daemon_set(daemons: &mut Value) {
    let path = ["metadata", "annotations", TEMPLATE_GENERATION];
    if at(daemons, &path).is_none() {
        annotate(daemons, TEMPLATE_GENERATION, "0");
    }
}

/// Converts to version 1 of an autoscaler. Without another metric, the CPU metric applies.
fn autoscaler_v1(autoscaler: &mut Value) {
    let has_metrics = at(autoscaler, &["metadata", "annotations", METRICS]).is_some();
    if let Some(spec) = get_mut(autoscaler, "spec")
        && !has_metrics
        && is_empty(spec, "targetCPUUtilizationPercentage")
    {
        default_int(spec, "targetCPUUtilizationPercentage", UTILIZATION);
    }
}
