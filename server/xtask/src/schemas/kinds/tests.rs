//! How definitions are completed and resources derived.

use super::package::{complete, types};
use super::server_resources::{ServerResources, served_by_default, server};
use kubernetes::openapi::SchemaFacts;
use serde_json::json;

const RESOURCES: &str = r#"
{"group": "apps", "version": "v1", "resource": "deployments", "singular": "deployment", "kind": "Deployment", "namespaced": true, "verbs": ["create"], "shortNames": ["deploy"], "subresources": [{"name": "status", "kind": "Deployment", "verbs": ["get"]}, {"name": "scale", "kind": "Scale", "verbs": ["get"]}]}
{"group": "", "version": "v1", "resource": "pods", "singular": "pod", "kind": "Pod", "namespaced": true, "verbs": ["create"], "shortNames": [], "subresources": [{"name": "resize", "kind": "Pod", "verbs": ["get"]}]}
"#;

/// Returns the schema of an object that is stored.
fn object() -> SchemaFacts {
    let definitions = json!({
        "Object": {"properties": {
            "metadata": {"$ref": "#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
            "status": {"type": "object"}
        }},
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {}
    });
    types(definitions.as_object().unwrap())
        .unwrap()
        .remove("Object")
        .unwrap()
}

#[test]
fn another_version_has_the_same_names() {
    let facts = ServerResources::read(RESOURCES).unwrap();
    let kind = facts.kind("apps", "v1beta2", "Deployment", Some(&object()));
    assert_eq!(kind.plural.as_deref(), Some("deployments"));
    let below: Vec<_> = kind
        .subresources
        .iter()
        .map(|below| (&*below.name, &*below.group, &*below.version))
        .collect();
    assert_eq!(
        below,
        [
            ("scale", "autoscaling", "v1"),
            ("status", "apps", "v1beta2")
        ]
    );
}

#[test]
fn an_unknown_kind_is_derived() {
    let facts = ServerResources::read(RESOURCES).unwrap();
    let object = object();
    let kind = |group: &str, kind: &str| facts.kind(group, "v1alpha1", kind, Some(&object));
    let policy = kind("new.k8s.io", "BackupPolicy");
    assert_eq!(policy.plural.as_deref(), Some("backuppolicies"));
    assert!(policy.namespaced);
    assert_eq!(policy.subresources.len(), 1);
    assert!(!kind("networking.k8s.io", "ClusterCIDR").namespaced);
    // The kind of a subresource, and a type that is not an object, have no resource.
    assert_eq!(kind("autoscaling", "Scale").plural, None);
    let options = facts.kind("", "v1", "Options", Some(&SchemaFacts::default()));
    assert_eq!(options.plural, None);
}

#[test]
fn versions_are_served_by_their_stage() {
    let served = |group: &str, version: &str, kind: &str| {
        served_by_default(group, version, kind, server(30)) != 0
    };
    assert!(served("apps", "v1", "Deployment"));
    assert!(!served("new.k8s.io", "v1beta1", "New"));
    assert!(served(
        "flowcontrol.apiserver.k8s.io",
        "v1beta3",
        "FlowSchema"
    ));
    assert!(served("storage.k8s.io", "v1beta1", "CSIStorageCapacity"));
    assert!(!served(
        "storage.k8s.io",
        "v1beta1",
        "VolumeAttributesClass"
    ));
    let facts = ServerResources::read(RESOURCES).unwrap();
    let pod = facts.kind("", "v1", "Pod", None);
    let resize = pod.subresources.first().unwrap();
    assert_eq!(resize.servers & server(32), 0);
    assert_ne!(resize.servers & server(33), 0);
}

#[test]
fn a_definition_is_completed_from_another_server() {
    let mut schema = json!({
        "type": ["object", "null"],
        "properties": {
            "kind": {"type": "string", "enum": ["Old"]},
            "mode": {"type": ["string", "null"]},
            "list": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}
        }
    });
    let newer = json!({
        "properties": {
            "mode": {"type": "string", "default": "a", "enum": ["a", "b"]},
            "list": {"x-kubernetes-list-type": "atomic", "items": {"default": ""}},
            "later": {"type": "string"}
        }
    });
    complete(&mut schema, Some(&newer));
    let mode = json!({"type": ["string", "null"], "default": "a", "enum": ["a", "b"]});
    assert_eq!(schema["properties"]["mode"], mode);
    assert_eq!(schema["properties"]["kind"], json!({"type": "string"}));
    let list = &schema["properties"]["list"];
    assert_eq!(list["x-kubernetes-list-type"], "set");
    assert_eq!(list["items"]["default"], "");
    assert!(schema["properties"].get("later").is_none());
}

#[test]
fn a_type_that_is_mentioned_must_be_described() {
    let definitions = json!({"A": {"items": {"$ref": "#/$defs/B"}}});
    let error = types(definitions.as_object().unwrap()).unwrap_err();
    assert_eq!(error, "the type B is mentioned and not described");
}

#[test]
fn a_resource_without_a_name_is_an_error() {
    let line = r#"{"group": "apps", "version": "v1", "kind": "A", "namespaced": true}"#;
    let error = ServerResources::read(line).err().unwrap();
    assert!(error.starts_with("resource is missing"), "{error}");
}
