//! The requests that inputs describe.

use super::*;
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;

fn value(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    kubernetes::object(root).unwrap()
}

#[track_caller]
fn check(input: &RequestInput, expected: &Expect) {
    let kinds = Catalog::built_in(ServerVersion(36));
    let shown = match input.request(&kinds, &Resources::default()) {
        Err(error) => error.to_string(),
        Ok(request) => {
            let show = |object: &Option<Value>| {
                object
                    .as_ref()
                    .map_or("none".to_owned(), ToString::to_string)
            };
            format!(
                "{request} {}/{} {}\nobject: {}\nold: {}\nnamespace: {}",
                request.namespace,
                request.name,
                request.resource.kind,
                show(&request.inputs.object),
                show(&request.inputs.old_object),
                show(&request.inputs.namespace_object),
            )
        }
    };
    expected.assert_eq(&shown);
}

fn raw(object: Option<&str>, old_object: Option<&str>) -> RequestInput {
    RequestInput {
        object: object.map(value),
        old_object: old_object.map(value),
        raw: true,
        ..RequestInput::default()
    }
}

const CONFIG: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}";

#[test]
fn what_is_left_out_follows_from_the_objects() {
    check(
        &raw(Some(CONFIG), None),
        &expect![[r#"
            CREATE of configmaps (v1) default/c ConfigMap
            object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}, data: {a: b}}
            old: none
            namespace: none"#]],
    );
    check(
        &raw(
            None,
            Some("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: shop}}"),
        ),
        &expect![[r#"
            DELETE of deployments (apps/v1) shop/d Deployment
            object: none
            old: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: shop}}
            namespace: none"#]],
    );
    check(
        &raw(None, None),
        &expect!["the input has no object; write `object` or `oldObject`"],
    );
    check(
        &raw(Some("{kind: Pod}"), None),
        &expect!["the object has no `apiVersion`"],
    );
    check(
        &raw(Some("{apiVersion: v1}"), None),
        &expect!["the object has no `kind`"],
    );
}

#[test]
fn the_namespace_object_names_the_namespace() {
    let input = RequestInput {
        namespace_object: Some(value("{metadata: {name: shop}}")),
        ..raw(Some(CONFIG), Some(CONFIG))
    };
    check(
        &input,
        &expect![[r#"
            UPDATE of configmaps (v1) shop/c ConfigMap
            object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}, data: {a: b}}
            old: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}, data: {a: b}}
            namespace: {metadata: {name: shop}, apiVersion: v1, kind: Namespace}"#]],
    );
    check(
        &raw(
            Some("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"),
            None,
        ),
        &expect![[r#"
            CREATE of namespaces (v1) shop/shop Namespace
            object: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
            old: none
            namespace: none"#]],
    );
}

#[test]
fn objects_have_defaults_and_what_the_server_fills_in() {
    let input = RequestInput {
        object: Some(value(
            "{apiVersion: apps/v1, kind: Deployment, metadata: {generateName: d-}, spec: {\
             selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, \
             spec: {containers: [{name: a, image: b}]}}}}",
        )),
        ..RequestInput::default()
    };
    let kinds = Catalog::built_in(ServerVersion(36));
    let request = input.request(&kinds, &Resources::default()).unwrap();
    let object = request.inputs.object.clone().unwrap();
    let spec = object.as_map().unwrap().get_str("spec").unwrap();
    let replicas = spec.as_map().unwrap().get_str("replicas").unwrap();
    assert_eq!(replicas.as_int(), Some(1));
    assert_eq!(metadata_field(&object, "namespace"), Some("default"));
    // A name and an identity are set before the validating policies.
    assert_eq!(request.name, "");
    let api_server = admission::ApiServer::new(kinds, Resources::default());
    let limits = admission::EvaluationLimits::default();
    let stored = api_server.admit(&request, &limits).object.unwrap();
    assert!(metadata_field(&stored, "uid").is_some());
    assert!(metadata_field(&stored, "name").is_some_and(|name| name.starts_with("d-")));
}

/// Upstream: kubernetes/apiserver, pkg/endpoints/handlers/delete.go, DeleteCollection.
#[test]
fn the_deletion_of_a_collection_has_no_name() {
    let pod = value("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}");
    let name = |old: Option<Value>, object: Option<Value>, name: Option<&str>| {
        let input = RequestInput {
            object,
            old_object: old,
            name: name.map(str::to_owned),
            ..RequestInput::default()
        };
        let kinds = Catalog::built_in(ServerVersion(36));
        input.request(&kinds, &Resources::default()).unwrap().name
    };
    assert_eq!(name(Some(pod.clone()), None, Some("")), "");
    assert_eq!(name(Some(pod.clone()), None, None), "web");
    assert_eq!(name(None, Some(pod), Some("")), "web");
}

fn exec() -> RequestInput {
    RequestInput {
        operation: Some(Operation::Connect),
        subresource: "exec".to_owned(),
        name: Some("web".to_owned()),
        namespace: "shop".to_owned(),
        options: Some(value("{container: app, stdin: true}")),
        raw: true,
        ..RequestInput::default()
    }
}

#[test]
fn a_stream_is_of_the_resource_that_has_it() {
    check(
        &exec(),
        &expect![[r#"
            CONNECT of pods (v1) shop/web PodExecOptions
            object: {container: app, stdin: true, kind: PodExecOptions, apiVersion: v1}
            old: none
            namespace: none"#]],
    );
    let service = RequestInput {
        subresource: "proxy".to_owned(),
        resource: Some("services".to_owned()),
        ..exec()
    };
    check(
        &service,
        &expect![[r#"
            CONNECT of services (v1) shop/web ServiceProxyOptions
            object: {container: app, stdin: true, kind: ServiceProxyOptions, apiVersion: v1}
            old: none
            namespace: none"#]],
    );
}

#[test]
fn a_stream_of_several_resources_or_none_says_which() {
    let of = |subresource: &str| RequestInput {
        subresource: subresource.to_owned(),
        ..exec()
    };
    check(
        &of("proxy"),
        &expect![
            "several resources have the subresource `proxy`: nodes, pods, services; write `request.resource`"
        ],
    );
    check(
        &of("🦊"),
        &expect!["no known resource has the subresource `🦊`; write `request.resource`"],
    );
}

#[test]
fn the_object_of_a_subresource_has_a_kind_of_its_own() {
    let eviction = RequestInput {
        subresource: "eviction".to_owned(),
        ..raw(
            Some("{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}}"),
            None,
        )
    };
    check(
        &eviction,
        &expect![[r#"
            CREATE of pods (v1) default/web Eviction
            object: {apiVersion: policy/v1, kind: Eviction, metadata: {name: web, namespace: default}}
            old: none
            namespace: none"#]],
    );
}

#[test]
fn the_kind_of_an_object_implies_its_subresource() {
    let create = |object: &str| raw(Some(object), None);
    check(
        &create("{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}}"),
        &expect![[r#"
            CREATE of pods (v1) default/web Eviction
            object: {apiVersion: policy/v1, kind: Eviction, metadata: {name: web, namespace: default}}
            old: none
            namespace: none"#]],
    );
    check(
        &create("{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, metadata: {name: a}}"),
        &expect![[r#"
            CREATE of serviceaccounts (v1) default/a TokenRequest
            object: {apiVersion: authentication.k8s.io/v1, kind: TokenRequest, metadata: {name: a, namespace: default}}
            old: none
            namespace: none"#]],
    );
    check(
        &create("{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web}}"),
        &expect![
            "several resources have the subresource `scale`: replicationcontrollers, deployments.apps, replicasets.apps, statefulsets.apps; write `request.resource`"
        ],
    );
    check(
        &create("{apiVersion: v1, kind: Binding, metadata: {name: web}}"),
        &expect![[r#"
            CREATE of bindings (v1) default/web Binding
            object: {apiVersion: v1, kind: Binding, metadata: {name: web, namespace: default}}
            old: none
            namespace: none"#]],
    );
}

#[test]
fn a_subresource_of_several_resources_needs_the_resource() {
    let scale = "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web}}";
    let scale = RequestInput {
        subresource: "scale".to_owned(),
        ..raw(Some(scale), Some(scale))
    };
    check(
        &scale,
        &expect![
            "several resources have the subresource `scale`: replicationcontrollers, deployments.apps, replicasets.apps, statefulsets.apps; write `request.resource`"
        ],
    );
    let deployment = RequestInput {
        resource: Some("deployments".to_owned()),
        ..scale
    };
    check(
        &deployment,
        &expect![[r#"
            UPDATE of deployments (apps/v1) default/web Scale
            object: {apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web, namespace: default}}
            old: {apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web, namespace: default}}
            namespace: none"#]],
    );
}

#[test]
fn a_resource_that_nobody_knows_is_taken_at_its_word() {
    let widget = RequestInput {
        subresource: "status".to_owned(),
        resource: Some("widgets".to_owned()),
        group: Some("x.io".to_owned()),
        kind: Some("Widget".to_owned()),
        ..raw(Some(CONFIG), None)
    };
    check(
        &widget,
        &expect![[r#"
            CREATE of widgets (x.io/v1) /c Widget
            object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}
            old: none
            namespace: none"#]],
    );
}
