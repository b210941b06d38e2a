//! Documents of one kind and name.

use crate::fixture::{check_diagnostics, check_project};

#[test]
fn the_second_in_a_file_overwrites_the_first() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
       #^^^^ warning[duplicate-object]: replaces the first
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
",
    );
}

#[test]
fn another_file_of_the_directory_is_told() {
    let source = "\
//- a/binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
  validationActions: [Deny]
//- a/a.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
       #^^^^ information[duplicate-object]: another file
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
//- a/b.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
       #^^^^ information[duplicate-object]: another file
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
";
    check_project(source);
    let label = "       #^^^^ information[duplicate-object]: another file\n";
    check_project(&source.replace(label, "").replace("a/b.yaml", "b/b.yaml"));
    // Examples are not applied together.
    check_project(
        &source
            .replace(label, "")
            .replace("a/binding.yaml", "b/binding.yaml"),
    );
}

#[test]
fn a_binding_and_a_policy_share_a_name() {
    check_diagnostics(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: demo\nspec:\n  matchConstraints:\n    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]\n  validations:\n    - expression: object.spec.replicas <= 5\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata:\n  name: demo\nspec:\n  policyName: demo\n  validationActions: [Deny]\n",
    );
}
