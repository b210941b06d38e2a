//! Policies that set a field to different constants, or read a field that another policy sets.

use crate::fixture::{check_project, project};

/// Returns a mutating policy with its binding.
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

/// Checks two policies in one directory. If they conflict, each has a finding at a value that names
/// the other policy.
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

/// Checks a policy next to one that sets the replicas and a label. `read` is the read with the
/// finding, if any.
fn check_read(reader: &str, read: Option<&str>) {
    let labels = "metadata: Object.metadata{labels: {'a': 'x'}}, ";
    let writer = policy("writer", &merged(&format!("{labels}{MERGED}")));
    let mut reader = reader.to_owned();
    if let Some(read) = read {
        let line = reader.lines().find(|line| line.contains(read)).unwrap();
        let blank = " ".repeat(line.find(read).unwrap() - 1);
        let marks = "^".repeat(read.len());
        let label = format!("#{blank}{marks} warning[conflicting-mutations]: Policy `writer` sets");
        reader = reader.replace(line, &format!("{line}\n{label}"));
    }
    check_project(&project([("p/one.yaml", &writer), ("p/two.yaml", &reader)]));
}

/// Returns a policy with a match condition that sets another field.
fn conditional(condition: &str) -> String {
    let other = policy("reader", &merged("spec: Object.spec{paused: true}"));
    let condition =
        format!("  matchConditions:\n    - {{name: a, expression: \"{condition}\"}}\n  mutations");
    other.replacen("  mutations", &condition, 1)
}

#[test]
fn a_condition_on_what_another_policy_sets_depends_on_the_order() {
    for (condition, read) in [
        ("object.spec.replicas > 5", "object.spec.replicas"),
        (
            "object.metadata.name != 'x' && (object.spec.replicas == 3)",
            "object.spec.replicas",
        ),
        (
            "object.metadata.?labels[?'a'].orValue('') == 'x'",
            "object.metadata.?labels[?'a']",
        ),
        (
            "has(object.metadata.labels) && !has(object.metadata.labels.a)",
            "has(object.metadata.labels.a)",
        ),
        (
            "has(object.metadata.labels) && 'a' in object.metadata.labels",
            "'a' in object.metadata.labels",
        ),
    ] {
        check_read(&conditional(condition), Some(read));
    }
}

#[test]
fn other_conditions_may_have_one_result_in_both_orders() {
    for condition in [
        // The server sets a default.
        "has(object.spec.replicas)",
        "object.spec.replicas >= 0",
        "object.spec.replicas > 5 || object.metadata.name == 'x'",
        "object.metadata.name != 'x'",
        "has(object.metadata.labels)",
        "object.spec.replicas > 5 && request.userInfo.username == 'x'",
    ] {
        check_read(&conditional(condition), None);
    }
    let reader = conditional("object.spec.replicas > 5");
    for (from, to) in [
        ("Never", "IfNeeded"),
        ("[CREATE]", "[UPDATE]"),
        ("paused: true", "replicas: 3"),
        ("Object{spec: Object.spec{paused: true}}", "Object{}"),
    ] {
        let changed = reader.replacen(from, to, 1);
        assert_ne!(changed, reader, "{from}");
        check_read(&changed, None);
    }
}

#[test]
fn a_copy_of_what_another_policy_sets_depends_on_the_order() {
    let copied = |fields: &str| policy("reader", &merged(fields));
    let label = "metadata: Object.metadata{labels: {'size': string(object.spec.replicas)}}";
    check_read(&copied(label), Some("object.spec.replicas"));
    let patch = patched("op: 'add', path: '/spec/minReadySeconds', value: object.spec.replicas");
    check_read(&policy("reader", &patch), Some("object.spec.replicas"));
    check_read(&copied(label).replace("Never", "IfNeeded"), None);
    check_read(
        &copied("spec: Object.spec{replicas: object.spec.replicas}"),
        None,
    );
    check_read(
        &copied("metadata: Object.metadata{labels: {'b': object.metadata.name}}"),
        None,
    );
}
