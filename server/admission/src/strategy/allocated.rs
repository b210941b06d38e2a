//! Values that the server allocates for an object: the addresses and ports of a service, and the
//! labels of the pods of a job.
//!
//! The server allocates the next free value; here everything is fixed.
//!
//! Upstream: kubernetes/kubernetes, pkg/registry/core/service/storage/alloc.go, allocateCreate;
//! pkg/registry/batch/job/strategy.go, generateSelector.

use super::super::create_defaults::{UID, default, metadata_mut};
use cel::Value;
use cel::value::Map;
use kubernetes::defaults;

/// The address of a service, and that in the response to a dry run: the first of the default range.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/core/service/ipallocator/ipallocator.go,
/// dryRunAllocator.
const ADDRESS: &str = "10.96.0.10";
const DRY_RUN_ADDRESS: &str = "10.0.0.0";

/// The first node port, which the server also returns for a dry run.
const NODE_PORT: i64 = 32_769;

/// The port at which a load balancer checks the health of a node.
const HEALTH_CHECK: &str = "healthCheckNodePort";
const HEALTH_CHECK_PORT: i64 = 31_769;

/// The cluster IP of a headless service.
const HEADLESS: &str = "None";

/// The labels of the pods of a job with its name, and with its identity.
const JOB_NAMES: [&str; 2] = ["job-name", "batch.kubernetes.io/job-name"];
const JOB_UIDS: [&str; 2] = ["controller-uid", CONTROLLER];
const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// Allocates the addresses and ports that a new object needs.
pub(super) fn allocate(object: &mut Value, resource: (&str, &str), dry_run: bool) {
    let Some(fields) = object.as_map_mut() else {
        return;
    };
    let Some(spec) = fields.get_str_mut("spec").and_then(Value::as_map_mut) else {
        return;
    };
    match resource {
        ("", "services") => service(spec, dry_run),
        ("batch", "jobs") if spec.get_str("manualSelector") != Some(&Value::Bool(true)) => {
            select(object);
        }
        _ => {}
    }
}

/// Keeps the allocations of a changed object: the client may send the original manifest.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/core/service/storage/storage.go,
/// patchAllocatedValues; pkg/registry/core/namespace/strategy.go and
/// pkg/registry/apps/daemonset/strategy.go, PrepareForUpdate.
pub(super) fn keep(object: &mut Value, old: &Value, resource: (&str, &str), dry_run: bool) {
    let spec_of_old = old.as_map().and_then(|old| old.get_str("spec")?.as_map());
    let template = |spec: &Map| spec.get_str("template").cloned();
    match resource {
        ("", "services") => {
            let spec = object.as_map_mut().and_then(|it| it.get_str_mut("spec"));
            if let (Some(spec), Some(old)) = (spec.and_then(Value::as_map_mut), spec_of_old) {
                keep_service(spec, old);
                service(spec, dry_run);
            }
        }
        ("", "namespaces") => {
            let finalizers = spec_of_old.and_then(|old| old.get_str("finalizers"));
            if let (Some(spec), Some(known)) = (child(object.as_map_mut(), "spec"), finalizers) {
                spec.set_str("finalizers", known.clone());
            }
        }
        ("apps", "daemonsets") => {
            let spec = object.as_map().and_then(|it| it.get_str("spec")?.as_map());
            let is_same = spec.map(template) == spec_of_old.map(template);
            defaults::recount_template(object, old, is_same);
        }
        _ => {}
    }
}

fn keep_service(spec: &mut Map, old: &Map) {
    let [ty, ty_of_old] = [&*spec, old].map(|spec| text(spec, "type").to_owned());
    let has_address = |ty: &str| ty != "ExternalName";
    if has_address(&ty) && has_address(&ty_of_old) {
        for field in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            keep_field(spec, old, field);
        }
    }
    let has_node_ports = |ty: &str| matches!(ty, "NodePort" | "LoadBalancer");
    if has_node_ports(&ty) && has_node_ports(&ty_of_old) {
        keep_node_ports(spec, old);
    }
    if has_health_check(spec) && has_health_check(old) {
        keep_field(spec, old, HEALTH_CHECK);
    }
}

fn keep_field(fields: &mut Map, old: &Map, field: &str) {
    if let Some(known) = old.get_str(field) {
        default(fields, field, || known.clone());
    }
}

/// Keeps the node ports of ports by name, unless another port has them now.
fn keep_node_ports(spec: &mut Map, old: &Map) {
    let known = ports(old);
    let used: Vec<i64> = ports(spec).iter().map(|(_, port)| *port).collect();
    let list = spec.get_str_mut("ports").and_then(Value::as_list_mut);
    for port in list.into_iter().flatten().filter_map(Value::as_map_mut) {
        let mut same = known.iter().filter(|(name, _)| name == text(port, "name"));
        if let Some((_, number)) = same.next_back()
            && !used.contains(number)
        {
            default(port, "nodePort", || Value::Int(*number));
        }
    }
}

/// Returns the names of the ports of a service, with their node ports.
fn ports(spec: &Map) -> Vec<(String, i64)> {
    let ports = spec.get_str("ports").and_then(Value::as_list);
    let ports = ports.unwrap_or_default().iter().filter_map(Value::as_map);
    let with_number = ports.filter_map(|port| {
        let number = port.get_str("nodePort")?.as_int()?;
        Some((text(port, "name").to_owned(), number))
    });
    with_number.collect()
}

/// Returns whether a load balancer checks the health of nodes.
fn has_health_check(spec: &Map) -> bool {
    text(spec, "type") == "LoadBalancer" && text(spec, "externalTrafficPolicy") == "Local"
}

fn text<'a>(fields: &'a Map, field: &str) -> &'a str {
    let text = fields.get_str(field).and_then(Value::as_str);
    text.unwrap_or_default()
}

fn strings<const N: usize>(strings: [&str; N]) -> Value {
    Value::list(strings.map(Value::string).to_vec())
}

fn service(spec: &mut Map, dry_run: bool) {
    let address = text(spec, "clusterIP").to_owned();
    if !address.is_empty() {
        default(spec, "clusterIPs", || strings([address.as_str()]));
    }
    let ty = text(spec, "type").to_owned();
    if !matches!(ty.as_str(), "ClusterIP" | "NodePort" | "LoadBalancer") {
        return;
    }
    if text(spec, "clusterIP").is_empty() {
        let known = spec.get_str("clusterIPs").and_then(Value::as_list);
        let first = known.and_then(|known| known.first().cloned());
        let address = if dry_run { DRY_RUN_ADDRESS } else { ADDRESS };
        spec.set_str("clusterIP", first.unwrap_or_else(|| Value::string(address)));
    }
    let address = text(spec, "clusterIP").to_owned();
    let has_selector = spec.get_str("selector").is_some();
    let is_dual = address == HEADLESS && !has_selector && spec.get_str("ipFamilyPolicy").is_none();
    let (families, policy) = match (is_dual, address.contains(':')) {
        (true, _) => (strings(["IPv4", "IPv6"]), "RequireDualStack"),
        (false, true) => (strings(["IPv6"]), "SingleStack"),
        (false, false) => (strings(["IPv4"]), "SingleStack"),
    };
    default(spec, "clusterIPs", || strings([address.as_str()]));
    default(spec, "ipFamilies", || families);
    default(spec, "ipFamilyPolicy", || Value::string(policy));
    let allocates = spec.get_str("allocateLoadBalancerNodePorts") != Some(&Value::Bool(false));
    if ty == "NodePort" || ty == "LoadBalancer" && allocates {
        node_ports(spec);
    }
    if has_health_check(spec) {
        default(spec, HEALTH_CHECK, || Value::Int(HEALTH_CHECK_PORT));
    }
}

fn node_ports(spec: &mut Map) {
    let ports = spec.get_str_mut("ports").and_then(Value::as_list_mut);
    let ports = ports.into_iter().flatten().filter_map(Value::as_map_mut);
    let without = ports.filter(|port| port.get_str("nodePort").is_none());
    for (free, port) in (NODE_PORT..).zip(without) {
        port.set_str("nodePort", Value::Int(free));
    }
}

/// Sets the labels and the selector of a job's pods.
fn select(job: &mut Value) {
    let metadata = job
        .as_map()
        .and_then(|job| job.get_str("metadata")?.as_map());
    let of_job = |field: &str| {
        metadata
            .map_or("", |metadata| text(metadata, field))
            .to_owned()
    };
    let (name, mut uid) = (of_job("name"), of_job("uid"));
    if uid.is_empty() {
        UID.clone_into(&mut uid);
    }
    let Some(spec) = child(job.as_map_mut(), "spec") else {
        return;
    };
    default(spec, "template", || Value::Map(Map::default()));
    let template = spec.get_str_mut("template").and_then(metadata_mut);
    if let Some(labels) = child(template, "labels") {
        for (labeled, value) in [(JOB_NAMES, &name), (JOB_UIDS, &uid)] {
            for label in labeled {
                default(labels, label, || Value::string(value.as_str()));
            }
        }
    }
    let selector = child(Some(spec), "selector");
    if let Some(labels) = child(selector, "matchLabels") {
        default(labels, CONTROLLER, || Value::string(uid));
    }
}

fn child<'a>(fields: Option<&'a mut Map>, field: &str) -> Option<&'a mut Map> {
    let fields = fields?;
    default(fields, field, || Value::Map(Map::default()));
    fields.get_str_mut(field)?.as_map_mut()
}
