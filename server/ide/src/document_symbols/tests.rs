//! The outline of each kind of document.

use super::{Symbol, document_symbols};
use crate::file::SourceFile;
use crate::fixture::{policy, slice};
use expect_test::{Expect, expect};
use std::fmt::Write as _;

fn check(text: &str, expect: &Expect) {
    let mut out = String::new();
    for symbol in document_symbols(&SourceFile::new(text)) {
        render(text, &symbol, 0, &mut out);
    }
    expect.assert_eq(&out);
}

/// Writes one line per symbol: its kind, name, detail, selection range, and lines.
fn render(text: &str, symbol: &Symbol, depth: usize, out: &mut String) {
    assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
    assert!(!symbol.name.is_empty());
    let _ = writeln!(
        out,
        "{}{:?} {:?} {:?} at {:?}, {} lines",
        "  ".repeat(depth),
        symbol.kind,
        symbol.name,
        symbol.detail.as_deref().unwrap_or(""),
        slice(text, symbol.selection),
        slice(text, symbol.range).lines().count()
    );
    for child in &symbol.children {
        assert!(symbol.range.contains_range(child.range), "{child:?}");
        render(text, child, depth + 1, out);
    }
}

#[test]
fn a_policy_has_its_lists() {
    check(
        &policy(
            "
  variables:
    - name: 'é😀'
      expression: object.spec
    - expression: |
        // what it is
        object.spec.replicas +
        1
    -
  matchConditions: [{name: a, expression: 'true'}]
  validations:
    - message: m
      expression: >-
        object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))
    - {}
  auditAnnotations:
    - {key: k, valueExpression: \"'v'\"}
",
        ),
        &expect![[r#"
            Document "demo" "ValidatingAdmissionPolicy" at "demo", 24 lines
              Group "variables" "" at "variables", 8 lines
                Variable "é😀" "object.spec" at "'é😀'", 2 lines
                Variable "[1] object.spec.replicas +" "" at "|\n        // what it is\n        object.spec.replicas +\n        1", 4 lines
              Group "matchConditions" "" at "matchConditions", 1 lines
                Expression "a" "true" at "a", 1 lines
              Group "validations" "" at "validations", 5 lines
                Expression "[0] object.spec.template.spec.containers.all(c, c.image.startsWi…" "" at ">-\n        object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))", 3 lines
                Expression "[1]" "" at "", 1 lines
              Group "auditAnnotations" "" at "auditAnnotations", 2 lines
                Annotation "k" "'v'" at "k", 1 lines
        "#]],
    );
}

#[test]
fn a_mutating_policy_has_its_mutations() {
    check(
        "\
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicy
spec:
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: Object{}
    - {patchType: JSONPatch, jsonPatch: {expression: '[]'}}
",
        &expect![[r#"
            Document "MutatingAdmissionPolicy" "MutatingAdmissionPolicy" at "MutatingAdmissionPolicy", 8 lines
              Group "mutations" "" at "mutations", 5 lines
                Expression "[0] Object{}" "" at "Object{}", 3 lines
                Expression "[1] []" "" at "'[]'", 1 lines
        "#]],
    );
}

#[test]
fn webhooks_have_their_conditions() {
    check(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: demo}
webhooks:
- name: one.example.com
  matchConditions:
  - {name: a, expression: 'true'}
- matchConditions:
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
",
        &expect![[r#"
            Document "demo" "MutatingWebhookConfiguration" at "demo", 8 lines
              Group "one.example.com" "" at "one.example.com", 3 lines
                Group "matchConditions" "" at "matchConditions", 2 lines
                  Expression "a" "true" at "a", 1 lines
              Group "[1]" "" at "", 1 lines
                Group "matchConditions" "" at "matchConditions", 1 lines
            Document "ValidatingAdmissionPolicyBinding" "ValidatingAdmissionPolicyBinding" at "ValidatingAdmissionPolicyBinding", 2 lines
        "#]],
    );
}

#[test]
fn rules_are_named_by_the_property_that_they_guard() {
    check(
        "\
apiVersion: v1
kind: List
items:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: points.example.com}
  spec:
    versions:
    - name: v0
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                ports:
                  type: array
                  items:
                    type: object
                    x-kubernetes-validations:
                    - {rule: self.a < self.b, message: no}
              x-kubernetes-validations:
              - rule: self == oldSelf
                messageExpression: \"'x'\"
          x-kubernetes-validations: [{rule: 'true'}]
",
        &expect![[r#"
            Document "points.example.com" "CustomResourceDefinition" at "points.example.com", 24 lines
              Group "v1" "" at "v1", 18 lines
                Expression "spec.ports[]" "self.a < self.b" at "self.a < self.b", 1 lines
                Expression "spec" "self == oldSelf" at "self == oldSelf", 2 lines
                Expression "self" "true" at "'true'", 1 lines
        "#]],
    );
}

#[test]
fn an_entry_that_is_an_alias_keeps_its_place() {
    check(
        &policy("  validations:\n    - &first {expression: 'true'}\n    - *first\n"),
        &expect![[r#"
            Document "demo" "ValidatingAdmissionPolicy" at "demo", 11 lines
              Group "validations" "" at "validations", 3 lines
                Expression "[0] true" "" at "'true'", 1 lines
                Expression "[1] true" "" at "", 1 lines
        "#]],
    );
}

#[test]
fn other_documents_have_no_outline() {
    check(
        "kind: ConfigMap\n---\n# ValidatingAdmissionPolicy\n",
        &expect![[r#""#]],
    );
}
