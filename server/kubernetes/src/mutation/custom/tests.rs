//! Objects of built-in kinds, the metadata of custom resources and of the resources in them.

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

fn with_definition(definition: &str) -> Catalog {
    let definition = yaml::parse(definition.into());
    let root = definition.documents().next().unwrap().root().unwrap();
    let definitions = Definitions::from_crd(root).map(Arc::new);
    Catalog::built_in(ServerVersion(36)).with_definitions(definitions)
}

/// The unknown fields of an object, or the error.
fn answer(kinds: &Catalog, object: &str) -> String {
    let parsed = yaml::parse(object.into());
    let object = parsed.documents().next().unwrap().root().unwrap();
    match unknown_fields(kinds, &crate::object::object(object).unwrap()) {
        Ok(unknown) => {
            let messages: Vec<String> = unknown.into_iter().map(|it| it.message).collect();
            messages.join("\n")
        }
        Err(error) => format!("error: {error}"),
    }
}

#[track_caller]
fn check_of(kinds: &Catalog, object: &str, expected: &Expect) {
    expected.assert_eq(&answer(kinds, object));
}

#[track_caller]
fn check(rest: &str, expected: &Expect) {
    let object = format!("{{apiVersion: x.io/v1, kind: Widget, {rest}}}");
    check_of(&with_definition(DEFINITION), &object, expected);
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

#[track_caller]
fn check_built_in(object: &str, expected: &Expect) {
    check_of(&Catalog::built_in(ServerVersion(36)), object, expected);
}

#[test]
fn an_object_of_a_built_in_kind_has_to_fit_its_type() {
    check_built_in(
        "{apiVersion: v1, kind: ConfigMap, data: {a: 1}}",
        &expect![[
            r#"error: ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string"#
        ]],
    );
    check_built_in(
        "{apiVersion: v1, kind: Secret, data: {a: 'not base64!'}}",
        &expect![[
            r#"error: Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 3"#
        ]],
    );
    let deployment = |replicas: &str| {
        format!("{{apiVersion: apps/v1, kind: Deployment, spec: {{replicas: {replicas}}}}}")
    };
    check_built_in(
        &deployment("'3'"),
        &expect![[
            r#"error: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"#
        ]],
    );
    for number in ["3.5", "1e16", "9223372036854775808"] {
        let kinds = Catalog::built_in(ServerVersion(36));
        let answer = answer(&kinds, &deployment(number));
        assert!(answer.ends_with("of type int32"), "{number}: {answer}");
    }
    check_built_in(
        "{apiVersion: v1, kind: Service, spec: {ports: [{port: 80, targetPort: 3000000000}]}}",
        &expect![[
            r#"error: Service in version "v1" cannot be handled as a Service: json: cannot unmarshal number 3000000000 into Go struct field ServicePort.spec.ports.targetPort of type int32"#
        ]],
    );
}

#[test]
fn errors_name_the_types_of_go() {
    for (object, expected) in [
        (
            "{apiVersion: v1, kind: Service, spec: {type: 1}}",
            "number into Go struct field ServiceSpec.spec.type of type v1.ServiceType",
        ),
        (
            "{apiVersion: v1, kind: PersistentVolumeClaim, spec: {accessModes: {}}}",
            "object into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type \
             []v1.PersistentVolumeAccessMode",
        ),
        (
            "{apiVersion: v1, kind: PersistentVolumeClaim, spec: {accessModes: [1]}}",
            "number into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type \
             v1.PersistentVolumeAccessMode",
        ),
        (
            "{apiVersion: v1, kind: LimitRange, spec: {limits: [{max: a}]}}",
            "string into Go struct field LimitRangeItem.spec.limits.max of type v1.ResourceList",
        ),
        (
            "{apiVersion: v1, kind: Pod, spec: {volumes: [{configMap: {name: 1}}]}}",
            "number into Go struct field ConfigMapVolumeSource.spec.volumes.VolumeSource.configMap.\
             LocalObjectReference.name of type string",
        ),
        (
            "{apiVersion: coordination.k8s.io/v1, kind: Lease, spec: {renewTime: 1}}",
            "number into Go struct field LeaseSpec.spec.renewTime of type string",
        ),
    ] {
        let error = answer(&Catalog::built_in(ServerVersion(36)), object);
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn times_have_the_layout_of_their_type() {
    for (object, expected) in [
        (
            "{apiVersion: coordination.k8s.io/v1, kind: Lease, spec: {renewTime: x}}",
            r#"as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006""#,
        ),
        (
            "{apiVersion: v1, kind: Pod, metadata: {deletionTimestamp: x}}",
            r#"as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006""#,
        ),
    ] {
        let error = answer(&Catalog::built_in(ServerVersion(36)), object);
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn what_go_decodes_of_a_built_in_kind_is_no_error() {
    for object in [
        "{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 3.0}}",
        "{apiVersion: v1, kind: Pod, spec: {activeDeadlineSeconds: 1e16, containers: [{name: a, resources: {limits: {cpu: 1, memory: 0.5}}}]}}",
        "{apiVersion: v1, kind: Service, spec: {ports: [{port: 80, targetPort: http}]}}",
        "{apiVersion: v1, kind: Pod, metadata: {creationTimestamp: null, labels: null}}",
        "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {default: 1, items: {type: string}}}}]}}",
        "{apiVersion: apps/v1, kind: ControllerRevision, data: [1], revision: 1}",
    ] {
        check_built_in(object, &expect![""]);
    }
}

#[test]
fn unknown_fields_of_a_built_in_kind_are_warnings() {
    check_built_in(
        "{apiVersion: apps/v1, kind: Deployment, spec: {replica: 3}, more: 1}",
        &expect![[r#"
            unknown field "more"
            unknown field "spec.replica""#]],
    );
}

#[test]
fn a_custom_resource_in_a_group_of_kubernetes_is_not_built_in() {
    let definition = DEFINITION.replace("x.io", "gateway.networking.k8s.io");
    check_of(
        &with_definition(&definition),
        "{apiVersion: gateway.networking.k8s.io/v1, kind: Widget, spec: {size: a, sizes: 1}}",
        &expect![[r#"unknown field "spec.sizes""#]],
    );
}
