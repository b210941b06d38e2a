//! Fields and values that do not match their kind are found.

use super::*;
use crate::kind::{ApiVersion, Kind};
use crate::schema::of_kind;
use expect_test::{Expect, expect};
use std::fmt::Write;

fn check_kind(kind: Kind, text: &str, expected: &Expect) {
    let stream = yaml::parse(text.into());
    let root = stream.documents().next().unwrap().root().unwrap();
    let schema = of_kind(kind, ApiVersion::V1).unwrap();
    let mut shown = String::new();
    for mismatch in check(root, &FieldPath::root(), schema) {
        let at = stream.slice(mismatch.range);
        let what = match mismatch.kind {
            MismatchKind::UnknownField {
                nearest, silent, ..
            } => format!("unknown, nearest {nearest:?}, silent {silent}"),
            MismatchKind::WrongType { expected, found } => format!("{found:?}, not {expected:?}"),
        };
        writeln!(shown, "{}: {what} at {at:?}", mismatch.path).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_policy_that_fits_has_no_mismatch() {
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
  creationTimestamp: 2024-01-02T03:04:05Z
  generation: 1.0
  labels: {a: b}
spec:
  failurePolicy:
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
  validations:
  - expression: 'true'
",
        &expect![""],
    );
}

#[test]
fn unknown_fields_come_with_the_nearest_known_one() {
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        "spec:
  validation: []
  validations:
  - expresion: 'true'
    Message: x
extra: 1
",
        &expect![[r#"
            spec.validation: unknown, nearest Some("validations"), silent false at "validation"
            spec.validations[0].expresion: unknown, nearest Some("expression"), silent false at "expresion"
            spec.validations[0].Message: unknown, nearest Some("message"), silent false at "Message"
            extra: unknown, nearest None, silent false at "extra"
        "#]],
    );
}

#[test]
fn scalars_are_read_as_kubernetes_reads_them() {
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        "metadata:
  name: n
  labels: {a: 1, b: null}
  generation: 1.5
  creationTimestamp: yesterday
spec:
  failurePolicy: 3
  matchConstraints: all
  validations:
    expression: 'true'
  variables: [{name: 012, expression: yes}]
",
        &expect![[r#"
            metadata.name: Bool(false), not String at "n"
            metadata.labels[a]: Number, not String at "1"
            metadata.generation: Number, not Integer(64) at "1.5"
            metadata.creationTimestamp: String, not Time at "yesterday"
            spec.failurePolicy: Number, not String at "3"
            spec.matchConstraints: String, not Object at "all"
            spec.validations: Object, not List at "expression: 'true'"
            spec.variables[0].name: Number, not String at "012"
            spec.variables[0].expression: Bool(true), not String at "yes"
        "#]],
    );
}

#[test]
fn webhook_fields_have_formats() {
    check_kind(
        Kind::MutatingWebhookConfiguration,
        "webhooks:
- timeoutSeconds: 5000000000
  clientConfig: {caBundle: 'ab c'}
- timeoutSeconds: '5'
  clientConfig: {caBundle: YWJj}
",
        &expect![[r#"
            webhooks[0].timeoutSeconds: Number, not Integer(32) at "5000000000"
            webhooks[0].clientConfig.caBundle: String, not Base64 at "'ab c'"
            webhooks[1].timeoutSeconds: String, not Integer(32) at "'5'"
        "#]],
    );
}

#[test]
fn schemas_are_checked_at_any_depth_and_json_is_not() {
    check_kind(
        Kind::CustomResourceDefinition,
        "spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        default: {anything: [1, {goes: true}]}
        properties:
          spec:
            typ: object
            items: {tpye: string, x-kubernetes-validations: [{rule: 1}]}
            additionalProperties: maybe
          list:
            additionalProperties: true
            items: [{type: 1}]
            enum: [1, a, {b: c}]
",
        &expect![[r#"
            spec.versions[0].schema.openAPIV3Schema.properties[spec].typ: unknown, nearest Some("type"), silent false at "typ"
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.tpye: unknown, nearest Some("type"), silent true at "tpye"
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.x-kubernetes-validations[0].rule: Number, not String at "1"
            spec.versions[0].schema.openAPIV3Schema.properties[spec].additionalProperties: String, not SchemaOrBool at "maybe"
            spec.versions[0].schema.openAPIV3Schema.properties[list].items[0].type: Number, not String at "1"
        "#]],
    );
}

#[test]
fn merged_keys_count_as_the_server_sees_them() {
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        "spec:
  validations:
  - &first {expression: 'true', mesage: x}
  - <<: *first
    message: z
",
        &expect![[r#"
            spec.validations[0].mesage: unknown, nearest Some("message"), silent false at "mesage"
            spec.validations[1].mesage: unknown, nearest Some("message"), silent false at "mesage"
        "#]],
    );
}

#[test]
fn aliases_that_expand_without_end_are_cut_off() {
    let mut text = "spec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n".to_owned();
    text.push_str("        properties:\n          a0: &a0 {type: object}\n");
    for level in 1..20 {
        let inner = level - 1;
        writeln!(
            text,
            "          a{level}: &a{level} {{anyOf: [*a{inner}, *a{inner}, *a{inner}, *a{inner}]}}"
        )
        .unwrap();
    }
    check_kind(Kind::CustomResourceDefinition, &text, &expect![""]);
}

#[test]
fn times_exist_and_have_a_zone() {
    for time in [
        "2024-01-02T03:04:05Z",
        "2024-01-02T03:04:05.123+01:00",
        "0000-02-29T00:00:00Z",
    ] {
        assert!(is_time(time), "{time}");
    }
    for time in [
        "2024-01-02",
        "2024-01-02T03:04:05",
        "",
        "2024-01-02T03:04:05.Z",
        "2024-13-02T03:04:05Z",
        "2023-02-29T03:04:05Z",
        "2024-01-02T24:04:05Z",
    ] {
        assert!(!is_time(time), "{time}");
    }
}

#[test]
fn directives_of_a_patch_are_no_fields() {
    check_kind(
        Kind::ValidatingWebhookConfiguration,
        "webhooks: [{$patch: delete, name: a}]\n$setElementOrder/webhooks: []\n$ptch: 1\n",
        &expect![[r#"
            $ptch: unknown, nearest None, silent false at "$ptch"
        "#]],
    );
}

#[test]
fn a_schema_may_name_documents_outside() {
    check_kind(
        Kind::CustomResourceDefinition,
        "spec: {versions: [{schema: {openAPIV3Schema: {externalDocs: {url: a, uri: b}}}}]}\n",
        &expect![[r#"
            spec.versions[0].schema.openAPIV3Schema.externalDocs.uri: unknown, nearest Some("url"), silent false at "uri"
        "#]],
    );
}

#[test]
fn number_in_json_is_read_as_written() {
    let metadata = "\"metadata\": {\"generation\": 1.0, \"deletionGracePeriodSeconds\": 1e0}";
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        &format!("{{{metadata}}}"),
        &expect![[r#"
            metadata.generation: Number, not Integer(64) at "1.0"
            metadata.deletionGracePeriodSeconds: Number, not Integer(64) at "1e0"
        "#]],
    );
    // With a comment, it is YAML.
    for text in [
        format!("{{{metadata} # c\n}}"),
        format!("---\n{{{metadata}}}"),
    ] {
        check_kind(Kind::ValidatingAdmissionPolicy, &text, &expect![""]);
    }
    check_kind(
        Kind::ValidatingAdmissionPolicy,
        "{\"metadata\": {\"generation\": 10}}",
        &expect![""],
    );
}
