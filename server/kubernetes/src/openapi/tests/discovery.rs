//! The resources that a server lists.

use super::line;
use crate::openapi::{Catalog, Definitions};
use crate::versions::ServerVersion;
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the built-in kinds with those of documents.
fn catalog(lists: &[Value], openapi: &[Value]) -> Catalog {
    let lists = lists
        .iter()
        .map(|it| Definitions::from_discovery(&it.to_string()).unwrap());
    let openapi = openapi
        .iter()
        .map(|it| Definitions::from_openapi(&it.to_string()).unwrap());
    let all = openapi.chain(lists).map(Arc::new);
    Catalog::built_in(ServerVersion::NEWEST).with_definitions(all)
}

#[track_caller]
fn check(catalog: &Catalog, expected: &Expect) {
    let lines = catalog.added_resources().map(|it| line(it) + "\n");
    expected.assert_eq(&lines.collect::<String>());
}

/// Returns aggregated discovery with two kinds of one group, and one built-in kind.
fn aggregated() -> Value {
    let verbs = json!(["list", "create", "get"]);
    json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {},
        "items": [
            {"metadata": {"name": "fleet.example.com"}, "versions": [{"version": "v1", "resources": [
                {
                    "resource": "oxen", "responseKind": {"group": "", "version": "", "kind": "Ox"},
                    "scope": "Namespaced", "singularResource": "ox", "verbs": verbs, "shortNames": ["o"],
                    "subresources": [
                        {"subresource": "scale", "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}, "verbs": ["get", "update"]},
                        {"subresource": "log", "responseKind": {"group": "", "version": "", "kind": "Ox"}, "verbs": ["get"]}
                    ]
                },
                {
                    "resource": "yokes", "responseKind": {"group": "fleet.example.com", "version": "v1", "kind": "Yoke"},
                    "scope": "Cluster", "singularResource": "yoke", "verbs": verbs
                }
            ]}]},
            {"metadata": {}, "versions": [{"version": "v1", "resources": [
                {"resource": "pods", "responseKind": {"group": "", "version": "", "kind": "Pod"}, "scope": "Namespaced", "singularResource": "pod", "verbs": verbs}
            ]}]}
        ]
    })
}

/// Returns the OpenAPI document of the kind `Ox`, which lacks its short name.
fn openapi() -> Value {
    let kind = json!({"group": "fleet.example.com", "version": "v1", "kind": "Ox"});
    let list =
        json!({"get": {"x-kubernetes-action": "list", "x-kubernetes-group-version-kind": kind}});
    json!({
        "openapi": "3.0.0",
        "paths": {"/apis/fleet.example.com/v1/namespaces/{namespace}/oxen": list},
        "components": {"schemas": {"com.example.Ox": {
            "type": "object",
            "properties": {"spec": {"type": "object"}},
            "x-kubernetes-group-version-kind": [kind]
        }}}
    })
}

#[test]
fn aggregated_discovery_lists_names_scope_and_subresources() {
    check(
        &catalog(&[aggregated()], &[]),
        &expect![[r#"
            fleet.example.com/v1 oxen ox [o] Ox Namespaced create,get,list [log=fleet.example.com/v1.Ox scale=autoscaling/v1.Scale]
            fleet.example.com/v1 yokes yoke [] Yoke Cluster create,get,list []
        "#]],
    );
}

#[test]
fn resource_list_has_subresources_among_its_resources() {
    let list = json!({
        "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "fleet.example.com/v1",
        "resources": [
            {"name": "oxen/scale", "singularName": "", "namespaced": true, "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get"]},
            {"name": "oxen", "singularName": "ox", "namespaced": true, "kind": "Ox", "verbs": ["get", "create"], "shortNames": ["o"]},
            {"name": "gone/status", "kind": "Gone", "verbs": []}
        ]
    });
    check(
        &catalog(&[list], &[]),
        &expect![[r#"
            fleet.example.com/v1 oxen ox [o] Ox Namespaced create,get [scale=autoscaling/v1.Scale]
        "#]],
    );
}

#[test]
fn schema_and_resource_come_from_different_documents() {
    let catalog = catalog(&[aggregated()], &[openapi()]);
    let kind = catalog.kind("fleet.example.com", "v1", "Ox").unwrap();
    assert!(kind.short_names.contains("o"));
    let schema = catalog.schema("fleet.example.com", "v1", "Ox").unwrap();
    assert!(schema.property("spec").is_some());
    // A kind without a schema is not typed, and a built-in kind keeps its schema.
    assert!(!catalog.is_added("fleet.example.com", "v1", "Yoke"));
    assert!(catalog.schema("", "v1", "Pod").is_some());
    assert_eq!(catalog.resources().filter(|it| it.kind == "Ox").count(), 1);
}

#[test]
fn other_documents_list_no_resources() {
    for text in [
        "{",
        "{\"kind\": \"APIResourceLists\"}",
        "{\"kind\": \"Pod\"}",
    ] {
        assert!(Definitions::from_discovery(text).is_none());
    }
}
