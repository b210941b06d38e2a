//! Every expression of every kind is found, with its position in the file.

use super::*;
use crate::recognize;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

fn check(text: &str, expected: &Expect) {
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let mut shown = String::new();
    for expression in found.policies.iter().flat_map(|it| it.expressions()) {
        let role = match expression.role {
            Role::CrdRule {
                optional_old_self, ..
            } => format!("CrdRule optional {optional_old_self}"),
            Role::CrdMessageExpression { .. } => "CrdMessageExpression".to_owned(),
            other => format!("{other:?}"),
        };
        let wanted = expression.role.expected_type().unwrap_or("any");
        writeln!(
            shown,
            "{}: {role}, {wanted}: {}",
            expression.path,
            expression.text()
        )
        .unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn every_expression_of_a_validating_policy_is_found() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  auditAnnotations: [{key: k, valueExpression: \"'a'\"}]
  matchConditions: [{name: m, expression: m1}]
  variables:
  - {name: v, expression: v1}
  - {name: w, expression: 1}
  validations:
  - expression: >-
      a &&
      b
    messageExpression: \"'c'\"
  - expression: ''
",
        &expect![[r#"
            spec.auditAnnotations[0].valueExpression: AuditAnnotation, string or null: 'a'
            spec.matchConditions[0].expression: MatchCondition, bool: m1
            spec.variables[0].expression: Variable { index: 0 }, any: v1
            spec.validations[0].expression: Validation, bool: a && b
            spec.validations[0].messageExpression: MessageExpression, string: 'c'
        "#]],
    );
}

#[test]
fn every_expression_of_a_mutating_policy_and_a_webhook_is_found() {
    check(
        "apiVersion: v1
kind: List
items:
- apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingAdmissionPolicy
  spec:
    matchConditions: [{name: m, expression: m1}]
    variables: [{name: v, expression: v1}]
    mutations:
    - {patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}
    - {patchType: JSONPatch, jsonPatch: {expression: '[]'}}
- apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  webhooks:
  - name: a
  - name: b
    matchConditions: [{name: m, expression: m2}]
",
        &expect![[r#"
            items[0].spec.matchConditions[0].expression: MatchCondition, bool: m1
            items[0].spec.variables[0].expression: Variable { index: 0 }, any: v1
            items[0].spec.mutations[0].applyConfiguration.expression: ApplyConfiguration, Object: Object{}
            items[0].spec.mutations[1].jsonPatch.expression: JsonPatch, list(JSONPatch): []
            items[1].webhooks[1].matchConditions[0].expression: WebhookMatchCondition, bool: m2
        "#]],
    );
}

#[test]
fn rules_of_a_definition_are_found_at_any_depth_and_in_every_version() {
    check(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        x-kubernetes-validations: [{rule: r0, messageExpression: m0}]
        properties:
          a.b:
            items:
              additionalProperties:
                x-kubernetes-validations: [{rule: r1, optionalOldSelf: true}]
            anyOf:
            - not: {x-kubernetes-validations: [{rule: r2}]}
          default: {default: {x-kubernetes-validations: [{rule: no}]}}
  - name: v2
    schema: {openAPIV3Schema: {properties: {spec: {x-kubernetes-validations: [{rule: r3}]}}}}
",
        &expect![[r#"
            spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule: CrdRule optional false, bool: r0
            spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].messageExpression: CrdMessageExpression, string: m0
            spec.versions[0].schema.openAPIV3Schema.properties[a.b].items.additionalProperties.x-kubernetes-validations[0].rule: CrdRule optional true, bool: r1
            spec.versions[0].schema.openAPIV3Schema.properties[a.b].anyOf[0].not.x-kubernetes-validations[0].rule: CrdRule optional false, bool: r2
            spec.versions[1].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: CrdRule optional false, bool: r3
        "#]],
    );
}

#[test]
fn an_offset_in_the_expression_leads_back_to_the_file() {
    let text = "apiVersion: admissionregistration.k8s.io/v1\r\nkind: ValidatingAdmissionPolicy\r
spec:\r\n  validations:\r\n  - expression: \"'😀\\u00e9' == nope\"\r\n  - expression: >\r\n      a &&\r\n      nope\r\n";
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let policy = &found.policies[0];
    for expression in policy.expressions() {
        let start = u32::try_from(expression.text().find("nope").unwrap()).unwrap();
        let range = policy.range(expression, text::Span::new(start, start + 4));
        assert_eq!(policy.stream().slice(range), "nope");
        assert!(
            policy
                .expression_at(range.start())
                .is_some_and(|found| found.path == expression.path)
        );
    }
}

#[test]
fn fields_without_a_text_are_blank_expressions() {
    let text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  variables: [{name: a, expression: ' '}]
  validations:
  - expression:
    messageExpression: |
  - expression: ~
  - expression: 1
";
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let blank = found.policies[0].blank_expressions();
    let shown: Vec<String> = blank.iter().map(|it| it.path.to_string()).collect();
    expect![[r#"
        [
            "spec.variables[0].expression",
            "spec.validations[0].expression",
            "spec.validations[0].messageExpression",
        ]
    "#]]
    .assert_debug_eq(&shown);
    assert!(found.policies[0].expressions().is_empty());
}
