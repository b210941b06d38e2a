//! OpenAPI documents of both versions, and invalid ones.

use super::{catalog, line, outline};
use crate::openapi::{Catalog, Definitions, ReadError, SchemaType};
use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

fn with(document: &Value) -> Catalog {
    let definitions = Definitions::from_openapi(&document.to_string()).unwrap();
    catalog(36).with_definitions([Arc::new(definitions)])
}

fn kind(group: &str, version: &str, kind: &str) -> Value {
    json!({"group": group, "version": version, "kind": kind})
}

fn operation(action: &str, of: &Value) -> Value {
    json!({"x-kubernetes-action": action, "x-kubernetes-group-version-kind": of})
}

/// Returns a document as returned by a server for one group and version.
fn document() -> Value {
    let (gadget, scale) = (
        kind("example.io", "v1", "Gadget"),
        kind("autoscaling", "v1", "Scale"),
    );
    let inside = "/apis/example.io/v1/namespaces/{namespace}/gadgetry";
    let mut document: Value = serde_json::from_str(TYPES).unwrap();
    document["paths"] = json!({
        "/apis/example.io/v1/": {"get": {}},
        "/apis/example.io/v1/gadgetry": {"get": operation("list", &gadget)},
        inside: {
            "get": operation("list", &gadget),
            "post": operation("post", &gadget),
            "parameters": []
        },
        format!("{inside}/{{name}}"): {
            "put": operation("put", &gadget),
            "delete": operation("delete", &gadget)
        },
        format!("{inside}/{{name}}/scale"): {
            "get": operation("get", &scale),
            "put": operation("put", &scale)
        },
        "/apis/example.io/v1/watch/gadgetry": {"get": operation("watchlist", &gadget)}
    });
    document
}

const TYPES: &str = r##"{"openapi": "3.0.0", "components": {"schemas": {
    "io.example.v1.Gadget": {
        "type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.io", "version": "v1", "kind": "Gadget"}],
        "properties": {
            "metadata": {
                "allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}],
                "default": {},
                "description": "Theirs."
            },
            "next": {"$ref": "#/components/schemas/io.example.v1.Gadget"},
            "limit": {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"},
            "own": {"$ref": "#/components/schemas/io.example.v1.Missing"}
        }
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {
        "type": "object",
        "properties": {"name": {"type": "string"}}
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions": {
        "type": "object",
        "x-kubernetes-group-version-kind": [
            {"group": "", "version": "v1", "kind": "DeleteOptions"},
            {"group": "apps", "version": "v1", "kind": "DeleteOptions"}
        ]
    }
}}}"##;

#[test]
fn reads_version_3() {
    let catalog = with(&document());
    let resource = catalog.resource("example.io", "v1", "gadgetry").unwrap();
    expect!["example.io/v1 gadgetry gadget [] Gadget Namespaced create,delete,list,update,watch [scale=autoscaling/v1.Scale]"].assert_eq(&line(resource));
    let schema = catalog.schema("example.io", "v1", "Gadget").unwrap();
    expect![[r#"
        Object, = io.example.v1.Gadget
          limit: Quantity, = io.k8s.apimachinery.pkg.api.resource.Quantity
          metadata: Object, = io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta, default {}
          next: Object, = io.example.v1.Gadget
          own: Any
    "#]]
    .assert_eq(&outline(schema));
    let metadata = schema.property("metadata").unwrap();
    assert_eq!(metadata.description(), Some("Theirs."));
    assert_eq!(metadata.properties().len(), 1, "the document's own type");
    // A type that the document lacks is the built-in one, otherwise any type.
    assert_eq!(schema.property("limit").unwrap().ty(), SchemaType::Quantity);
    assert_eq!(schema.property("own").unwrap().ty(), SchemaType::Any);
}

#[test]
fn reads_version_2() {
    let mut document = document();
    let schemas = document["components"]["schemas"].take();
    let text = json!({"swagger": "2.0", "definitions": schemas, "paths": document["paths"]})
        .to_string()
        .replace("#/components/schemas/", "#/definitions/");
    let catalog = with(&serde_json::from_str(&text).unwrap());
    let schema = catalog.schema("example.io", "v1", "Gadget").unwrap();
    let next = schema.property("next").unwrap();
    assert_eq!(next.type_name(), Some("io.example.v1.Gadget"));
    assert!(catalog.resource("example.io", "v1", "gadgetry").is_some());
}

#[test]
fn without_paths_the_names_are_guessed() {
    let mut document = document();
    document["paths"] = json!({});
    let catalog = with(&document);
    let resource = catalog.kind("example.io", "v1", "Gadget").unwrap();
    assert_eq!((resource.plural, resource.namespaced), ("gadgets", true));
}

#[test]
fn a_type_that_stands_for_itself_is_anything() {
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let mut a = reference("b");
    a["x-kubernetes-group-version-kind"] = json!([kind("x.io", "v1", "A")]);
    let catalog = with(&json!({"components": {"schemas": {"a": a, "b": reference("a")}}}));
    let schema = catalog.schema("x.io", "v1", "A").unwrap();
    assert_eq!(schema.ty(), SchemaType::Any);
    assert_eq!(schema.properties().len(), 0);
}

#[test]
fn says_what_is_wrong() {
    let error = |text: &str| Definitions::from_openapi(text).unwrap_err();
    assert!(matches!(error("{"), ReadError::Json(_)));
    assert_eq!(error("{}"), ReadError::NoSchemas);
    assert_eq!(error("[]"), ReadError::NoSchemas);
    assert_eq!(error(r#"{"definitions": 3}"#), ReadError::NoSchemas);
    assert_eq!(error(&" ".repeat(33 << 20)), ReadError::TooLarge(32 << 20));
    let deep = format!(
        r#"{{"definitions": {{"a": {}{{}}{}}}}}"#,
        r#"{"items": "#.repeat(110),
        "}".repeat(110)
    );
    assert_eq!(error(&deep), ReadError::TooDeep(100));
    let texts = [error("{}"), error(&deep), error("{")].map(|error| error.to_string());
    expect![[r#"
        the document has no `components.schemas` (OpenAPI 3) and no `definitions` (OpenAPI 2)
        its schemas are nested more than 100 deep
        the document is not JSON: EOF while parsing an object at line 1 column 1"#]]
    .assert_eq(&texts.join("\n"));
}

/// Returns any JSON, with relevant keywords in likely positions.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "object",
        "array",
        "items",
        "properties",
        "required",
        "$ref",
        "allOf",
        "enum",
        "default",
        "x-kubernetes-group-version-kind",
        "group",
        "version",
        "kind",
        "format",
        "additionalProperties",
        "#/definitions/a",
        "a",
        "x-kubernetes-list-map-keys",
        "metadata",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..5).prop_map(|fields| fields
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_document_is_read_without_failure(types in any_json(), paths in any_json()) {
        let document = json!({"definitions": {"a": types, "b": {"$ref": "a"}}, "paths": paths});
        let catalog = with(&document);
        for name in ["a", "b"] {
            let schema = catalog.named(name).unwrap();
            for (_, property) in schema.properties() {
                let _ = (property.ty(), property.default_value(), property.items());
            }
        }
        prop_assert!(catalog.resources().count() > 50);
    }
}

#[test]
fn a_kind_of_another_group_keeps_its_resource() {
    let mut document = document();
    document["components"]["schemas"]["io.k8s.api.core.v1.PersistentVolumeClaim"] = json!({
        "type": "object",
        "x-kubernetes-group-version-kind": [kind("", "v1", "PersistentVolumeClaim")]
    });
    let catalog = with(&document);
    assert!(catalog.is_added("", "v1", "PersistentVolumeClaim"));
    for resource in [
        catalog.resource("", "v1", "persistentvolumeclaims"),
        catalog.resource("example.io", "v1", "gadgetry"),
    ] {
        assert!(resource.is_some());
    }
    let mut claims = catalog.resources_in(|group, _| group.is_empty());
    assert!(claims.any(|it| it.kind == "PersistentVolumeClaim"));
}
