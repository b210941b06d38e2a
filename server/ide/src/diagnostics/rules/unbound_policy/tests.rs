//! Policies that no binding names.

use crate::fixture::{check_project, check_project_with};
use crate::project::Project;

const FILES: &str = "\
//- a.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
       #^^^^ information[unbound-policy]: has no effect
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
//- b.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: bound
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: bound
  validationActions: [Deny]
";

#[test]
fn a_policy_that_no_binding_names_does_nothing() {
    check_project(FILES);
}

#[test]
fn it_is_silent_where_it_cannot_know() {
    let quiet = FILES.replace(
        "       #^^^^ information[unbound-policy]: has no effect\n",
        "",
    );
    check_project_with(&quiet, Project::cut);
    // Who has no bindings keeps them elsewhere.
    check_project(quiet.split("---\n").next().unwrap());
    // A template may bind it.
    check_project(&quiet.replace(
        "policyName: bound\n",
        "policyName: '{{ .Values.name }}'\n             #^^^^^^^^^^^^^^^^^^^^ information[not-checked]\n",
    ));
    check_project(
        &quiet
            .replace("policyName: bound", "policyName: demo")
            .replace(
                "name: bound\n",
                "name: '{{ .Values.name }}'\n       #^^^^^^^^^^^^^^^^^^^^ information[not-checked]\n",
            ),
    );
}
