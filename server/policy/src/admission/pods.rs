//! What the server does to a new pod beside the policies: priority, tolerations, status.
//!
//! Upstream: kubernetes/kubernetes, plugin/pkg/admission/priority/admission.go;
//! plugin/pkg/admission/defaulttolerationseconds/admission.go; pkg/registry/core/pod/strategy.go,
//! PrepareForCreate; pkg/apis/core/v1/helper/qos/qos.go.

use super::map;
use super::request::{Operation, Request};
use cel::Value;
use cel::value::{Key, Map};
use std::sync::Arc;

/// How long a pod stays on a node that fails, in seconds.
const TOLERATION: i64 = 300;

/// The taints of a node that fails.
const TAINTS: [&str; 2] = [
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
];

/// The resources by which pods are ranked.
const RANKED: [&str; 2] = ["cpu", "memory"];

/// What other parts of admission do before the policies are asked.
pub(super) fn before_policies(request: &mut Request) {
    let Some(spec) = new_pod(request).and_then(|pod| pod.get_str_mut("spec")?.as_map_mut()) else {
        return;
    };
    let is_of_class = spec
        .get_str("priorityClassName")
        .and_then(Value::as_str)
        .is_some_and(|class| !class.is_empty());
    if !is_of_class {
        default(spec, "priority", Value::Int(0));
        default(
            spec,
            "preemptionPolicy",
            Value::string("PreemptLowerPriority"),
        );
    }
    let tolerations = spec.get_str("tolerations").and_then(Value::as_list);
    let mut tolerations = tolerations.unwrap_or_default().to_vec();
    for taint in TAINTS {
        if !tolerations.iter().any(|it| tolerates(it, taint)) {
            tolerations.push(map([
                ("key", Value::string(taint)),
                ("operator", Value::string("Exists")),
                ("effect", Value::string("NoExecute")),
                ("tolerationSeconds", Value::Int(TOLERATION)),
            ]));
        }
    }
    spec.set_str("tolerations", Value::list(tolerations));
}

/// What is done between the mutating policies and the validating ones.
pub(super) fn after_mutations(request: &mut Arc<Request>) {
    if !is_new_pod(request) {
        return;
    }
    let Some(pod) = new_pod(Arc::make_mut(request)) else {
        return;
    };
    let class = quality(pod);
    let status = [
        ("phase", Value::string("Pending")),
        ("qosClass", Value::string(class)),
    ];
    pod.set_str("status", map(status));
}

fn is_new_pod(request: &Request) -> bool {
    request.resource.group.is_empty()
        && request.resource.plural == "pods"
        && request.subresource.is_empty()
        && request.operation == Operation::Create
}

fn new_pod(request: &mut Request) -> Option<&mut Map> {
    let is_pod = is_new_pod(request);
    let object = request.inputs.object.as_mut().filter(|_| is_pod)?;
    object.as_map_mut()
}

fn default(fields: &mut Map, field: &str, value: Value) {
    if fields.get_str(field).is_none() {
        fields.set_str(field, value);
    }
}

fn tolerates(toleration: &Value, taint: &str) -> bool {
    let text = |field: &str| {
        let text = toleration
            .as_map()
            .and_then(|it| it.get_str(field)?.as_str());
        text.unwrap_or_default()
    };
    let key = text("key");
    let effect = text("effect");
    (key == taint || key.is_empty()) && (effect == "NoExecute" || effect.is_empty())
}

/// The quality of service: whether all limits are given and requested, some, or none.
fn quality(pod: &Map) -> &'static str {
    let spec = pod.get_str("spec").and_then(Value::as_map);
    let containers = ["containers", "initContainers"]
        .into_iter()
        .flat_map(|list| {
            let list = spec.and_then(|spec| spec.get_str(list)?.as_list());
            list.unwrap_or_default()
        });
    let (mut is_guaranteed, mut is_any) = (true, false);
    for container in containers {
        let resources = container
            .as_map()
            .and_then(|it| it.get_str("resources")?.as_map());
        let amounts = |field: &str| resources.and_then(|it| it.get_str(field)?.as_map());
        let (limits, requests) = (amounts("limits"), amounts("requests"));
        is_any |= [limits, requests].into_iter().flatten().any(names_ranked);
        is_guaranteed &= RANKED.iter().all(|name| {
            let limit = limits.and_then(|limits| limits.get_str(name));
            let request = requests
                .and_then(|requests| requests.get_str(name))
                .or(limit);
            limit.is_some() && limit == request
        });
    }
    match (is_any, is_guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}

fn names_ranked(amounts: &Map) -> bool {
    amounts
        .iter()
        .any(|(key, _)| matches!(key, Key::String(key) if RANKED.contains(&&**key)))
}
