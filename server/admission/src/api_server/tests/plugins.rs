//! The built-in plugins that read objects of the project.

use super::built_in::{POD, applied, at, class, created, policy};
use super::{answer, api_server, read};
use crate::api_server::Caveat;
use crate::fields::{get, list};
use crate::{EvaluationLimits, Inputs, Request, Response};
use kubernetes::defaults;

/// Returns the pod with other fields in its specification.
fn pod(spec: &str) -> String {
    POD.replace(
        "spec: {containers: [{name: a, image: a}]}",
        &format!("spec: {{{spec}}}"),
    )
}

#[track_caller]
fn assert_denied(response: &Response, plugin: &str, message: &str) {
    let start = "pods \"g-x7k2p\" is forbidden: ";
    let found = response
        .message
        .strip_prefix(start)
        .or(response.message.strip_prefix("pods \"g-\" is forbidden: "));
    assert_eq!(found, Some(message), "{}", response.message);
    assert_eq!(response.plugin, Some(plugin));
    assert_eq!((response.code, &*response.reason), (403, "Forbidden"));
}

const STORED: &str = ", resourceVersion: '7'";

fn namespace(name: &str, rest: &str) -> String {
    format!("{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}{STORED}}}{rest}}}")
}

#[test]
fn creation_in_missing_namespace_is_rejected_if_all_are_known() {
    assert!(created("", &[namespace("b", "")], POD).allowed);
    let response = created("", &[namespace("kube-system", "")], POD);
    assert_eq!((response.code, &*response.reason), (404, "NotFound"));
    assert_eq!(response.message, "namespaces \"a\" not found");
    assert_eq!(response.plugin, Some("NamespaceLifecycle"));
    let all = [namespace("kube-system", ""), namespace("a", "")];
    assert!(created("", &all, POD).allowed);
}

#[test]
fn creation_in_terminating_namespace_is_rejected() {
    let namespace = namespace("a", ", status: {phase: Terminating}");
    assert_denied(
        &created("", &[namespace], POD),
        "NamespaceLifecycle",
        "unable to create new content in namespace a because it is being terminated",
    );
}

#[test]
fn some_namespaces_are_never_deleted() {
    let deleted = |name: &str| {
        let server = api_server("", &[]);
        let inputs = Inputs {
            old_object: Some(read(&namespace(name, ""))),
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, server.resources()).unwrap();
        request.fill_in();
        server.admit(&request, &EvaluationLimits::default())
    };
    for name in ["default", "kube-system", "kube-public"] {
        let message =
            format!("namespaces \"{name}\" is forbidden: this namespace may not be deleted");
        assert_eq!(deleted(name).message, message);
    }
    assert!(deleted("kube-node-lease").allowed);
}

fn range(limits: &str) -> String {
    format!(
        "{{apiVersion: v1, kind: LimitRange, metadata: {{name: l, namespace: a}}, spec: {{limits: [{limits}]}}}}"
    )
}

/// Returns the resources of the first container.
fn resources(response: &Response, field: &str) -> String {
    let spec = get(response.object.as_ref().unwrap(), "spec").unwrap();
    get(&list(spec, field)[0], "resources").unwrap().to_string()
}

#[test]
fn containers_get_defaults_of_limit_range_before_policies() {
    let range =
        range("{type: Container, default: {memory: 1Gi, cpu: 500m}, defaultRequest: {cpu: 100m}}");
    let pod = pod("initContainers: [{name: i, image: i}], \
         containers: [{name: a, image: a, resources: {limits: {cpu: '1'}}}]");
    let response = created("", &[range], &pod);
    let container = |field| resources(&response, field);
    assert_eq!(
        container("containers"),
        "{limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 1, memory: 1Gi}}"
    );
    assert_eq!(
        container("initContainers"),
        "{requests: {cpu: 100m, memory: 1Gi}, limits: {memory: 1Gi, cpu: 500m}}"
    );
    assert_eq!(
        at(
            &response,
            &["metadata", "annotations", "kubernetes.io/limit-ranger"]
        ),
        "LimitRanger plugin set: memory limit for container a; cpu request for init container i; \
         cpu, memory limit for init container i"
    );
}

#[test]
fn container_that_a_policy_adds_gets_defaults_of_limit_range() {
    let range = range("{type: Container, default: {cpu: 500m}}");
    let sidecar =
        applied("spec: Object.spec{containers: [Object.spec.containers{name: 'b', image: 'b'}]}");
    let response = created(&policy("/pods", &sidecar), &[range], POD);
    assert_eq!(
        at(
            &response,
            &["metadata", "annotations", "kubernetes.io/limit-ranger"]
        ),
        "LimitRanger plugin set: cpu limit for container b"
    );
}

/// Bounds, resources of each of two containers, and the message.
const BOUNDS: &[(&str, &str, &str)] = &[
    (
        "Container, max: {cpu: 1}",
        "limits: {cpu: 2}",
        "maximum cpu usage per Container is 1, but limit is 2",
    ),
    (
        "Container, max: {x/y: 1}",
        "",
        "maximum x/y usage per Container is 1.  No limit is specified",
    ),
    (
        "Container, min: {cpu: 1}",
        "",
        "minimum cpu usage per Container is 1.  No request is specified",
    ),
    (
        "Container, min: {cpu: 1}",
        "requests: {cpu: 500m}",
        "minimum cpu usage per Container is 1, but request is 500m",
    ),
    (
        "Container, maxLimitRequestRatio: {cpu: 2}",
        "requests: {cpu: 500m}, limits: {cpu: 1500m}",
        "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
    ),
    (
        "Container, maxLimitRequestRatio: {cpu: 2}",
        "",
        "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
    ),
    (
        "Pod, max: {memory: 1Gi}",
        "limits: {memory: 1Gi}",
        "maximum memory usage per Pod is 1Gi, but limit is 2Gi",
    ),
    (
        "Container, max: {cpu: 1, memory: 1Gi}",
        "limits: {cpu: 2, memory: 2Gi}",
        "[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per \
             Container is 1Gi, but limit is 2Gi]",
    ),
];

#[test]
fn limit_range_bounds_containers_and_pods() {
    let container = |resources: &str| format!("{{name: a, image: a, resources: {{{resources}}}}}");
    for (limits, resources, message) in BOUNDS {
        let one = container(resources);
        let pod = pod(&format!(
            "containers: [{one}, {}]",
            one.replace("name: a", "name: b")
        ));
        let response = created("", &[range(&format!("{{type: {limits}}}"))], &pod);
        assert_denied(&response, "LimitRanger", message);
    }
}

#[test]
fn limit_range_bounds_claims() {
    let claim = |storage: &str| {
        format!(
            "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: c, namespace: a}}, spec: \
             {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: {storage}}}}}}}}}"
        )
    };
    let range = range("{type: PersistentVolumeClaim, max: {storage: 2Gi}, min: {storage: 1Gi}}");
    let message =
        |storage: &str| created("", std::slice::from_ref(&range), &claim(storage)).message;
    assert_eq!(message("1536Mi"), "");
    let start = "persistentvolumeclaims \"c\" is forbidden:";
    assert_eq!(
        message("3Gi"),
        format!(
            "{start} maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi"
        )
    );
    assert_eq!(
        message("1Mi"),
        format!(
            "{start} minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi"
        )
    );
}

fn default_class(kind: &str, name: &str, rest: &str) -> String {
    let group = if kind == "StorageClass" {
        "storage"
    } else {
        "networking"
    };
    let key = format!("{}.kubernetes.io/is-default-class", kind.to_lowercase());
    format!(
        "{{apiVersion: {group}.k8s.io/v1, kind: {kind}, metadata: {{name: {name}, annotations: \
         {{{key}: 'true'}}{rest}}}}}"
    )
}

#[test]
fn newest_default_class_is_set_before_policies() {
    let old = ", creationTimestamp: '2024-01-01T00:00:00Z'";
    let new = ", creationTimestamp: '2025-01-01T00:00:00Z'";
    let claim = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: a}, spec: {}}";
    let ingress = "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: c, namespace: a}, spec: {}}";
    for (object, kind, field) in [
        (claim, "StorageClass", "storageClassName"),
        (ingress, "IngressClass", "ingressClassName"),
    ] {
        let classes = [
            default_class(kind, "a", old),
            default_class(kind, "c", new),
            default_class(kind, "b", new),
        ];
        let set = |object: &str| at(&created("", &classes, object), &["spec", field]);
        assert_eq!(set(object), "b");
        assert_eq!(
            set(&object.replace("spec: {}", &format!("spec: {{{field}: mine}}"))),
            "mine"
        );
        let none = [classes[0].replace("'true'", "'false'")];
        assert_eq!(at(&created("", &none, object), &["spec", field]), "nothing");
    }
    let annotated = ingress.replace(
        "namespace: a}",
        "namespace: a, annotations: {kubernetes.io/ingress.class: x}}",
    );
    let classes = [default_class("IngressClass", "a", "")];
    assert_eq!(
        at(
            &created("", &classes, &annotated),
            &["spec", "ingressClassName"]
        ),
        "nothing"
    );
}

const RUNTIME: &str = "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: vm}, handler: vm, \
    overhead: {podFixed: {cpu: 250m}}, scheduling: {nodeSelector: {vm: 'yes'}, tolerations: \
    [{key: vm, operator: Exists}]}}";

#[test]
fn runtime_class_gives_overhead_and_scheduling() {
    let pod = pod(
        "runtimeClassName: vm, nodeSelector: {a: b}, tolerations: [{key: vm, operator: Exists, \
         effect: NoSchedule}], containers: [{name: a, image: a}]",
    );
    let response = created("", &[RUNTIME.to_owned()], &pod);
    assert_eq!(at(&response, &["spec", "overhead"]), "{cpu: 250m}");
    assert_eq!(at(&response, &["spec", "nodeSelector"]), "{a: b, vm: yes}");
    let tolerations = at(&response, &["spec", "tolerations"]);
    assert_eq!(tolerations.matches("key: vm").count(), 1, "{tolerations}");
    assert!(
        tolerations.ends_with("{key: vm, operator: Exists}]"),
        "{tolerations}"
    );
}

#[test]
fn runtime_class_rejects_pods_that_contradict_it() {
    let message = |spec: &str| {
        let pod = pod(&format!("{spec}, containers: [{{name: a, image: a}}]"));
        created("", &[RUNTIME.to_owned()], &pod)
    };
    let of = |spec: &str, expected: &str| assert_denied(&message(spec), "RuntimeClass", expected);
    of(
        "runtimeClassName: vm, overhead: {cpu: '1'}",
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
    of(
        "overhead: {cpu: '1'}",
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
    of(
        "runtimeClassName: vm, nodeSelector: {vm: 'no'}",
        "conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no",
    );
    assert!(message("runtimeClassName: vm, overhead: {cpu: 0.25}").allowed);
}

/// Returns the response of a server that has all objects. Only pods that name an account have one.
fn created_where_all_are_known(kind: &str, pod: &str) -> Response {
    let server = api_server("", &[namespace("a", "")]).with_all_objects();
    let mut object = read(pod);
    defaults::apply(server.kinds(), &mut object);
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, server.resources()).unwrap();
    request.fill_in();
    let server = if kind == "ServiceAccount" {
        server
    } else {
        server.ignoring_service_accounts()
    };
    server.admit(&request, &EvaluationLimits::default())
}

/// Fields of a pod that name an object, the kind of the object, and the message if it is missing.
const NAMED: [(&str, &str, &str); 3] = [
    (
        "priorityClassName",
        "PriorityClass",
        "no PriorityClass with name gone was found",
    ),
    (
        "serviceAccountName",
        "ServiceAccount",
        "error looking up service account a/gone: serviceaccount \"gone\" not found",
    ),
    (
        "runtimeClassName",
        "RuntimeClass",
        "pod rejected: RuntimeClass \"gone\" not found",
    ),
];

fn naming(field: &str) -> String {
    pod(&format!(
        "{field}: gone, containers: [{{name: a, image: a}}]"
    ))
}

#[test]
fn missing_object_of_a_pod_is_assumed_unless_all_are_known() {
    for (field, kind, message) in NAMED {
        let response = created("", &[], &naming(field));
        assert!(response.allowed);
        assert_eq!(response.caveats, [Caveat::Assumed(kind)]);
        let response = created_where_all_are_known(kind, &naming(field));
        assert!(response.message.ends_with(message), "{}", response.message);
    }
}

#[test]
fn dump_of_a_cluster_has_all_objects_of_a_kind() {
    let system = class("system-node-critical", 2_000_001_000, "")
        .replace("critical", &format!("critical{STORED}"));
    let account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: a";
    let dumps = [system, format!("{account}{STORED}}}}}")];
    let plugins = ["Priority", "ServiceAccount"];
    for ((dump, plugin), (field, _, message)) in dumps.into_iter().zip(plugins).zip(NAMED) {
        assert_denied(&created("", &[dump], &naming(field)), plugin, message);
    }
}

#[test]
fn plugins_ignore_raw_requests() {
    let server = api_server("", &[range("{type: Container, max: {cpu: 1}}")]);
    assert!(answer(&server, Some(POD), None).allowed);
}
