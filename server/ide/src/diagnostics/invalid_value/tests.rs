//! What the API server refuses for other reasons.

use crate::fixture::{check_diagnostics, findings, policy, show};
use expect_test::expect;

#[test]
fn kubernetes_has_its_say() {
    let text = policy(
        "  validations:\n    - expression: 'true'\n      message: \"two\\nlines\"\n  matchConditions:\n    \
         - {name: 'a b', expression: 'true'}\n",
    );
    expect![[r#"
        11:16-11:28 "\"two\\nlines\"" Error[invalid-value]: `spec.validations[0].message` must be one line.
          Kubernetes: spec.validations[0].message: Invalid value: must not contain line breaks
        13:14-13:19 "'a b'" Error[invalid-value]: `spec.matchConditions[0].name` is not a valid name. Use letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit. A domain and `/` may stand before it.
          Kubernetes: spec.matchConditions[0].name: Invalid value: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
    "#]]
    .assert_eq(&show(&text, &findings(&text)));
}

#[test]
fn wildcards_stand_alone() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo, namespace: here}
                                 #^^^^ error[invalid-value]: stands outside of namespaces
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ['*', apps]
      #<^^^^^^^ error[invalid-value]: `*` includes the others
      apiVersions: ['*']
      operations: ['*']
      resources: ['*/*']
  validations: [{expression: 'true'}]
",
    );
}

#[test]
fn both_deny_and_warn() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: demo
  validationActions: [Deny, Warn]
  #<^^^^^^^^^^^^^^^ error[invalid-value]: say the same thing twice
",
    );
}
