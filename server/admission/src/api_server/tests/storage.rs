//! Objects in storage: subresources, generations, conflicts.

use super::api_server;
use super::built_in::{POD, at, created};
use super::read;
use crate::{EvaluationLimits, Inputs, Request, Response};
use cel::Value;
use kubernetes::defaults;

/// Returns the response to the update of an object or a subresource, with other existing objects.
fn updated(object: &str, old: &str, subresource: &str, existing: &[String]) -> Response {
    let server = api_server("", existing);
    let defaulted = |text: &str| {
        let mut object = read(text);
        defaults::apply(server.kinds(), &mut object);
        object
    };
    let inputs = Inputs {
        object: Some(defaulted(object)),
        old_object: Some(defaulted(old)),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, server.resources()).unwrap();
    if subresource == "scale" {
        let deployment = read(DEPLOYMENT);
        request.resource = server.resources().resource("apps/v1", "Deployment");
        assert_eq!(
            request.name,
            kubernetes::metadata_field(&deployment, "name").unwrap()
        );
    }
    request.subresource = subresource.to_owned();
    request.fill_in();
    server.admit(&request, &EvaluationLimits::default())
}

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: a, \
    generation: 3}, spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: \
    {a: b}}, spec: {containers: [{name: a, image: a}]}}}}";

#[test]
fn update_of_status_keeps_specification_and_generation() {
    let new = DEPLOYMENT
        .replace("generation: 3", "labels: {x: z}")
        .replace("replicas: 2", "replicas: 9")
        .replace("}}}}", "}}}, status: {replicas: 4}}");
    let response = updated(&new, DEPLOYMENT, "status", &[]);
    let field = |path: &[&str]| at(&response, path);
    assert_eq!(field(&["spec", "replicas"]), "2");
    assert_eq!(field(&["status", "replicas"]), "4");
    assert_eq!(field(&["metadata", "generation"]), "3");
    assert_eq!(field(&["metadata", "labels"]), "{x: z}");
    for set in [
        "uid",
        "creationTimestamp",
        "resourceVersion",
        "managedFields",
    ] {
        assert_ne!(field(&["metadata", set]), "nothing", "{set}");
    }
}

#[test]
fn update_of_ephemeral_containers_keeps_pod() {
    let old = POD.replace("generateName: g-", "name: p");
    let new = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: {ephemeralContainers: \
        [{name: debug, image: d}]}}";
    let response = updated(new, &old, "ephemeralcontainers", &[]);
    let field = |path: &[&str]| at(&response, path);
    assert!(field(&["spec", "ephemeralContainers"]).contains("name: debug"));
    assert!(field(&["spec", "containers"]).contains("kube-api-access"));
    assert_eq!(field(&["spec", "priority"]), "0");
    assert_eq!(field(&["metadata", "generation"]), "2");
}

#[test]
fn scale_has_identity_of_its_object() {
    let scale =
        "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: d, namespace: a}, spec: {}}";
    let stored = DEPLOYMENT.replace("generation: 3", "uid: u, resourceVersion: '9'");
    for (existing, uid, version) in [
        (vec![stored], "u", "9"),
        (
            vec![],
            crate::create_defaults::UID,
            crate::create_defaults::RESOURCE_VERSION,
        ),
    ] {
        let response = updated(scale, scale, "scale", &existing);
        assert_eq!(at(&response, &["metadata", "uid"]), uid);
        assert_eq!(at(&response, &["metadata", "resourceVersion"]), version);
        assert_ne!(at(&response, &["metadata", "creationTimestamp"]), "nothing");
    }
}

#[test]
fn update_of_priority_class_keeps_generation() {
    let class =
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c}, value: 5}";
    assert_eq!(
        at(&created("", &[], class), &["metadata", "generation"]),
        "1"
    );
    let new = class.replace("value: 5", "value: 5, description: d");
    let response = updated(&new, class, "", &[]);
    assert_eq!(at(&response, &["metadata", "generation"]), "1");
}

#[test]
fn creation_of_existing_object_is_a_conflict_if_it_is_stored() {
    let config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: a}}";
    assert!(created("", &[config.to_owned()], config).allowed);
    let stored = config.replace("name: c", "name: c, uid: u, resourceVersion: '9'");
    let response = created("", std::slice::from_ref(&stored), config);
    assert_eq!((response.code, &*response.reason), (409, "AlreadyExists"));
    assert_eq!(response.message, "configmaps \"c\" already exists");
    // A manifest of the dump itself.
    assert!(created("", std::slice::from_ref(&stored), &stored).allowed);
}

#[test]
fn response_has_object_as_it_is_read_back() {
    let role = "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: a}, \
        rules: []}";
    let object = created("", &[], role).object.unwrap();
    assert!(matches!(
        object.as_map().unwrap().get_str("rules"),
        Some(Value::Null)
    ));
    let job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: a}, spec: {template: {spec: \
        {restartPolicy: Never, containers: [{name: a, image: a}]}}}}";
    let labels = at(&created("", &[], job), &["metadata", "labels"]);
    assert!(labels.contains("job-name: j"), "{labels}");
}

#[test]
fn annotation_of_new_pod_becomes_app_armor_profile() {
    let key = "container.apparmor.security.beta.kubernetes.io/a";
    for (value, expected) in [
        (
            "runtime/default",
            "{appArmorProfile: {type: RuntimeDefault}}",
        ),
        (
            "localhost/x",
            "{appArmorProfile: {type: Localhost, localhostProfile: x}}",
        ),
    ] {
        let pod = POD.replace(
            "namespace: a",
            &format!("namespace: a, annotations: {{{key}: {value}}}"),
        );
        let containers = at(&created("", &[], &pod), &["spec", "containers"]);
        assert!(containers.contains(expected), "{containers}");
    }
}

#[test]
fn negative_grace_period_becomes_one_second() {
    let pod = POD.replace("spec: {", "spec: {terminationGracePeriodSeconds: -5, ");
    let response = created("", &[], &pod);
    assert_eq!(
        at(&response, &["spec", "terminationGracePeriodSeconds"]),
        "1"
    );
}
