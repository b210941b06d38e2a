//! Duplicate keys at every depth and in every style.

use crate::diagnostics::diagnose;
use crate::file::SourceFile;
use crate::fixture::{changes, check_diagnostics, fixed, policy, render};
use crate::settings::Settings;
use expect_test::expect;

#[test]
fn the_second_key_is_the_mistake() {
    check_diagnostics(&policy(
        "
  failurePolicy: Fail
  \"failurePolicy\": Ignore
  #<^^^^^^^^^^^^^ error[duplicate-key]: `failurePolicy`
  validations:
    - {expression: 'true', message: a, message: b}
                                      #^^^^^^^ error[duplicate-key]
",
    ));
}

#[test]
fn keys_are_the_same_when_kubernetes_reads_them_so() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: demo
  labels:
    \"true\": a
    y: b
    #< warning[implicit-type]: `true`
spec: {policyName: a, validationActions: [Deny]}
",
    );
}

#[test]
fn the_first_entry_is_shown_and_can_be_removed() {
    let text = policy(
        "  # comes first\n  failurePolicy: Ignore\n  failurePolicy: Fail\n  validations:\n    - \
         expression: 'true'\n      expression: 'false'\n",
    );
    let file = SourceFile::new(text.as_str());
    expect![[r#"
        11:3-11:16 "failurePolicy" Error[duplicate-key]: Duplicate key `failurePolicy`. Kubernetes rejects the file, or uses only the last value.
          10:3-10:16 "failurePolicy" the first `failurePolicy`
          Kubernetes: key "failurePolicy" already set in map
          fix: Remove the first `failurePolicy`
        14:7-14:17 "expression" Error[duplicate-key]: Duplicate key `expression`. Kubernetes rejects the file, or uses only the last value.
          13:7-13:17 "expression" the first `expression`
          Kubernetes: key "expression" already set in map
          fix: Remove the first `expression`
    "#]]
    .assert_eq(&render(&text, &diagnose(&file, &Settings::default())));
    let once = fixed(&text, "duplicate-key");
    expect![[r#"
        -  # comes first
        -  failurePolicy: Ignore
    "#]]
    .assert_eq(&changes(&text, &once));
    let twice = fixed(&once, "duplicate-key");
    expect![[r#"
        -    - expression: 'true'
        -      expression: 'false'
        +    - expression: 'false'
    "#]]
    .assert_eq(&changes(&once, &twice));
}

#[test]
fn a_wide_mapping_is_looked_at_too() {
    let mut labels: String = (0..40).map(|at| format!("    key{at}: a\n")).collect();
    labels.push_str("    key7: b\n");
    let text = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
         metadata:\n  name: demo\n  labels:\n{labels}spec: {{policyName: a, validationActions: \
         [Deny]}}\n"
    );
    let found = diagnose(&SourceFile::new(text), &Settings::default());
    assert_eq!(found.len(), 1);
}

#[test]
fn a_merge_key_is_no_error() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: demo
  labels: &labels {a: b}
  annotations:
    <<: *labels
    a: c
    #< information[duplicate-key]: `<<`
spec: {policyName: a, validationActions: [Deny]}
",
    );
}

#[test]
fn a_key_that_overrides_a_merged_one_is_an_information() {
    let text = policy(
        "
  validations:
    - &first {expression: 'true', message: a}
    - {<<: *first, message: b}
    - {<<: *first}
",
    );
    let file = SourceFile::new(text.as_str());
    let found = diagnose(&file, &Settings::default());
    expect![[r#"
        11:20-11:27 "message" Information[duplicate-key]: `<<` also sets the key `message`. Strict YAML decoding rejects this; otherwise the last value is used.
          10:35-10:42 "message" the merged `message`
          Kubernetes: key "message" already set in map
    "#]].assert_eq(&render(&text, &found));
}
