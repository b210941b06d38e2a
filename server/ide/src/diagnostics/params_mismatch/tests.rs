//! Bindings and policies that do not agree about parameters.

use crate::fixture::{check_project, fixed};

#[test]
fn a_reference_without_a_kind_is_ignored() {
    check_project(
        "\
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
  policyName: demo
  paramRef: {name: limits, parameterNotFoundAction: Deny}
 #^^^^^^^^ warning[params-mismatch]: ignored
  validationActions: [Deny]
",
    );
}

#[test]
fn a_policy_that_reads_params_needs_a_reference() {
    let source = "\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: params.data.a == object.metadata.name
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
             #^^^^ warning[params-mismatch]: null
  validationActions: [Deny]
";
    check_project(source);
    let quiet = source.replace("             #^^^^ warning[params-mismatch]: null\n", "");
    check_project(&quiet.replace("params.data.a", "params == null || params.data.a"));
}

#[test]
fn a_kind_in_no_namespace_takes_none() {
    let source = "\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  paramKind: {apiVersion: v1, kind: Namespace}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: params.metadata.name == object.metadata.name
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
  paramRef: {name: limits, namespace: a, parameterNotFoundAction: Deny}
                          #^^^^^^^^^ error[params-mismatch]: in no namespace
  validationActions: [Deny]
";
    check_project(source);
    let text = source
        .replace("//- policy.yaml\n", "")
        .replace("//- binding.yaml\n", "---\n");
    let text = fixed(&text, "params-mismatch");
    assert!(
        text.contains("paramRef: {name: limits, parameterNotFoundAction: Deny}"),
        "{text}"
    );
}

#[test]
fn objects_in_no_namespace_need_one_for_the_parameters() {
    let files = |resources: &str, label: &str| {
        let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: demo\nspec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n  matchConstraints:\n    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]\n  validations:\n    - expression: params.data.a == object.metadata.name\n".replace("apiGroups: [apps]", "apiGroups: [apps, '']");
        let policy = policy.replace("[deployments]", resources);
        format!(
            "//- policy.yaml\n{policy}//- binding.yaml\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata:\n  name: b\nspec:\n  policyName: demo\n  paramRef: {{name: limits, parameterNotFoundAction: Deny}}\n{label}  validationActions: [Deny]\n"
        )
    };
    check_project(&files(
        "[nodes]",
        " #^^^^^^^^ error[params-mismatch]: `nodes` are in no namespace\n",
    ));
    check_project(&files(
        "[pods, nodes]",
        " #^^^^^^^^ warning[params-mismatch]\n",
    ));
    check_project(&files("[pods, deployments]", ""));
    // The namespace of a Namespace is its own name.
    check_project(&files("[namespaces]", ""));
}
