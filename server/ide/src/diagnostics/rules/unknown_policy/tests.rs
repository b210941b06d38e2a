//! Bindings whose policy is missing.

use crate::fixture::{
    binding, check_project, check_project_with, fixed, named_policy, project, render_project,
};
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
    .assert_eq(&render_project(&project([
        ("policy.yaml", &named_policy("demo")),
        ("binding.yaml", &binding("b", "policyName: dmeo")),
    ])));
}

#[test]
fn the_fix_names_the_policy() {
    let (policy, binding) = (named_policy("demo"), binding("b", "policyName: dmeo"));
    let text = fixed(&format!("{policy}---\n{binding}"), "unknown-policy");
    assert!(text.contains("policyName: demo\n"));
}

#[test]
fn a_name_of_which_nothing_is_known_is_an_information() {
    let label = "\n             #^^^^^^^^^^^^^ information[unknown-policy]";
    let unknown = format!("policyName: other-one-her{label}");
    let source = project([
        ("policy.yaml", &named_policy("demo")),
        ("bound.yaml", &binding("c", "policyName: demo")),
        ("binding.yaml", &binding("b", &unknown)),
    ]);
    check_project(&source);
    let quiet = source.replace(label, "");
    // The project is incomplete.
    check_project_with(&quiet, Project::cut);
    // A template may define the policy.
    check_project(&quiet.replace(
        "  name: demo\n",
        "  name: '{{ .Values.name }}'\n       #^^^^^^^^^^^^^^^^^^^^ information[not-checked]\n",
    ));
}

#[test]
fn a_policy_of_the_other_kind_is_none() {
    let mutating = "\
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
";
    let label = "#^^^^ warning[unknown-policy]: is a MutatingAdmissionPolicy";
    let binding = binding("b", &format!("policyName: demo\n             {label}"));
    check_project(&project([
        ("policy.yaml", mutating),
        ("binding.yaml", &binding),
    ]));
}

#[test]
fn a_project_without_policies_says_nothing() {
    let binding = binding("b", "policyName: demo");
    check_project(&project([("binding.yaml", &binding)]));
}

#[test]
fn name_that_is_not_valid_is_not_suggested() {
    let policy = named_policy("require-o wner");
    let source = project([
        ("policy.yaml", &policy),
        ("binding.yaml", &binding("b", "policyName: require-owner")),
    ]);
    assert!(!render_project(&source).contains("Did you mean"));
}
