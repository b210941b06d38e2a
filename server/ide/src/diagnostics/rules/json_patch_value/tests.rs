//! Values that do not fit, each with what then happens.

use crate::diagnostic::Severity;
use crate::fixture::{changes, findings, fixed, json_patch, mutated};
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {a: b}, annotations: {k: v}}, spec: \
     {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {volumes: [{name: v}], containers: [{name: a, image: b}]}}}}";

/// A policy whose objects have the maps that the patches of these tests add to.
fn policy(operation: &str) -> String {
    json_patch("apps/v1/deployments", &format!("[JSONPatch{{{operation}}}]")).replace(
        "  mutations:",
        "  matchConditions:\n    - name: a\n      expression: >-\n        has(object.metadata.labels) && has(object.metadata.annotations) && has(object.spec.template.spec.volumes)\n  mutations:",
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "the messages are long")]
fn what_is_found_fails_at_admission() {
    for (operation, message) in [
        (
            "op: 'add', path: '/metadata/labels/b', value: 1",
            "Deployment: `metadata.labels.b` is of type `string`, but the value is `int`, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('a/b'), value: object.metadata.labels",
            "Deployment: `metadata.annotations.a/b` is of type `string`, but the value is `map(string, string)`, so the mutation fails.",
        ),
        (
            "op: 'replace', path: '/spec/replicas', value: '3'",
            "Deployment: `spec.replicas` is of type `int`, but the value is `string`, so the mutation fails.",
        ),
        (
            "op: 'replace', path: '/spec/replicas', value: 1.5",
            "Deployment: `spec.replicas` is of type `int`, but the value is `double`, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/volumes/-', value: [{'name': '😀'}]",
            "Deployment: `spec.template.spec.volumes[]` is of type `Volume`, but the value is `list(map(string, string))`, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/volumes/-', value: {'name': 'x', 'emptyDir': '{}'}",
            "Deployment: `spec.template.spec.volumes[].emptyDir` is of type `EmptyDirVolumeSource`, but the value is `string`, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'x', imag: 'y'}",
            "`spec.template.spec.containers[].imag` is not a field of Deployment, so the mutation fails. Did you mean `image`?",
        ),
        (
            "op: 'add', path: '/spec/template/spec/containers/0/env', value: [{'nam': 'x'}]",
            "`spec.template.spec.containers[].env[].nam` is not a field of Deployment, so the mutation fails. Did you mean `name`?",
        ),
        (
            "op: 'add', path: '/metadata/labels/b', value: quantity('1Gi')",
            "JSON cannot represent a value of type `kubernetes.Quantity`, so the mutation fails. Use strings instead.",
        ),
        (
            "op: 'add', path: '/metadata/labels', value: {1: 'a'}",
            "JSON cannot represent a map with keys of type `int`, so the mutation fails. Use strings instead.",
        ),
    ] {
        let text = policy(operation);
        let found = findings(&text);
        let said = found
            .iter()
            .map(|it| (it.code, it.severity, it.message.as_str()));
        let expected = [("json-patch-value", Severity::Error, message)];
        assert_eq!(said.collect::<Vec<_>>(), expected, "{operation}");
        assert!(mutated(&text, DEPLOYMENT).is_err(), "{operation}");
    }
}

#[test]
fn what_fits_is_silent_and_works() {
    for operation in [
        "op: 'add', path: '/metadata/labels/b', value: 'x'",
        "op: 'add', path: '/metadata/labels/b', value: null",
        "op: 'add', path: '/metadata/labels', value: {}",
        "op: 'add', path: '/metadata/labels/b', value: optional.of('x')",
        "op: 'add', path: '/metadata/labels/b', value: b'x'",
        "op: 'add', path: '/metadata/labels/b', value: dyn('x')",
        "op: 'replace', path: '/spec/replicas', value: 2.0",
        "op: 'replace', path: '/spec/replicas', value: 2u",
        "op: 'add', path: '/metadata/annotations/b', value: object.metadata.name",
        "op: 'add', path: '/metadata/annotations/b', value: timestamp('2026-01-01T00:00:00Z')",
        "op: 'add', path: '/spec/template/spec/volumes/-', value: {'name': dyn('x'), 'emptyDir': dyn({})}",
        "op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'x', image: 'y', ports: [Object.spec.template.spec.containers.ports{containerPort: 1}]}",
        "op: 'add', path: '/spec/template/spec/containers/0/resources', value: {'limits': {'cpu': '1'}}",
        "op: 'add', path: '/spec/strategy', value: {'rollingUpdate': {'maxSurge': dyn(1), 'maxUnavailable': dyn('25%')}}",
    ] {
        let text = policy(operation);
        assert_eq!(findings(&text), [], "{operation}");
        let result = mutated(&text, DEPLOYMENT);
        assert!(result.is_ok(), "{operation}\n{result:?}");
    }
}

#[test]
fn a_value_of_one_branch_is_a_warning() {
    let text = policy(
        "op: 'add', path: '/metadata/labels/b', value: object.spec.replicas > 1 ? dyn(1) : dyn('x')",
    );
    assert_eq!(findings(&text), []);
    let text =
        policy("op: 'add', path: '/spec/paused', value: object.spec.replicas > 1 ? 'no' : 'yes'");
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Warning);
}

#[test]
fn the_nearest_field_is_offered() {
    let text =
        policy("op: 'add', path: '/spec/template/spec/containers/0/env', value: [{'nam': 'x'}]");
    expect![[r#"
        -          [JSONPatch{op: 'add', path: '/spec/template/spec/containers/0/env', value: [{'nam': 'x'}]}]
        +          [JSONPatch{op: 'add', path: '/spec/template/spec/containers/0/env', value: [{'name': 'x'}]}]
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "json-patch-value")));
}
