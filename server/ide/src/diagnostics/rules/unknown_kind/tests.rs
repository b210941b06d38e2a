//! Documents of supported groups whose kind the API server does not serve.

use crate::fixture::{changes, check_diagnostics, check_places, fixed, json_policy};
use expect_test::expect;

#[test]
fn kinds_versions_and_groups_are_compared() {
    check_places(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicys
     #^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-kind]: Did you mean `ValidatingAdmissionPolicy`?
---
apiVersion: admissionregistration.k8s.io/v2
           #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-kind]: has no version `v2`
kind: MutatingAdmissionPolicy
---
apiVersion: admissionregistration.k8s.io/v1
kind: Pod
     #^^^ error[unknown-kind]: has no kind `Pod`.
",
    );
}

#[test]
fn kinds_of_others_are_left_alone() {
    check_diagnostics(
        "\
apiVersion: policies.example.com/v1
kind: ValidatingAdmissionPolicy
expression: 1 +
",
    );
}

#[test]
fn the_nearest_kind_is_offered() {
    let text = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBindings\n\
                metadata: {name: a}\nspec: {policyName: b, validationActions: [Deny]}\n";
    expect![[r#"
        -kind: ValidatingAdmissionPolicyBindings
        +kind: ValidatingAdmissionPolicyBinding
    "#]]
    .assert_eq(&changes(text, &fixed(text, "unknown-kind")));
    let text = text
        .replace("Bindings", "Binding")
        .replace("io/v1", "io/v3");
    expect![[r#"
        -apiVersion: admissionregistration.k8s.io/v3
        +apiVersion: admissionregistration.k8s.io/v1
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-kind")));
}

#[test]
fn the_quotes_of_json_stay() {
    let text = json_policy("\"expression\": \"true\"").replace("Policy\",", "Policies\",");
    expect![[r#"
        -  "kind": "ValidatingAdmissionPolicies",
        +  "kind": "ValidatingAdmissionPolicy",
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-kind")));
}

#[test]
fn fix_adds_the_space_after_the_colon() {
    let text = "apiVersion: admissionregistration.k8s.io/v1\nkind:MutatingAdmissionPolicie\nmetadata: {name: a}\n";
    assert!(fixed(text, "unknown-kind").contains("\nkind: MutatingAdmissionPolicy\n"));
}
