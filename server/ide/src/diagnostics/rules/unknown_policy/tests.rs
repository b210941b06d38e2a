//! Bindings whose policy is not there.

use crate::fixture::{check_project, check_project_with, fixed, show_project};
use crate::project::Project;
use expect_test::expect;

#[test]
fn a_name_that_is_close_is_the_one_that_is_meant() {
    expect![[r#"
        policy.yaml:
        binding.yaml:
        6:15-6:19 "dmeo" Warning[unknown-policy]: The project has no ValidatingAdmissionPolicy `dmeo`. Did you mean `demo`?
          fix: Change to `demo`
          policy.yaml:4:9 `demo`
    "#]]
    .assert_eq(&show_project("\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: dmeo
  validationActions: [Deny]
"));
}

#[test]
fn the_fix_names_the_policy() {
    let text = fixed("apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
---\napiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: dmeo
  validationActions: [Deny]
", "unknown-policy");
    assert!(text.contains("policyName: demo\n"));
}

#[test]
fn a_name_of_which_nothing_is_known_is_an_information() {
    let source = "\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
//- bound.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: c
spec:
  policyName: demo
  validationActions: [Deny]
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: other-one-her
             #^^^^^^^^^^^^^ information[unknown-policy]
  validationActions: [Deny]
";
    check_project(source);
    let quiet = source.replace(
        "             #^^^^^^^^^^^^^ information[unknown-policy]\n",
        "",
    );
    // Not all of the project is known.
    check_project_with(&quiet, Project::cut);
    // A template may bring the policy.
    check_project(&quiet.replace(
        "  name: demo\n",
        "  name: '{{ .Values.name }}'\n       #^^^^^^^^^^^^^^^^^^^^ information[not-checked]\n",
    ));
}

#[test]
fn a_policy_of_the_other_kind_is_none() {
    check_project(
        "\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: demo
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  mutations:
    - patchType: JSONPatch
      jsonPatch: {expression: '[JSONPatch{op: \"remove\", path: \"/metadata/name\"}]'}
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
             #^^^^ warning[unknown-policy]: is a MutatingAdmissionPolicy
  validationActions: [Deny]
",
    );
}

#[test]
fn a_project_without_policies_says_nothing() {
    check_project(
        "//- binding.yaml\napiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
  validationActions: [Deny]
",
    );
}
