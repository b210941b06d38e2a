//! Values that a JSON patch requires and objects may lack, each with the outcome.

use crate::fixture::{apply, findings, json_patch, mutated};
use crate::report::Severity;

const BARE: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: \
     {replicas: 1, strategy: {type: RollingUpdate, rollingUpdate: {}}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {securityContext: {}, containers: [{name: a, image: b}]}}}}";
const FULL: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, labels: {a: b}, annotations: {x.y/z: b}}, spec: \
     {replicas: 1, strategy: {type: RollingUpdate, rollingUpdate: {}}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {securityContext: {}, nodeName: x, volumes: [{name: v}], containers: [{name: a, image: b, securityContext: {}}]}}}}";

fn policy(expression: &str) -> String {
    json_patch("apps/v1/deployments", expression)
}

#[test]
#[expect(clippy::too_many_lines, reason = "the messages are long")]
fn what_is_found_fails_where_it_is_missing_and_works_where_it_is_not() {
    for (operation, message) in [
        (
            "op: 'add', path: '/metadata/labels/b', value: '😀'",
            "`metadata.labels` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.metadata.labels)`.",
        ),
        (
            "op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('b/c'), value: 'x'",
            "`metadata.labels` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.metadata.labels)`.",
        ),
        (
            "op: 'replace', path: '/metadata/annotations/b', value: 'x'",
            "`metadata.annotations` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.metadata.annotations)`.",
        ),
        (
            "op: 'test', path: '/metadata/labels/a', value: 'b'",
            "`metadata.labels` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.metadata.labels)`.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/volumes/-', value: {'name': 'x'}",
            "`spec.template.spec.volumes` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.spec.template.spec.volumes)`.",
        ),
        (
            "op: 'add', path: '/spec/template/spec/containers/0/securityContext/privileged', value: false",
            "`spec.template.spec.containers[0].securityContext` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.spec.template.spec.containers[0].securityContext)`.",
        ),
        (
            "op: 'remove', path: '/spec/template/spec/nodeName'",
            "`spec.template.spec.nodeName` may be missing, so `remove` can fail. Guard the patch with `has(object.spec.template.spec.nodeName)`.",
        ),
        (
            "op: 'remove', path: '/metadata/annotations/x.y~1z'",
            "`metadata.annotations` may be missing, and a JSON patch does not create it, so the mutation can fail. Add it first, or guard the patch with `has(object.metadata.annotations) && 'x.y/z' in object.metadata.annotations`.",
        ),
        (
            "op: 'move', from: '/spec/template/spec/nodeName', path: '/spec/template/spec/hostname'",
            "`spec.template.spec.nodeName` may be missing, so `move` can fail. Guard the patch with `has(object.spec.template.spec.nodeName)`.",
        ),
        (
            "op: 'copy', from: '/spec/template/metadata/labels/a', path: '/metadata/labels/b'",
            "",
        ),
    ] {
        let text = policy(&format!("[JSONPatch{{{operation}}}]"));
        let found = findings(&text);
        let failure = mutated(&text, BARE).unwrap_err();
        if message.is_empty() {
            assert!(!found.is_empty(), "{operation}");
            continue;
        }
        let report = found
            .iter()
            .map(|it| (it.code, it.severity, it.message.as_str()));
        let expected = [("json-patch-missing", Severity::Warning, message)];
        assert_eq!(report.collect::<Vec<_>>(), expected, "{operation}");
        assert_eq!(found[0].upstream.as_deref(), Some(&*failure), "{operation}");
        assert!(mutated(&text, FULL).is_ok(), "{operation}");
    }
}

#[test]
fn every_change_ends_it_and_works_with_all_objects() {
    for operation in [
        "op: 'add', path: '/metadata/labels/b', value: '😀'",
        "op: 'add', path: '/spec/template/spec/volumes/-', value: {'name': 'x'}",
        "op: 'add', path: '/spec/template/spec/containers/0/securityContext/privileged', value: false",
        "op: 'remove', path: '/spec/template/spec/nodeName'",
        "op: 'remove', path: '/metadata/annotations/x.y~1z'",
        "op: 'move', from: '/spec/template/spec/nodeName', path: '/spec/template/spec/hostname'",
    ] {
        for around in ["[…]", "object.metadata.name == 'a' ? [] + […] : []"] {
            let patch = format!("[JSONPatch{{{operation}}}]");
            let text = policy(&around.replace("[…]", &patch));
            let found = findings(&text);
            assert!(!found[0].fixes.is_empty(), "{operation}");
            for fix in &found[0].fixes {
                let after = apply(&text, fix);
                assert_eq!(findings(&after), [], "{after}");
                for object in [BARE, FULL] {
                    let result = mutated(&after, object);
                    assert!(result.is_ok(), "{after}\n{result:?}");
                }
            }
        }
    }
    let created = policy("[JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}]");
    let created = apply(&created, &findings(&created)[0].fixes[0]);
    let object = mutated(&created, BARE).unwrap().to_string();
    assert!(object.contains("labels: {b: x}"), "{object}");
}

#[test]
fn what_is_known_to_be_missing_is_an_error() {
    let text = policy(
        "has(object.metadata.labels) ? [] : [JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}]",
    );
    let found = findings(&text);
    let report: Vec<_> = found
        .iter()
        .map(|it| (it.severity, it.message.as_str()))
        .collect();
    let words = "`metadata.labels` is missing, and a JSON patch does not create it, so the mutation fails. Add it first.";
    assert_eq!(report, [(Severity::Error, words)]);
    assert!(mutated(&text, BARE).is_err());
    let after = apply(&text, &found[0].fixes[0]);
    assert_eq!(findings(&after), []);
    assert!(mutated(&after, BARE).is_ok());
}

#[test]
fn what_is_made_sure_of_is_silent() {
    for expression in [
        "has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}] : []",
        "has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {'b': 'x'}}]",
        "has(object.metadata.labels) && 'b' in object.metadata.labels ? [JSONPatch{op: 'remove', path: '/metadata/labels/b'}] : []",
        "[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}, JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}]",
        "(has(object.metadata.labels) ? [] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {}}]) + [JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}]",
        // A missing entry is set, or is copied as null.
        "[JSONPatch{op: 'replace', path: '/spec/template/metadata/labels/none', value: 'x'}]",
        "[JSONPatch{op: 'test', path: '/spec/paused', value: true}, JSONPatch{op: 'add', path: '/spec/paused', value: false}]",
        "[JSONPatch{op: 'add', path: '/spec/template/metadata/labels/x', value: 'x'}]",
        "[JSONPatch{op: 'add', path: '/spec/template/spec/securityContext/runAsUser', value: 1}]",
        "[JSONPatch{op: 'add', path: '/spec/strategy/type', value: 'Recreate'}, JSONPatch{op: 'remove', path: '/spec/strategy/rollingUpdate'}]",
        "object.spec.template.spec.containers.all(c, has(c.securityContext)) ? [JSONPatch{op: 'add', path: '/spec/template/spec/containers/0/securityContext/privileged', value: false}] : []",
        "lists.range(size(object.spec.template.spec.containers)).filter(i, has(object.spec.template.spec.containers[i].securityContext)).map(i, JSONPatch{op: 'add', path: '/spec/template/spec/containers/' + string(i) + '/securityContext/privileged', value: false})",
    ] {
        let text = policy(expression);
        let found = findings(&text);
        let ours = found.iter().filter(|it| it.code.starts_with("json-patch"));
        assert_eq!(ours.count(), 0, "{expression}\n{found:#?}");
        for object in [BARE, FULL] {
            let result = mutated(&text, object);
            assert!(result.is_ok(), "{expression}\n{result:?}");
        }
    }
}

#[test]
fn a_configuration_before_makes_what_is_missing() {
    let text = policy("[JSONPatch{op: 'add', path: '/metadata/labels/b', value: 'x'}]").replace(
        "    - patchType: JSONPatch",
        "    - patchType: ApplyConfiguration\n      applyConfiguration:\n        expression: >-\n          Object{metadata: Object.metadata{labels: {'a': 'b'}}}\n    - patchType: JSONPatch",
    );
    assert_eq!(findings(&text), []);
    assert!(mutated(&text, BARE).is_ok());
    let text = text.replace("  mutations:", "  matchConditions:\n    - name: a\n      expression: has(object.metadata.labels)\n  mutations:");
    assert_eq!(findings(&text), []);
}

#[test]
fn only_kinds_that_can_lack_it_are_named() {
    let text = json_patch(
        "apps/v1/deployments, daemonsets",
        "[JSONPatch{op: 'remove', path: '/spec/template/spec/nodeName'}]",
    );
    assert_eq!(findings(&text).len(), 1);
    let text = text.replace("/spec/template/spec/nodeName", "/spec/strategy");
    let found = findings(&text);
    assert!(
        found.iter().all(|it| it.code != "json-patch-missing"),
        "{found:#?}"
    );
}
