//! Policies that match more or less than they seem to.

use crate::fixture::{matched, report};

fn policy(constraints: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  matchConstraints:
    {constraints}
  validations:
  - expression: has(object.metadata)
"
    )
}

fn selected(group: &str, resources: &str) -> String {
    policy(&format!(
        "namespaceSelector: {{matchLabels: {{a: b}}}}\n    resourceRules:\n    - {{apiGroups: \
         ['{group}'], apiVersions: [v1], operations: [CREATE], resources: [{resources}]}}"
    ))
}

fn exact(versions: &str, policy_word: &str) -> String {
    policy(&format!(
        "matchPolicy: {policy_word}\n    resourceRules:\n    - {{apiGroups: [autoscaling], \
         apiVersions: [{versions}], operations: [CREATE], resources: [horizontalpodautoscalers]}}"
    ))
}

fn takes(text: &str, object: &str) -> bool {
    matched(text, object).is_ok()
}

#[test]
fn what_is_in_no_namespace_always_matches() {
    let text = selected("", "nodes, nodes/status");
    assert!(
        report(&text).contains("Information[matching-surprise]: `namespaceSelector` has no effect")
    );
    assert!(takes(
        &text,
        "{apiVersion: v1, kind: Node, metadata: {name: a}}"
    ));
}

#[test]
fn exact_versions_leave_others_out() {
    let text = exact("v1", "Exact");
    assert!(
        report(&text).contains("in version `v2` do not match"),
        "{}",
        report(&text)
    );
    let object = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}}";
    assert!(!takes(&text, object));
}

#[test]
fn other_rules_are_silent() {
    for text in [
        selected("", "pods"),
        selected("", "nodes, pods"),
        selected("", "namespaces"),
        selected("", "'*'"),
        selected("example.com", "widgets"),
        selected("", "nodes").replace("{matchLabels: {a: b}}", "{}"),
        exact("v1", "Equivalent"),
        exact("v1, v2", "Exact"),
        exact("'*'", "Exact"),
    ] {
        assert_eq!(report(&text), "");
    }
}
