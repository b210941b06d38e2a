//! What the directory of a server cannot hold.

use crate::fixture::{check_diagnostics, check_project};

#[test]
fn there_are_no_parameters() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: a.static.k8s.io # admissible: ignore[reserved-name]
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
 #^^^^^^^^^ error[static-manifest]: cannot have parameters
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: params.data.a == object.metadata.name
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: a.static.k8s.io
spec:
  policyName: a.static.k8s.io
  paramRef: {name: limits, parameterNotFoundAction: Deny}
 #^^^^^^^^ error[static-manifest]: cannot have parameters
  validationActions: [Deny]
",
    );
}

#[test]
fn a_binding_is_beside_its_policy() {
    let source = "\
//- manifests/binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: a.static.k8s.io # admissible: ignore[reserved-name]
spec:
  policyName: a.static.k8s.io
             #^^^^^^^^^^^^^^^ warning[static-manifest]: No file in this directory
  validationActions: [Deny]
//- %/policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: a.static.k8s.io # admissible: ignore[reserved-name]
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
";
    let label =
        "             #^^^^^^^^^^^^^^^ warning[static-manifest]: No file in this directory\n";
    check_project(&source.replace('%', "other"));
    check_project(&source.replace('%', "manifests").replace(label, ""));
}

#[test]
fn names_with_and_without_the_end_do_not_mix() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: a.static.k8s.io # admissible: ignore[reserved-name]
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
       #^^^^ warning[static-manifest]: Move
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
",
    );
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: a.static.k8s.io
             #^^^^^^^^^^^^^^^ warning[static-manifest]: has no effect
  validationActions: [Deny]
",
    );
}

#[test]
fn older_servers_have_no_such_directory() {
    check_diagnostics(
        "\
# kubernetes = \"1.33\"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: a.static.k8s.io
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: params.data.a == object.metadata.name
",
    );
}
