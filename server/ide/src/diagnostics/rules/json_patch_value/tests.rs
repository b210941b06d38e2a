//! Values that do not match their schema, each with the outcome.

use crate::fixture::{changes, crd, findings, fixed, json_patch, mutated, project, render_project};
use crate::report::Severity;
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {a: b}, annotations: {k: v}}, spec: \
     {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {volumes: [{name: v}], containers: [{name: a, image: b}]}}}}";

/// Returns a policy whose objects have the maps to which the patches of these tests add values.
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
        let report = found
            .iter()
            .map(|it| (it.code, it.severity, it.message.as_str()));
        let expected = [("json-patch-value", Severity::Error, message)];
        assert_eq!(report.collect::<Vec<_>>(), expected, "{operation}");
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

const SCHEMA: &str = "
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              port: {x-kubernetes-int-or-string: true}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              parts:
                type: array
                items: {type: object, properties: {name: {type: string}}}
";

/// Returns the findings of a patch of a custom resource.
fn of_custom_resource(operation: &str) -> String {
    let policy = json_patch(
        "example.com/v1/demos",
        &format!("[JSONPatch{{{operation}}}]"),
    );
    let guard =
        "  matchConditions: [{name: a, expression: 'has(object.spec.parts)'}]\n  mutations:";
    let policy = policy.replace("  mutations:", guard);
    let files = [("crd.yaml", &*crd(SCHEMA)), ("policy.yaml", &*policy)];
    let shown = render_project(&project(files));
    let findings = shown
        .lines()
        .filter(|line| line.contains("json-patch-value"));
    findings.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_schema_of_a_custom_resource_decides() {
    let wrong = of_custom_resource("op: 'add', path: '/spec/size', value: '3'");
    expect![[r#"14:60-14:63 "'3'" Error[json-patch-value]: Demo: `spec.size` is of type `int`, but the value is `string`, so the API server rejects the object."#]].assert_eq(&wrong);
    let within = "op: 'add', path: '/spec/parts/-', value: {'name': 1}";
    expect![[r#"14:72-14:73 "1" Error[json-patch-value]: Demo: `spec.parts[].name` is of type `string`, but the value is `int`, so the API server rejects the object."#]].assert_eq(&of_custom_resource(within));
    let unknown = "op: 'add', path: '/spec/parts', value: [{'nam': 'x'}]";
    expect![[r#"14:64-14:67 "nam" Warning[json-patch-value]: `spec.parts[].nam` is not a field of Demo, so the API server drops it. Did you mean `name`?"#]].assert_eq(&of_custom_resource(unknown));
    for fits in [
        "op: 'add', path: '/spec/size', value: 3",
        "op: 'add', path: '/spec/port', value: 'http'",
        "op: 'add', path: '/spec/free', value: {'a': 1}",
        "op: 'add', path: '/spec/parts/-', value: {'name': dyn(1)}",
        "op: 'add', path: '/metadata/labels', value: {'a': 'b'}",
    ] {
        assert_eq!(of_custom_resource(fits), "", "{fits}");
    }
}
