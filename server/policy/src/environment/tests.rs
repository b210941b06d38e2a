//! Each kind of expression sees its own names.

use super::*;
use crate::recognize;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

fn check(text: &str, expected: &Expect) {
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let mut shown = String::new();
    for policy in &found.policies {
        for expression in policy.expressions() {
            let names: Vec<&str> = roots(policy, expression.role)
                .iter()
                .map(|root| root.name)
                .collect();
            writeln!(shown, "{}: {}", expression.text(), names.join(" ")).unwrap();
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn each_place_in_a_policy_has_its_own_names() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConditions: [{name: m, expression: match}]
  variables: [{name: v, expression: variable}]
  validations: [{expression: validation, messageExpression: message}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  validations: [{expression: plain}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
spec:
  mutations: [{jsonPatch: {expression: patch}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
webhooks: [{matchConditions: [{expression: webhook}]}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec: {versions: [{schema: {openAPIV3Schema: {x-kubernetes-validations: [{rule: rule}]}}}]}
",
        &expect![[r#"
            match: object oldObject request namespaceObject params authorizer
            variable: object oldObject request namespaceObject params authorizer variables
            validation: object oldObject request namespaceObject params authorizer variables
            message: object oldObject request namespaceObject params variables
            plain: object oldObject request namespaceObject authorizer
            patch: object oldObject request namespaceObject authorizer variables
            webhook: object oldObject request namespaceObject authorizer
            rule: self oldSelf
        "#]],
    );
}

#[test]
fn a_missing_name_has_a_reason() {
    let text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec: {validations: [{expression: a, messageExpression: b}]}
";
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let policy = &found.policies[0];
    let absence = |role, name| match availability(policy, role, name) {
        Availability::Absent(absence) => Some(absence),
        Availability::Root(_) | Availability::Type | Availability::Unknown => None,
    };
    let role = Role::Validation;
    assert_eq!(absence(role, "params"), Some(Absence::NoParamKind));
    assert_eq!(absence(role, "variables"), Some(Absence::NoVariables));
    assert_eq!(absence(role, "self"), Some(Absence::OnlyInCrd));
    assert_eq!(absence(role, "Object"), Some(Absence::OnlyInMutation));
    assert_eq!(absence(role, "object"), None);
    let role = Role::MessageExpression;
    assert_eq!(
        absence(role, "authorizer"),
        Some(Absence::AuthorizerInMessage)
    );
    assert!(matches!(
        availability(policy, role, "int"),
        Availability::Type
    ));
    assert!(matches!(
        availability(policy, role, "objct"),
        Availability::Unknown
    ));
}

#[test]
fn tables_are_sorted_for_the_search() {
    for ty in [&tables::REQUEST, &tables::NAMESPACE] {
        assert!(ty.fields.is_sorted_by_key(|field| field.name));
    }
    let user = tables::REQUEST.field("userInfo").unwrap();
    assert_eq!(user.object.unwrap().field("username").unwrap().ty, "string");
}
