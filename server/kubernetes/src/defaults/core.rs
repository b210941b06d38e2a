//! Defaults of the core group, except for pods.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/core/v1/defaults.go.

use super::Rule;
use super::tree::{
    add_missing, at, child, default, default_int, default_text, elements_mut, empty, get, get_mut,
    is_empty, object, set, text, text_of,
};
use cel::Value;

/// Returns the defaulting function of a type.
pub(super) fn rule(type_name: &str) -> Option<Rule> {
    Some(match type_name {
        "ReplicationController" => replication_controller,
        "Service" => service,
        "Secret" => |it| default_text(it, "type", "Opaque"),
        "PersistentVolume" => persistent_volume,
        "PersistentVolumeClaim" => persistent_volume_claim,
        "PersistentVolumeClaimSpec" => |it| default_text(it, "volumeMode", "Filesystem"),
        "Endpoints" => endpoints,
        "Namespace" => namespace,
        "NamespaceStatus" => |it| default_text(it, "phase", "Active"),
        "NodeStatus" => node_status,
        "LimitRangeItem" => limit_range_item,
        "PodLogOptions" => |it| default_text(it, "stream", "All"),
        other => return super::pod::rule(other),
    })
}

fn replication_controller(controller: &mut Value) {
    let labels = at(controller, &["spec", "template", "metadata", "labels"]).cloned();
    let Some(labels) = labels else { return };
    if let Some(spec) = get_mut(controller, "spec")
        && is_empty(spec, "selector")
    {
        set(spec, "selector", labels.clone());
    }
    own_labels(controller, labels);
}

/// Labels of an object that has none.
pub(super) fn own_labels(object: &mut Value, labels: Value) {
    if let Some(metadata) = child(object, "metadata")
        && is_empty(metadata, "labels")
    {
        set(metadata, "labels", labels);
    }
}

fn service(service: &mut Value) {
    let Some(spec) = child(service, "spec") else {
        return;
    };
    affinity(spec);
    default_text(spec, "type", "ClusterIP");
    for port in elements_mut(spec, "ports") {
        default_text(port, "protocol", "TCP");
        let target = get(port, "targetPort");
        let is_unset = target.is_none_or(|it| it.as_int() == Some(0) || it.as_str() == Some(""));
        if is_unset {
            let number = get(port, "port").cloned().unwrap_or(Value::Int(0));
            set(port, "targetPort", number);
        }
    }
    let ty = text_of(spec, "type").to_owned();
    let is_external = ty == "LoadBalancer"
        || ty == "NodePort"
        || ty == "ClusterIP" && !is_empty(spec, "externalIPs");
    if is_external {
        default_text(spec, "externalTrafficPolicy", "Cluster");
    }
    if matches!(ty.as_str(), "NodePort" | "LoadBalancer" | "ClusterIP") {
        default_text(spec, "internalTrafficPolicy", "Cluster");
    }
    if ty == "LoadBalancer" {
        default(spec, "allocateLoadBalancerNodePorts", || Value::Bool(true));
        let status = get_mut(service, "status");
        let balancer = status.and_then(|status| get_mut(status, "loadBalancer"));
        for ingress in balancer.map_or(&mut [][..], |it| elements_mut(it, "ingress")) {
            if !is_empty(ingress, "ip") {
                default_text(ingress, "ipMode", "VIP");
            }
        }
    }
}

fn affinity(spec: &mut Value) {
    default_text(spec, "sessionAffinity", "None");
    if text_of(spec, "sessionAffinity") == "None" {
        if let Some(map) = spec.as_map_mut() {
            map.take_str("sessionAffinityConfig");
        }
        return;
    }
    let timeout = ["sessionAffinityConfig", "clientIP", "timeoutSeconds"];
    if text_of(spec, "sessionAffinity") == "ClientIP" && at(spec, &timeout).is_none() {
        let client = object([("timeoutSeconds", Value::Int(10_800))]);
        set(
            spec,
            "sessionAffinityConfig",
            object([("clientIP", client)]),
        );
    }
}

fn persistent_volume(volume: &mut Value) {
    if let Some(status) = child(volume, "status") {
        default_text(status, "phase", "Pending");
    }
    if let Some(spec) = child(volume, "spec") {
        default_text(spec, "persistentVolumeReclaimPolicy", "Retain");
        default_text(spec, "volumeMode", "Filesystem");
    }
}

fn persistent_volume_claim(claim: &mut Value) {
    if let Some(status) = child(claim, "status") {
        default_text(status, "phase", "Pending");
    }
}

fn endpoints(endpoints: &mut Value) {
    for subset in elements_mut(endpoints, "subsets") {
        for port in elements_mut(subset, "ports") {
            default_text(port, "protocol", "TCP");
        }
    }
}

fn namespace(namespace: &mut Value) {
    let name = at(namespace, &["metadata", "name"]).and_then(Value::as_str);
    let name = name.unwrap_or_default().to_owned();
    if name.is_empty() {
        return;
    }
    let metadata = get_mut(namespace, "metadata");
    if let Some(labels) = metadata.and_then(|metadata| child(metadata, "labels")) {
        set(labels, crate::names::NAMESPACE_NAME, text(&name));
    }
}

fn node_status(status: &mut Value) {
    if let Some(capacity) = get(status, "capacity").cloned() {
        default(status, "allocatable", || capacity);
    }
}

fn limit_range_item(item: &mut Value) {
    if text_of(item, "type") != "Container" {
        return;
    }
    for (field, from) in [
        ("default", "max"),
        ("defaultRequest", "default"),
        ("defaultRequest", "min"),
    ] {
        let mut limits = get(item, field).cloned().unwrap_or_else(empty);
        if let Some(from) = get(item, from) {
            add_missing(&mut limits, from);
        }
        if limits.as_map().is_some_and(|limits| !limits.is_empty()) {
            set(item, field, limits);
        }
    }
}

/// Sets the port of a service that a webhook refers to.
pub(super) fn service_reference(reference: &mut Value) {
    default_int(reference, "port", 443);
}
