//! Required fields.

use crate::fixture::{
    changes, check_diagnostics, check_places, crd, findings, fixed, policy, report,
};
use expect_test::expect;

#[test]
fn the_place_is_what_should_hold_the_field() {
    check_diagnostics(&policy(
        "
  validations:
    - message: a
      #<^^^^^ error[missing-field]: `spec.validations[0]` requires the field `expression`.
  variables:
    - name: ''
           #^^ error[missing-field]: `spec.variables[0].name` must not be empty.
      expression:
      #<^^^^^^^^ error[missing-field]: `spec.variables[0]` requires the field `expression`.
",
    ));
}

#[test]
fn a_document_without_spec_lacks_one_thing() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
#<^^^^^^^^ error[missing-field]: A `ValidatingAdmissionPolicy` requires the field `spec`.
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
",
    );
}

#[test]
fn one_of_two_lists_is_asked_for_once() {
    let found = findings(&policy("  failurePolicy: Fail\n"));
    let [found] = found.try_into().unwrap();
    assert_eq!(
        found.message,
        "A policy requires an entry in `validations` or `auditAnnotations`."
    );
}

#[test]
fn a_document_says_what_it_is() {
    check_places(
        "\
kind: ValidatingAdmissionPolicy
#<^^ error[missing-field]: A `ValidatingAdmissionPolicy` requires the field `apiVersion`.
---
apiVersion: admissionregistration.k8s.io/v1
#<^^^^^^^^ error[missing-field]: requires the field `kind`
metadata: {name: a}
",
    );
}

#[test]
fn the_safe_value_is_added() {
    let binding = |param_ref: &str| {
        format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
             metadata: {{name: a}}\nspec:\n  policyName: b\n  paramRef{param_ref}\n  \
             validationActions: [Deny]\n"
        )
    };
    let text = binding(":\n    name: limits # of all\n    namespace: default");
    expect![[r#"
        +    parameterNotFoundAction: Deny
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "missing-field")));
    let text = binding(": {name: limits}");
    expect![[r#"
        -  paramRef: {name: limits}
        +  paramRef: {name: limits, parameterNotFoundAction: Deny}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "missing-field")));
    let text = binding(":\n    name: limits\n    parameterNotFoundAction:");
    expect![[r#"
        -    parameterNotFoundAction:
        +    parameterNotFoundAction: Deny
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "missing-field")));
}

#[test]
fn the_version_is_added() {
    let text = "kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: a}\nspec: {policyName: b, \
                validationActions: [Deny]}\n";
    expect![[r#"
        +apiVersion: admissionregistration.k8s.io/v1
    "#]]
    .assert_eq(&changes(text, &fixed(text, "missing-field")));
}

#[test]
fn nothing_is_missing_while_the_file_is_broken() {
    let text = policy("  validations:\n    - message: 'a\n");
    let found = findings(&text);
    assert!(found.iter().all(|found| found.code != "missing-field"));
}

#[test]
fn a_patch_lacks_what_it_does_not_change() {
    check_diagnostics(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
     #^^^^^^^^^^^^^^^^^^^^^^^^ information[not-checked]
metadata:
  name: points.example.com
  annotations:
    cert-manager.io/inject-ca-from: demo/cert
",
    );
}

#[test]
fn a_definition_lacks_what_it_speaks_of() {
    let text = &crd("
        properties:
          range: {type: object, required: [min], properties: {min: {type: integer}}, default: {}}
        anyOf:
        - properties: {other: {minLength: 1}}
")
    .replace("example.com", "x-k8s.io");
    expect![[r#"
        15:9-15:19 "properties" Error[missing-field]: `spec.versions[0].schema.openAPIV3Schema.anyOf[0].properties[other]` requires `spec.versions[0].schema.openAPIV3Schema.properties[other]`. Declare it.
          Kubernetes: spec.validation.openAPIV3Schema.properties[other]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[other]
    "#]].assert_eq(&report(text));
    let text = text
        .replace("x-k8s.io", "x.k8s.io")
        .replace("default: {}", "default: {min: 1}")
        .replace("range:", "other: {type: string}\n          range:");
    expect![[r#"
        3:1-3:9 "metadata" Error[missing-field]: A CustomResourceDefinition in a Kubernetes API group requires the annotation `api-approved.kubernetes.io`, with a URL or a reason that begins with `unapproved`.
          Kubernetes: metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111
    "#]].assert_eq(&report(&text));
}
