//! The summary of a file.

use super::FileSummary;
use std::path::Path;
use std::sync::Arc;

fn summary(text: &str) -> FileSummary {
    FileSummary::read(&Arc::from(Path::new("a.yaml")), text)
}

fn policy(rest: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: demo}}\nspec:\n{rest}"
    )
}

#[test]
fn a_binding_says_what_it_binds_and_how() {
    let summary = summary(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo-binding}
spec:
  policyName: demo
  paramRef: {name: limits, parameterNotFoundAction: Deny}
  validationActions: [Warn, Audit]
  matchResources:
    namespaceSelector: {matchLabels: {env: prod}}
    objectSelector: {}
",
    );
    let [binding] = summary.bindings.as_slice() else {
        panic!("one binding")
    };
    assert_eq!(binding.name.as_deref(), Some("demo-binding"));
    assert_eq!(binding.policy.as_deref(), Some("demo"));
    assert!(binding.spec.param_ref.is_some() && !binding.is_template);
    let actions = binding.spec.validation_actions.iter();
    let actions: Vec<&str> = actions.map(|it| &*it.text).collect();
    assert_eq!(actions, ["Warn", "Audit"]);
    let (excluded, [Some(namespaces), None]) = binding.spec.exclusions() else {
        panic!("one selector")
    };
    assert!(excluded.is_empty());
    assert_eq!(namespaces.labels, [("env".into(), Some("prod".into()))]);
}

#[test]
fn a_policy_that_compares_params_with_null_does_not_need_them() {
    let needs = |expression: &str| {
        let kind = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n";
        let text = policy(&format!(
            "{kind}  validations: [{{expression: \"{expression}\"}}]\n"
        ));
        summary(&text).policies.first().unwrap().needs_params
    };
    assert!(needs("params.data.max == '3'"));
    assert!(needs("params['data'].max == '3'"));
    assert!(!needs("params == null || params.data.max == '3'"));
    assert!(!needs("object.params.x"));
}

#[test]
fn names_that_a_template_fills_in_are_not_known() {
    let text = policy("  validations: []\n").replace("demo", "'{{ .Release.Name }}-demo'");
    let summary = summary(&text);
    let policy = summary.policies.first().unwrap();
    assert_eq!(policy.name, None);
}

#[test]
fn a_rule_names_resources_by_word_and_by_star() {
    let names = |rule: &str, plural: &str| {
        let text = policy(&format!(
            "  matchConstraints:\n    resourceRules: [{rule}]\n"
        ));
        let summary = summary(&text);
        let rule = summary
            .policies
            .first()
            .unwrap()
            .spec
            .rules()
            .first()
            .unwrap()
            .clone();
        let kinds = kubernetes::openapi::Catalog::built_in(kubernetes::ServerVersion::NEWEST);
        let resource = kinds.resource("", "v1", plural).unwrap();
        rule.has_kind(("", "v1", plural), resource.namespaced)
    };
    let rule = |resources: &str, rest: &str| {
        format!(
            "{{apiGroups: [''], apiVersions: ['*'], operations: [CREATE], resources: [{resources}]{rest}}}"
        )
    };
    assert!(names(&rule("nodes", ""), "nodes"));
    assert!(names(&rule("'*'", ""), "nodes"));
    assert!(names(&rule("'*/*'", ""), "pods"));
    assert!(!names(&rule("nodes/status", ""), "nodes"));
    assert!(!names(&rule("'*'", ", scope: Namespaced"), "nodes"));
    assert!(!names(&rule("'*'", ", scope: Cluster"), "pods"));
}
