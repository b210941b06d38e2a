//! Which fields an older server does not have.

use super::unavailable_fields;
use crate::recognize_for;
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::Target;
use std::fmt::Write as _;

#[track_caller]
fn check(server: u8, text: &str, expected: &Expect) {
    let stream = yaml::parse(text.into()).into();
    let documents = recognize_for(&stream, Target::default()).policies;
    let mut out = String::new();
    for field in unavailable_fields(&documents[0], ServerVersion(server)) {
        let gate = field.gate.map_or("", |gate| gate.name);
        let line = format!("{} {} {gate}", field.path, field.since);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    expected.assert_eq(&out);
}

const WEBHOOK: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
webhooks:
  - name: a.example.com
    matchConditions: [{name: a, expression: 'true'}]
";

const DEFINITION: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec:
  versions:
    - name: v1
      selectableFields: [{jsonPath: .spec.a}]
      schema:
        openAPIV3Schema:
          properties:
            spec:
              items:
                additionalProperties:
                  x-kubernetes-validations:
                    - rule: 'true'
                      optionalOldSelf: true
                      messageExpression: \"'a'\"
                      fieldPath: .a
                      reason: FieldValueInvalid
status:
  observedGeneration: 1
";

#[test]
fn webhooks_have_got_match_conditions() {
    check(
        26,
        WEBHOOK,
        &expect![["
            webhooks[0].matchConditions 1.28
        "]],
    );
    check(
        27,
        WEBHOOK,
        &expect![["
            webhooks[0].matchConditions 1.28 AdmissionWebhookMatchConditions
        "]],
    );
    check(28, WEBHOOK, &expect![[""]]);
}

#[test]
fn rules_deep_in_a_schema_are_looked_at() {
    check(
        26,
        DEFINITION,
        &expect![[r#"
            spec.versions[0].selectableFields 1.31
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.additionalProperties.x-kubernetes-validations[0].optionalOldSelf 1.30
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.additionalProperties.x-kubernetes-validations[0].messageExpression 1.27
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.additionalProperties.x-kubernetes-validations[0].fieldPath 1.28
            spec.versions[0].schema.openAPIV3Schema.properties[spec].items.additionalProperties.x-kubernetes-validations[0].reason 1.28
            status.observedGeneration 1.35
        "#]],
    );
    check(
        30,
        DEFINITION,
        &expect![[r#"
            spec.versions[0].selectableFields 1.31 CustomResourceFieldSelectors
            status.observedGeneration 1.35
        "#]],
    );
    check(
        31,
        DEFINITION,
        &expect![[r#"
        status.observedGeneration 1.35
    "#]],
    );
}

#[test]
fn the_description_of_the_version_of_the_document_counts() {
    let policy = "
apiVersion: admissionregistration.k8s.io/v1alpha1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  variables: [{name: a, expression: 'true'}]
  auditAnnotations: []
";
    check(
        26,
        policy,
        &expect![["
            spec.variables 1.28
            spec.auditAnnotations 1.27
        "]],
    );
    check(29, policy, &expect![[""]]);
    // No server of that version serves the kind in `v1`: there is nothing to compare.
    let v1 = policy.replace("v1alpha1", "v1");
    check(26, &v1, &expect![[""]]);
}
