//! Policies that set one field to different constants.

use crate::fixture::{check_project, project};

/// A mutating policy with its binding.
fn policy(name: &str, mutation: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: {name}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}]
  mutations:
    - {mutation}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: {name}-binding
spec:
  policyName: {name}
"
    )
}

fn merged(fields: &str) -> String {
    format!(
        "{{patchType: ApplyConfiguration, applyConfiguration: {{expression: \"Object{{{fields}}}\"}}}}"
    )
}

fn patched(operation: &str) -> String {
    format!("{{patchType: JSONPatch, jsonPatch: {{expression: \"[JSONPatch{{{operation}}}]\"}}}}")
}

const MERGED: &str = "spec: Object.spec{replicas: 3}";
const PATCH: &str = "op: 'replace', path: '/spec/replicas', value: 4";

/// Checks two policies in one directory. Where they conflict, each has a finding at a value,
/// which names the other policy.
fn check(one: &str, other: &str, conflict: Option<[(&str, &str); 2]>) {
    let mut texts = [one.to_owned(), other.to_owned()];
    for (text, (value, name)) in texts.iter_mut().zip(conflict.into_iter().flatten()) {
        let line = text
            .lines()
            .find(|line| line.contains(value))
            .unwrap()
            .to_owned();
        let blank = " ".repeat(line.find(value).unwrap() - 1);
        let marks = "^".repeat(value.len());
        let label = format!("#{blank}{marks} warning[conflicting-mutations]: Policy `{name}` sets");
        *text = text.replace(&line, &format!("{line}\n{label}"));
    }
    let [one, other] = texts;
    check_project(&project([("p/one.yaml", &one), ("p/other.yaml", &other)]));
}

#[test]
fn different_constants_for_one_field_depend_on_the_order() {
    let one = policy("one", &merged(MERGED));
    let other = policy("other", &patched(PATCH));
    let both = Some([("3", "other"), ("4", "one")]);
    check(&one, &other, both);
    let reinvoked = |text: &str| text.replace("Never", "IfNeeded");
    check(&reinvoked(&one), &reinvoked(&other), both);
    let label = |value: &str| {
        merged(&format!(
            "metadata: Object.metadata{{labels: {{'a.b/c': {value}}}}}"
        ))
    };
    check(
        &policy("one", &label("'x'")),
        &policy("other", &label("'y'")),
        Some([("'x'", "other"), ("'y'", "one")]),
    );
}

#[test]
fn policies_that_cannot_conflict_are_fine() {
    let one = policy("one", &merged(MERGED));
    let other = policy("other", &patched(PATCH));
    let condition =
        "  matchConditions: [{name: a, expression: object.spec.replicas > 5}]\n  mutations";
    let selector = "[deployments]}]\n    objectSelector: {matchLabels: {a: b}}";
    let narrowed =
        "policyName: other\n  matchResources: {namespaceSelector: {matchLabels: {a: b}}}";
    for (from, to) in [
        ("value: 4", "value: 3"),
        ("spec/replicas", "spec/minReadySeconds"),
        ("value: 4", "value: object.spec.replicas"),
        ("[deployments]", "[statefulsets]"),
        ("[CREATE]", "[UPDATE]"),
        ("Never", "IfNeeded"),
        ("  mutations", condition),
        ("[deployments]}]", selector),
        ("policyName: other", narrowed),
    ] {
        let changed = other.replacen(from, to, 1);
        assert_ne!(changed, other, "{from}");
        check(&one, &changed, None);
    }
    check_project(&project([("p/one.yaml", &one), ("q/other.yaml", &other)]));
}
