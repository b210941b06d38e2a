//! Bindings with different actions for the same objects.

use crate::fixture::check_project;

const FILES: &str = "\
//- policies/policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas <= 5
//- policies/deny.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: deny
spec:
  policyName: demo
  validationActions: [Deny]
//- policies/audit.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: audit
spec:
  policyName: demo
  validationActions: [Audit, Warn]
                    #^^^^^^^^^^^^^ information[conflicting-bindings]: `deny` denies
";

#[test]
fn the_milder_of_two_bindings_has_no_effect() {
    check_project(FILES);
}

#[test]
fn bindings_for_other_objects_or_clusters_are_fine() {
    let label =
        "                    #^^^^^^^^^^^^^ information[conflicting-bindings]: `deny` denies\n";
    let quiet = FILES.replace(label, "");
    let narrowed =
        format!("{quiet}  matchResources: {{namespaceSelector: {{matchLabels: {{a: b}}}}}}\n");
    check_project(&narrowed);
    check_project(&quiet.replace("policies/audit.yaml", "test/audit.yaml"));
    check_project(&quiet.replace("[Audit, Warn]", "[Deny]"));
}
