//! The generated policies, and intents that do not fit a kind.

use super::{INTENTS, new_policy};
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::openapi::Catalog;

#[track_caller]
fn check(intent: &str, plural: &str, expected: &Expect) {
    let catalog = Catalog::built_in(ServerVersion::COMPARED);
    let resource = catalog.resources_of_name(plural).next().unwrap();
    let intent = INTENTS.iter().find(|it| it.name == intent).unwrap();
    let policy = new_policy(intent, &resource, &catalog);
    expected.assert_eq(&policy.map(|it| it.text).unwrap_or_default());
}

#[test]
fn a_policy_has_the_rules_of_its_kind() {
    check(
        "require-label",
        "namespaces",
        &expect![[r#"
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata:
          name: namespaces-require-label
        spec:
          matchConstraints:
            resourceRules:
            - apiGroups: [""]
              apiVersions: [v1]
              operations: [CREATE, UPDATE]
              resources: [namespaces]
          validations:
          - expression: >-
              'team' in object.metadata.?labels.orValue({})
            message: Set the label `team`.
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata:
          name: namespaces-require-label
        spec:
          policyName: namespaces-require-label
          validationActions: [Deny]
    "#]],
    );
}

#[test]
fn the_subresource_that_scales_is_matched() {
    check(
        "limit-replicas",
        "deployments",
        &expect![[r#"
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata:
          name: deployments-limit-replicas
        spec:
          matchConstraints:
            resourceRules:
            - apiGroups: [apps]
              apiVersions: [v1]
              operations: [CREATE, UPDATE]
              resources: [deployments, deployments/scale]
          validations:
          - expression: >-
              object.?spec.replicas.orValue(1) <= 5
            message: At most five replicas are allowed.
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata:
          name: deployments-limit-replicas
        spec:
          policyName: deployments-limit-replicas
          validationActions: [Deny]
          matchResources:
            namespaceSelector:
              matchExpressions:
              - key: kubernetes.io/metadata.name
                operator: NotIn
                values: [kube-system]
    "#]],
    );
}

#[test]
fn the_spec_of_a_pod_is_found() {
    check(
        "disable-token",
        "cronjobs",
        &expect![[r#"
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicy
        metadata:
          name: cronjobs-disable-token
        spec:
          reinvocationPolicy: Never
          matchConstraints:
            resourceRules:
            - apiGroups: [batch]
              apiVersions: [v1]
              operations: [CREATE]
              resources: [cronjobs]
          matchConditions:
          - name: no-choice
            expression: >-
              !has(object.spec.jobTemplate.spec.template.spec.automountServiceAccountToken)
          mutations:
          - patchType: ApplyConfiguration
            applyConfiguration:
              expression: >-
                Object{spec: Object.spec{jobTemplate: Object.spec.jobTemplate{spec: Object.spec.jobTemplate.spec{template: Object.spec.jobTemplate.spec.template{spec: Object.spec.jobTemplate.spec.template.spec{automountServiceAccountToken: false}}}}}}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicyBinding
        metadata:
          name: cronjobs-disable-token
        spec:
          policyName: cronjobs-disable-token
          matchResources:
            namespaceSelector:
              matchExpressions:
              - key: kubernetes.io/metadata.name
                operator: NotIn
                values: [kube-system]
    "#]],
    );
}

#[test]
fn an_intent_that_does_not_fit_has_no_policy() {
    check("require-registry", "services", &expect![[""]]);
    check("limit-replicas", "daemonsets", &expect![[""]]);
    check("require-label", "tokenreviews", &expect![[""]]);
}
