//! Supported documents are found, and others are ignored.

use super::*;
use expect_test::{Expect, expect};
use std::fmt::Write;

fn check(text: &str, expected: &Expect) {
    let stream = Arc::new(yaml::parse(text.into()));
    let found = recognize(&stream);
    let mut shown = String::new();
    for policy in &found.policies {
        let name = policy.name().unwrap_or("?");
        let (kind, version, base) = (policy.kind(), policy.version(), policy.base());
        writeln!(
            shown,
            "{kind} {version} {name} at {base:?}",
            base = base.to_string()
        )
        .unwrap();
    }
    for miss in &found.near_misses {
        let at = stream.slice(miss.range);
        let base = miss.base.to_string();
        writeln!(shown, "{:?} at {base:?} {at:?}", miss.kind).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn documents_of_a_stream_are_found_and_others_left_alone() {
    check(
        "apiVersion: v1
kind: ConfigMap
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
--- # comment
# only
---
- not: a mapping
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: b}
",
        &expect![[r#"
            ValidatingAdmissionPolicy v1beta1 a at ""
            CustomResourceDefinition v1 b at ""
        "#]],
    );
}

#[test]
fn items_of_lists_are_found_at_any_depth() {
    check(
        "apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod}
- apiVersion: v1
  kind: List
  items:
  - {apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: a}}
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBindingList
  items:
  - metadata: {name: b}
  - {apiVersion: admissionregistration.k8s.io/v1beta1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: c}}
",
        &expect![[r#"
            MutatingAdmissionPolicy v1 a at "items[1].items[0]"
            ValidatingAdmissionPolicyBinding v1 b at "items[2].items[0]"
            ValidatingAdmissionPolicyBinding v1beta1 c at "items[2].items[1]"
        "#]],
    );
}

#[test]
fn near_misses_say_what_is_meant() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmisionPolicy
---
apiVersion: admissionregistration.k8s.io/v2
kind: ValidatingAdmissionPolicy
---
apiVersion: admissionregistration.k8s.io
kind: MutatingAdmissionPolicy
---
apiVersion: v1
kind: ValidatingAdmissionPolicyBinding
---
kind: ValidatingAdmissionPolicy
---
apiVersion: admissionregistration.k8s.io/v1
metadata: {name: a}
---
apiVersion: admisionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefintion
",
        &expect![[r#"
            UnknownKind { group: "admissionregistration.k8s.io", kind: "ValidatingAdmisionPolicy", nearest: Some(ValidatingAdmissionPolicy) } at "" "ValidatingAdmisionPolicy"
            UnknownVersion { kind: ValidatingAdmissionPolicy, version: "v2" } at "" "admissionregistration.k8s.io/v2"
            UnknownVersion { kind: MutatingAdmissionPolicy, version: "" } at "" "admissionregistration.k8s.io"
            UnknownGroup { kind: ValidatingAdmissionPolicyBinding, group: "" } at "" "v1"
            MissingApiVersion { kind: ValidatingAdmissionPolicy } at "" "kind"
            MissingKind { group: "admissionregistration.k8s.io" } at "" "apiVersion"
            UnknownGroup { kind: ValidatingAdmissionPolicy, group: "admisionregistration.k8s.io" } at "" "admisionregistration.k8s.io/v1"
            UnknownKind { group: "apiextensions.k8s.io", kind: "CustomResourceDefintion", nearest: Some(CustomResourceDefinition) } at "" "CustomResourceDefintion"
        "#]],
    );
}

#[test]
fn kinds_of_others_and_old_definitions_are_left_alone() {
    check(
        "apiVersion: example.com/v1
kind: ValidatingAdmissionPolicy
---
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
---
apiVersion: apiextensions.k8s.io/v1
kind: ConversionReview
---
apiVersion: apiextensions.k8s.io/v1
name: a test suite
---
kind: Deployment
---
kind: {a: b}
apiVersion: [c]
---
kind: 1
apiVersion: true
",
        &expect![[r#"
            RemovedVersion at "" "apiextensions.k8s.io/v1beta1"
        "#]],
    );
}

#[test]
fn a_look_at_the_bytes_never_misses_a_policy() {
    assert!(!may_hold_policy("apiVersion: v1\nkind: Pod\n"));
    let text = "apiVersion: v1\nkind: Pod\n---\nkind: ValidatingAdmissionPolicy\n---\na: b\n";
    let ranges = possible_documents(text);
    assert_eq!(ranges.len(), 1);
    let stream = Arc::new(yaml::parse_documents(text.into(), &ranges));
    assert_eq!(recognize(&stream).near_misses.len(), 1);
    assert!(possible_documents("a: b\n---\nc: d\n").is_empty());
}

#[test]
fn lists_of_aliases_are_cut_off() {
    let mut text = "a0: &a0 {apiVersion: v1, kind: List, items: []}\n".to_owned();
    for level in 1..12 {
        let inner = level - 1;
        let items = vec![format!("*a{inner}"); 10].join(", ");
        let name = if level == 11 {
            "kind: List\napiVersion: v1\nitems".to_owned()
        } else {
            format!("a{level}")
        };
        if level == 11 {
            writeln!(text, "{name}: [{items}]").unwrap();
        } else {
            writeln!(
                text,
                "{name}: &a{level} {{apiVersion: v1, kind: List, items: [{items}]}}"
            )
            .unwrap();
        }
    }
    check(&text, &expect![""]);
}

#[test]
fn a_patch_is_told_from_a_whole_document() {
    let is_patch =
        |text: &str| recognize(&Arc::new(yaml::parse(text.into()))).policies[0].is_patch();
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    assert!(is_patch(crd));
    assert!(is_patch(&format!(
        "{crd}spec: {{conversion: {{strategy: Webhook}}}}\n"
    )));
    assert!(!is_patch(&format!("{crd}spec: {{group: a.b}}\n")));
    let webhook =
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\n";
    assert!(is_patch(&format!(
        "{webhook}webhooks: [{{name: a, rules: []}}]\n"
    )));
    assert!(!is_patch(&format!(
        "{webhook}webhooks: [{{name: a}}, {{sideEffects: None}}]\n"
    )));
    assert!(!is_patch(webhook));
}
