//! Paths of patches that are not valid, each with the outcome.

use crate::fixture::{changes, findings, fixed, json_patch, mutated};
use crate::report::Severity;
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {a: b}, annotations: {k: v}}, \
     spec: {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {containers: [{name: a, image: b}]}}}}";

fn policy(expression: &str) -> String {
    // The parents of the added values exist.
    json_patch("apps/v1/deployments", expression).replace(
        "  mutations:",
        "  matchConditions:\n    - {name: a, expression: has(object.metadata.labels) && has(object.metadata.annotations)}\n  mutations:",
    )
}

/// Checks whether the server applies the patch to the Deployment.
fn works(expression: &str) -> Result<(), String> {
    mutated(&policy(expression), DEPLOYMENT).map(drop)
}

#[test]
fn what_is_found_fails_at_admission() {
    for (operation, path, hint) in [
        (
            "op: 'add', path: '/spec/replica', value: 1",
            "spec.replica",
            " Did you mean `replicas`?",
        ),
        ("op: 'remove', path: '/spec/none'", "spec.none", ""),
        (
            "op: 'add', path: '/spec/template/spec/containers/0/img', value: 'a'",
            "spec.template.spec.containers[].img",
            "",
        ),
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        assert_eq!(found.len(), 1, "{found:#?}");
        let start = format!("`{path}` is not a field of Deployment, so the mutation fails");
        assert!(found[0].message.starts_with(&start), "{}", found[0].message);
        assert!(
            found[0].message.ends_with(&format!(".{hint}")),
            "{}",
            found[0].message
        );
        assert!(works(&expression).is_err(), "{expression}");
    }
}

#[test]
fn what_is_there_is_silent_and_works() {
    for operation in [
        "op: 'replace', path: '/spec/replicas', value: 1",
        "op: 'add', path: '/metadata/labels', value: {'a': 'b'}",
        "op: 'add', path: '/spec/template/metadata/labels/a~1b', value: 'c'",
        "op: 'add', path: '/spec/template/spec/containers/-', value: {'name': 'b', 'image': 'c'}",
        "op: 'add', path: '/spec/' + 'paused', value: true",
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        assert!(found.is_empty(), "{found:#?}");
        assert_eq!(works(&expression), Ok(()), "{expression}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "the messages are long")]
fn what_cannot_be_a_path_fails_at_admission() {
    for (operation, message) in [
        (
            "op: 'add', path: '/metadata/labels/app.kubernetes.io/name', value: 'x'",
            "A `/` in a key of `metadata.labels` must be escaped, or the mutation fails. Write `jsonpatch.escapeKey('app.kubernetes.io/name')`, or `~1` for `/`.",
        ),
        (
            "op: 'remove', path: '/metadata/annotations/' + 'a.b/c'",
            "A `/` in a key of `metadata.annotations` must be escaped, or the mutation fails. Write `jsonpatch.escapeKey('a.b/c')`, or `~1` for `/`.",
        ),
        (
            "op: 'add', path: '/metadata/labels/a.b/' + object.metadata.name, value: 'x'",
            "A `/` in a key of `metadata.labels` must be escaped, or the mutation fails. Write `jsonpatch.escapeKey(key)`, or `~1` for `/`.",
        ),
        (
            "op: 'add', path: '/spec/replicas/max', value: 1",
            "Deployment: `spec.replicas` is of type `int`, which has no fields, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/containers/a/image', value: 'x'",
            "Deployment: `spec.template.spec.containers` is a list, and `a` is not an index, so the mutation fails.",
        ),
        (
            "op: 'replace', path: '/spec/template/spec/containers/-', value: {'name': 'x'}",
            "`-` is the position after the last element of `spec.template.spec.containers`, where \
             a value can only be added, so the mutation fails.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/containers/-/image', value: 'x'",
            "`-` is the position after the last element of `spec.template.spec.containers`, where a \
             value can only be added, so the mutation fails.",
        ),
        (
            "op: 'copy', path: '/metadata/labels/b', from: '/spec/template/spec/containers/-'",
            "`-` is the position after the last element of `spec.template.spec.containers`, where a \
             value can only be added, so the mutation fails.",
        ),
        (
            "op: 'add', path: 'metadata/labels/b', value: 'x'",
            "A path must begin with `/`. The API server ignores `metadata`, so the mutation fails.",
        ),
        (
            "op: 'add', path: 'replicas', value: 1",
            "A path must begin with `/`. The API server ignores `replicas`, so the mutation fails.",
        ),
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        let report = found
            .iter()
            .map(|it| (it.code, it.severity, it.message.as_str()));
        let expected = [("json-patch-path", Severity::Error, message)];
        assert_eq!(report.collect::<Vec<_>>(), expected, "{operation}");
        assert!(works(&expression).is_err(), "{operation}");
    }
}

#[test]
fn what_is_before_the_first_slash_is_ignored() {
    let expression = "[JSONPatch{op: 'add', path: 'object/metadata/labels/b', value: 'x'}]";
    let found = findings(&policy(expression));
    let report: Vec<_> = found
        .iter()
        .map(|it| (it.severity, it.message.as_str()))
        .collect();
    let words = "A path must begin with `/`. The API server ignores `object`, so the patch changes another field.";
    assert_eq!(report, [(Severity::Warning, words)]);
    let object = mutated(&policy(expression), DEPLOYMENT).unwrap();
    assert!(
        object.to_string().contains("labels: {a: b, b: x}"),
        "{object}"
    );
}

#[test]
fn keys_are_escaped_and_a_slash_is_put_in_front() {
    for (path, right) in [
        ("'/metadata/labels/a.b/c~d'", "'/metadata/labels/a.b/c~d'"),
        (
            "'/metadata/labels/a.b/c'",
            "'/metadata/labels/' + jsonpatch.escapeKey('a.b/c')",
        ),
        (
            "'/metadata' + '/labels/a.b/c'",
            "'/metadata' + '/labels/' + jsonpatch.escapeKey('a.b/c')",
        ),
        (
            "'/metadata/labels/' + ('a.b/c')",
            "'/metadata/labels/' + (jsonpatch.escapeKey('a.b/c'))",
        ),
        ("'metadata/labels/' + 'c'", "'/metadata/labels/' + 'c'"),
        ("'metadata.labels.c'", "'/metadata/labels/c'"),
        (
            "('object.metadata.labels.c~d')",
            "('/metadata/labels/c~0d')",
        ),
    ] {
        let with = |path: &str| format!("[JSONPatch{{op: 'add', path: {path}, value: '😀'}}]");
        let text = policy(&with(path));
        if path == right {
            // `~` may be a part of the key or begin an escape.
            assert!(findings(&text)[0].fixes.is_empty());
            continue;
        }
        let after = fixed(&text, "json-patch-path");
        assert_eq!(after, policy(&with(right)));
        assert_eq!(findings(&after), []);
        assert_eq!(works(&with(right)), Ok(()));
    }
}

#[test]
fn a_change_is_written_as_the_scalar_needs_it() {
    let text = policy("").replace(
        ">-\n          \n",
        "\"[JSONPatch{op: 'add', value: '\\U0001F600', path: '/metadata/labels/a.b/c'}]\"\n",
    );
    expect![[r#"
        -        expression: "[JSONPatch{op: 'add', value: '\U0001F600', path: '/metadata/labels/a.b/c'}]"
        +        expression: "[JSONPatch{op: 'add', value: '\U0001F600', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c')}]"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "json-patch-path")));
}

#[test]
fn what_is_not_constant_is_not_judged() {
    for operation in [
        "op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'x'",
        "op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey(object.metadata.name + '/x'), value: 'x'",
        "op: 'add', path: '/metadata/labels/' + object.metadata.name, value: 'x'",
        "op: 'add', path: '/spec/template/spec/containers/' + string(0) + '/image', value: 'x'",
        "op: 'replace', path: '/spec/template/spec/containers/-1/image', value: 'x'",
        "op: 'add', path: object.metadata.name + 'x', value: 'x'",
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        assert_eq!(found, [], "{operation}");
    }
    let loops = "lists.range(1).map(i, JSONPatch{op: 'add', path: '/spec/template/spec/containers/' + string(i) + '/img', value: 'x'})";
    let found = findings(&policy(loops));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(works(loops).is_err());
}
