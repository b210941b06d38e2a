//! Values of another type than their field.

use crate::fixture::{changes, check_diagnostics, crd, fixed, policy, report};
use expect_test::expect;

#[test]
fn every_type_has_its_words() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: [a]}
                #^^^ error[wrong-type]: must be a string, but it is a list
webhooks:
- name: one.example.com
  admissionReviewVersions: v1
                          #^^ error[wrong-type]: must be a list, but `v1` is a string
  sideEffects: None
  timeoutSeconds: \"5\"
                 #^^^ error[wrong-type]: must be a 32-bit integer, but `\"5\"` is a string
  clientConfig: 5
               #^ error[wrong-type]: must be a mapping (`key: value`), but `5` is a number
  rules:
    apiGroups: ['*']
    #<^^^^^^^^^^^^^^ error[wrong-type]: must be a list, but it is a mapping
",
    );
}

#[test]
fn of_a_block_the_beginning_is_underlined() {
    check_diagnostics(&policy(
        "
  validations:
    expression: 'true'
    #<^^^^^^^^ error[wrong-type]: must be a list, but it is a mapping
    message: a
  variables:
    - - name: a
     #^ error[wrong-type]: must be a mapping (`key: value`), but it is a list
      - name: b
",
    ));
}

#[test]
fn a_required_property_is_listed_by_its_parent() {
    let text = crd("        properties:\n          replicas: {type: integer, required: true}\n");
    expect![[r#"
        16:47-16:51 "true" Error[wrong-type]: `spec.versions[0].schema.openAPIV3Schema.properties[replicas].required` must be a list, but `true` is a boolean. To make the property required, list `replicas` in `required` of its parent.
    "#]]
    .assert_eq(&report(&text));
}

#[test]
fn null_is_the_same_as_nothing() {
    check_diagnostics(&policy(
        "  validations:\n    - {expression: 'true', reason: null, message: ~}\n  variables:\n",
    ));
}

#[test]
fn a_single_value_becomes_a_list() {
    let text = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n\
                metadata: {name: a}\nspec:\n  policyName: b\n  validationActions: \"Deny\"\n";
    expect![[r#"
        -  validationActions: "Deny"
        +  validationActions: ["Deny"]
    "#]]
    .assert_eq(&changes(text, &fixed(text, "wrong-type")));
}

#[test]
fn a_number_loses_its_quotes() {
    let text = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n\
                metadata: {name: a}\nwebhooks:\n- name: a.example.com\n  sideEffects: None\n  \
                admissionReviewVersions: [v1]\n  timeoutSeconds: '5'\n  clientConfig: {url: \
                'https://a.example.com'}\n";
    expect![[r#"
        -  timeoutSeconds: '5'
        +  timeoutSeconds: 5
    "#]]
    .assert_eq(&changes(text, &fixed(text, "wrong-type")));
}

#[test]
fn an_infinite_number_cannot_be_read_anywhere() {
    let text = &crd("
          properties:
            a: {type: number, maximum: .inf}
            b: {type: object, x-kubernetes-preserve-unknown-fields: true, default: {c: [.NaN]}}
            c: {type: string, description: -.Inf}
");
    expect![[r#"
        16:40-16:44 ".inf" Error[wrong-type]: JSON cannot represent infinity or NaN, so the API server cannot read this file. Write a finite number.
        17:89-17:93 ".NaN" Error[wrong-type]: JSON cannot represent infinity or NaN, so the API server cannot read this file. Write a finite number.
        18:44-18:49 "-.Inf" Error[implicit-type]: YAML parses `-.Inf` as the number `-.inf`, but this field requires a string. Quote the value.
          fix: Quote the value
    "#]].assert_eq(&report(text));
}

#[test]
fn number_in_json_is_an_integer_only_without_a_fraction() {
    let text = "{\"apiVersion\": \"admissionregistration.k8s.io/v1\", \"kind\": \
                \"ValidatingAdmissionPolicyBinding\",\n\"metadata\": {\"name\": \"a\", \"generation\": 1e1},\n\
                \"spec\": {\"policyName\": \"b\", \"validationActions\": [\"Deny\"]}}";
    expect![[r#"
        2:41-2:44 "1e1" Error[wrong-type]: `metadata.generation` must be an integer, but `1e1` is a number. JSON is read as it is written, so write `10`.
          fix: Write it as an integer
    "#]].assert_eq(&report(text));
    let text = text.replace("{\"apiVersion", "# YAML\n{\"apiVersion");
    expect![[r#""#]].assert_eq(&report(&text));
}
