//! Operations that do not exist, each with the outcome.

use crate::fixture::{changes, check_diagnostics, findings, fixed, json_patch, mutated};
use crate::report::Severity;
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: \
     {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {containers: [{name: a, image: b}]}}}}";

fn policy(operation: &str) -> String {
    json_patch(
        "apps/v1/deployments",
        &format!("[JSONPatch{{{operation}}}]"),
    )
}

#[test]
fn what_is_found_fails_at_admission() {
    for (operation, message) in [
        (
            "op: 'set', path: '/spec/replicas', value: 1",
            "`set` is not a JSON patch operation, so the mutation fails. Did you mean `replace`?",
        ),
        (
            "op: 'Add', path: '/spec/replicas', value: 1",
            "`Add` is not a JSON patch operation, so the mutation fails. Did you mean `add`?",
        ),
        (
            "op: 'zzzzzzzzz', path: '/spec/replicas', value: 1",
            "`zzzzzzzzz` is not a JSON patch operation, so the mutation fails. Use `add`, `remove`, `replace`, `move`, `copy` or `test`.",
        ),
        (
            "path: '/spec/replicas', value: 1",
            "A JSON patch requires `op`: `add`, `remove`, `replace`, `move`, `copy` or `test`. Without it, the mutation fails.",
        ),
        (
            "op: 'copy', path: '/spec/replicas'",
            "`copy` requires `from`, the path of the value. Without it, the mutation fails.",
        ),
        (
            "op: 'move', path: '/spec/replicas', from: ''",
            "`move` requires `from`, the path of the value. Without it, the mutation fails.",
        ),
    ] {
        let text = policy(operation);
        let found = findings(&text);
        let failure = mutated(&text, DEPLOYMENT).unwrap_err();
        let report = found
            .iter()
            .map(|it| (it.code, it.severity, it.message.as_str()));
        let expected = [("json-patch-op", Severity::Error, message)];
        assert_eq!(report.collect::<Vec<_>>(), expected);
        assert_eq!(found[0].upstream.as_deref(), Some(&*failure));
    }
}

#[test]
fn a_missing_value_is_null() {
    let text = policy("op: 'replace', path: '/spec/paused'");
    let found = findings(&text);
    let report = found.iter().map(|it| (it.severity, it.message.as_str()));
    let words = "`replace` has no `value`, so it sets `null`.";
    assert_eq!(report.collect::<Vec<_>>(), [(Severity::Warning, words)]);
    assert!(mutated(&text, DEPLOYMENT).is_ok());
}

#[test]
fn what_is_right_is_silent_and_works() {
    for operation in [
        "op: 'remove', path: '/spec/replicas'",
        "op: 'test', path: '/spec/replicas', value: 2",
        "op: 'copy', path: '/spec/minReadySeconds', from: '/spec/replicas'",
        "op: object.spec.replicas == 2 ? 'replace' : 'add', path: '/spec/replicas', value: 1",
        "op: 'add', path: '/spec/replicas', ?value: optional.of(1)",
    ] {
        let text = policy(operation);
        assert_eq!(findings(&text), [], "{operation}");
        assert!(mutated(&text, DEPLOYMENT).is_ok(), "{operation}");
    }
}

#[test]
fn the_right_one_is_offered_in_every_style() {
    let text = policy("op: 'delete', path: '/spec/replicas'");
    expect![[r#"
        -          [JSONPatch{op: 'delete', path: '/spec/replicas'}]
        +          [JSONPatch{op: 'remove', path: '/spec/replicas'}]
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "json-patch-op")));
    check_diagnostics(
        &r#"apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: demo}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          [JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': '😀'}},

          JSONPatch{op: 'put', path: '/spec/replicas', value: 1}]
                       #^^^^^ error[json-patch-op]
    - patchType: JSONPatch
      jsonPatch:
        expression: "[JSONPatch{path: '/metadata/annotations', value: {'a': '\U0001F600'}, op: 'put'}]"
                                                                                              #^^^^^ error[json-patch-op]
"#
        .replace('\n', "\r\n"),
    );
}
