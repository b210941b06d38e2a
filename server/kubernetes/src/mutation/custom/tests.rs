//! The metadata of custom resources and of the resources in them.

use super::unknown_fields;
use crate::openapi::{Catalog, Definitions};
use crate::versions::ServerVersion;
use expect_test::{Expect, expect};
use std::sync::Arc;

const DEFINITION: &str = "
spec:
  group: x.io
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              inner: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              more:
                type: object
                additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
";

#[track_caller]
fn check(rest: &str, expected: &Expect) {
    let parse = |text: &str| yaml::parse(text.into());
    let definition = parse(DEFINITION);
    let root = definition.documents().next().unwrap().root().unwrap();
    let definitions = Definitions::from_crd(root).map(Arc::new);
    let kinds = Catalog::built_in(ServerVersion(36)).with_definitions(definitions);
    let text = format!("{{apiVersion: x.io/v1, kind: Widget, {rest}}}");
    let object = parse(&text);
    let object = object.documents().next().unwrap().root().unwrap();
    let answer = match unknown_fields(&kinds, &crate::object::object(object).unwrap()) {
        Ok(unknown) => {
            let messages: Vec<String> = unknown.into_iter().map(|it| it.message).collect();
            messages.join("\n")
        }
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&answer);
}

#[test]
fn metadata_that_does_not_decode_is_an_error() {
    check(
        "metadata: {labels: 5}",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string"#
        ]],
    );
    check(
        "metadata: {labels: {a: 5}}",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"#
        ]],
    );
    check(
        "metadata: 5",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go value of type v1.ObjectMeta"#
        ]],
    );
    check(
        "metadata: {ownerReferences: [{name: 1}]}",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string"#
        ]],
    );
    check(
        "metadata: {name: a, labels: {a: b}, finalizers: null}",
        &expect![""],
    );
}

#[test]
fn embedded_resources_are_decoded_as_well() {
    check(
        "spec: {inner: {apiVersion: 1, kind: Pod}}",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: spec.inner.apiVersion: Invalid value: 1: must be a string"#
        ]],
    );
    check(
        "spec: {more: {a: {metadata: {labels: [x]}}}}",
        &expect![[
            r#"error: Widget in version "v1" cannot be handled as a Widget: spec.more[a].metadata: Invalid value: {"labels":["x"]}: json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string"#
        ]],
    );
}

#[test]
fn unknown_fields_of_metadata_are_warnings() {
    check(
        "metadata: {name: a, nam: b, ownerReferences: [{uuid: x}]}, spec: {sizes: 1, inner: {metadata: {nam: a}}, more: {a: {metadata: {nam: a}}}}",
        &expect![[r#"
            unknown field "metadata.nam"
            unknown field "metadata.ownerReferences[0].uuid"
            unknown field "spec.sizes"
            unknown field "spec.inner.metadata.nam"
            unknown field "spec.more[a].metadata.nam""#]],
    );
}
