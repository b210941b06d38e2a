//! CustomResourceDefinitions: their published schemas, and broken ones.

use super::{catalog, line, outline};
use crate::openapi::{Catalog, Definitions, SchemaType};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::sync::Arc;

fn definitions(text: &str) -> Option<Definitions> {
    let stream = yaml::parse(text.into());
    Definitions::from_crd(stream.documents().next()?.root()?)
}

fn with(text: &str) -> Catalog {
    catalog(36).with_definitions(definitions(text).map(Arc::new))
}

fn widget(schema: &str) -> String {
    let mut text = String::from(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.io\n  scope: Cluster\n  names: {kind: Widget, plural: widgets, shortNames: [wd]}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    subresources:\n      status: {}\n      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}\n    schema:\n      openAPIV3Schema:\n",
    );
    for line in schema.trim_matches('\n').lines() {
        text.push_str(&format!("        {line}\n"));
    }
    text
}

fn check(schema: &str, expected: &Expect) {
    let catalog = with(&widget(schema));
    let schema = catalog.schema("example.io", "v1", "Widget").unwrap();
    expected.assert_eq(&outline(schema));
}

const WIDGET: &str = r#"
type: object
description: A widget.
required: [spec, kind]
properties:
  apiVersion: {type: string, description: theirs}
  kind: {type: string}
  metadata: {type: object, properties: {name: {type: string, maxLength: 9}}}
  spec:
    type: object
    x-kubernetes-map-type: atomic
    required: [size]
    properties:
      size: {type: integer, format: int64, default: 3, minimum: 1}
      port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
      mode: {type: string, enum: [a, "1"], nullable: true}
      labels: {type: object, additionalProperties: {type: string}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      open: {type: object, additionalProperties: true}
      pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
      rules:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name, port]
        items: {type: object, properties: {name: {type: string, default: ""}, port: {type: number}}}
"#;

#[test]
fn a_schema_is_found_again_at_its_place() {
    let catalog = with(&widget(WIDGET));
    let paths = [
        ("example.io", "Widget", "spec.labels"),
        ("example.io", "Widget", "metadata"),
        ("apps", "Deployment", "spec.template.spec"),
    ];
    for (group, kind, path) in paths {
        let mut schema = catalog.schema(group, "v1", kind).unwrap();
        for name in path.split('.') {
            schema = schema.property(name).unwrap();
            let found = catalog.schema_at(schema.place());
            assert_eq!(found, schema);
            assert_eq!(found.description(), schema.description());
        }
    }
}

#[test]
fn reads_what_the_server_publishes() {
    check(
        WIDGET,
        &expect![[r#"
            Object, = io.example.v1.Widget
              apiVersion: String
              kind!: String
              metadata: Object, = io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta
              spec!: Object, map Atomic
                free: Object, preserves
                labels: Object
                  {}: String
                mode: String, of "a"|"1", nullable
                open: Object, preserves
                pod: Object, preserves, embedded
                  apiVersion!: String
                  kind!: String
                  metadata: Object, = io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta
                port: IntOrString
                rules: Array, list Map, by name, by port
                  []: Object
                    name: String, default ""
                    port: Number
                size!: Integer, int64, default 3
        "#]],
    );
}

#[test]
fn has_names_scope_and_subresources() {
    let catalog = with(&widget("type: object"));
    let resource = catalog.resource("example.io", "v1", "widgets").unwrap();
    expect!["example.io/v1 widgets widget [wd] Widget Cluster create,delete,deletecollection,get,list,patch,update,watch [scale=autoscaling/v1.Scale status=example.io/v1.Widget]"].assert_eq(&line(resource));
    assert!(resource.served_by_default);
    assert!(!catalog.is_built_in());
    // The built-in kinds remain, and metadata has their type.
    assert!(catalog.kind("apps", "v1", "Deployment").is_some());
    assert_eq!(
        catalog.resources().count(),
        super::catalog(36).resources().count() + 1
    );
}

#[test]
fn a_version_without_a_schema_is_an_object() {
    let text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.io\n  names: {kind: Widget, plural: widgets}\n  versions:\n  - {name: v1, served: true}\n  - {name: v2, served: false}\n  - {name: v3}\n  - {served: true}\n";
    let catalog = with(text);
    let schema = |version: &str| catalog.schema("example.io", version, "Widget");
    assert_eq!(schema("v1").unwrap().ty(), SchemaType::Object);
    assert_eq!(schema("v1").unwrap().properties().len(), 0);
    assert!(schema("v2").is_none());
    // A version that is being typed is treated as served, and the scope as Namespaced.
    assert!(schema("v3").is_some());
    assert!(
        catalog
            .kind("example.io", "v3", "Widget")
            .unwrap()
            .namespaced
    );
}

#[test]
fn what_is_no_definition_brings_nothing() {
    for text in [
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec: {}\n",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: a.b, names: {kind: K, plural: ''}, versions: []}\n",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: 1, names: [], versions: 3}\n",
    ] {
        assert_eq!(definitions(text), None, "{text}");
    }
}

#[test]
fn references_are_not_followed() {
    let catalog = with(&widget(
        "type: object\nproperties:\n  a: {$ref: '#/definitions/io.k8s.api.core.v1.Pod'}\n  b: {allOf: [{$ref: '#/definitions/io.k8s.api.core.v1.Pod'}]}\n",
    ));
    let schema = catalog.schema("example.io", "v1", "Widget").unwrap();
    for name in ["a", "b"] {
        assert_eq!(schema.property(name).unwrap().ty(), SchemaType::Any);
    }
}

#[test]
fn aliases_do_not_grow_without_bounds() {
    let mut schema = String::from("type: object\nproperties:\n  a0: &a0 {type: string}\n");
    for level in 1..30 {
        let below = level - 1;
        schema.push_str(&format!(
            "  a{level}: &a{level} {{type: object, properties: {{x: *a{below}, y: *a{below}}}}}\n"
        ));
    }
    // The file would have a billion schemas if every alias were followed.
    let count = definitions(&widget(&schema)).map_or(0, |definitions| definitions.kinds().count());
    assert!(count <= 1);
    let mut deep = String::from("type: object\nproperties:\n  a0: &a0 {type: string}\n");
    for level in 1..110 {
        let below = level - 1;
        deep.push_str(&format!(
            "  a{level}: &a{level} {{type: array, items: *a{below}}}\n"
        ));
    }
    assert_eq!(definitions(&widget(&deep)), None);
}

#[test]
fn the_last_definition_of_a_kind_counts() {
    let text = |name: &str| {
        widget(&format!(
            "type: object\nproperties: {{{name}: {{type: string}}}}"
        ))
    };
    let both = [text("one"), text("two")].map(|text| Arc::new(definitions(&text).unwrap()));
    let catalog = catalog(36).with_definitions(both.clone());
    let has = |catalog: &Catalog, name: &str| {
        let schema = catalog.schema("example.io", "v1", "Widget").unwrap();
        schema.property(name).is_some()
    };
    assert!(has(&catalog, "two") && !has(&catalog, "one"));
    let again = catalog.with_definitions([both[0].clone()]);
    assert!(has(&again, "one") && !has(&again, "two"));
    let of_group = again
        .resources()
        .filter(|resource| resource.group == "example.io");
    assert_eq!(of_group.count(), 1);
}

proptest! {
    #[test]
    fn broken_definitions_are_read_without_failure(cut in 0_usize..900, drop in 0_usize..40) {
        let text = widget("type: object\nproperties:\n  spec: {type: object, properties: {a: {type: array, items: {type: string}}}}\n");
        let mut broken: String = text.chars().take(cut).collect();
        broken.extend(text.chars().skip(cut + drop));
        if let Some(definitions) = definitions(&broken) {
            let catalog = catalog(36).with_definitions([Arc::new(definitions)]);
            for resource in catalog.resources() {
                let schema = catalog.schema(resource.group, resource.version, resource.kind);
                prop_assert!(schema.is_some());
            }
        }
    }
}

#[test]
fn the_order_of_the_author_is_kept() {
    let text =
        widget("type: object\nproperties:\n  zone: {type: string}\n  apple: {type: string}\n");
    let catalog = with(&text);
    let schema = catalog.schema("example.io", "v1", "Widget").unwrap();
    let names: Vec<&str> = schema.properties().map(|(name, _)| name).collect();
    assert_eq!(names, ["apiVersion", "apple", "kind", "metadata", "zone"]);
    let places = ["zone", "apple", "kind", "other"].map(|name| schema.place_of(name));
    assert_eq!(places, [Some(0), Some(1), None, None]);
    let pod = catalog.schema("", "v1", "Pod").unwrap();
    assert_eq!(pod.place_of("spec"), None);
}

#[test]
fn places_beyond_the_last_are_equal() {
    let names = (0..200).map(|number| format!("  p{number:03}: {{type: string}}\n"));
    let text = widget(&format!(
        "type: object\nproperties:\n{}",
        names.collect::<String>()
    ));
    let catalog = with(&text);
    let schema = catalog.schema("example.io", "v1", "Widget").unwrap();
    assert_eq!(schema.place_of("p125"), Some(125));
    assert_eq!(schema.place_of("p126"), schema.place_of("p199"));
    assert_eq!(schema.property("p199").unwrap().ty(), SchemaType::String);
}
