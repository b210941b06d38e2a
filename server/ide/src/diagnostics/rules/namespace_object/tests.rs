//! `namespaceObject`: null, or without some fields.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, policy, validation};

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b}}";
const NODE: &str = "{apiVersion: v1, kind: Node, metadata: {name: a}}";
const NAMESPACE: &str = "{apiVersion: v1, kind: Namespace, metadata: {name: b, uid: c, labels: \
                         {kubernetes.io/metadata.name: b}, creationTimestamp: \
                         '2024-01-01T00:00:00Z'}}";

#[test]
fn it_is_null_in_match_conditions() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - name: a
      expression: namespaceObject.metadata.name == 'a'
                                 #^^^^^^^^ error[namespace-object]: null in match conditions
    - name: b
      expression: namespaceObject == null
  validations:
    - expression: namespaceObject.metadata.name == 'a'
",
    ));
}

#[test]
fn nothing_guards_fields_of_null() {
    for (expression, errors) in [
        ("namespaceObject.metadata.labels['😀'] == 'b'", 1),
        (
            "has(namespaceObject.metadata.annotations) && namespaceObject.metadata.annotations.a == ''",
            1,
        ),
        (
            "namespaceObject != null && namespaceObject.metadata.labels['a'] == 'b'",
            0,
        ),
    ] {
        let text = policy(&format!(
            "  matchConditions:\n    - name: a\n      expression: >-\n        {expression}\n  \
             validations:\n    - expression: object.spec.replicas > 1\n"
        ));
        let found = findings(&text);
        assert_eq!(found.len(), errors, "{found:#?}");
        assert!(found.iter().all(|it| it.fixes.is_empty()));
    }
}

#[test]
fn it_is_null_outside_of_namespaces() {
    check_diagnostics(&validation(
        "/v1/nodes",
        "UPDATE",
        "namespaceObject.metadata.name == 'a'
                        #<^^^^^^ error[namespace-object]: such as Node",
    ));
    check_diagnostics(&validation(
        "/v1/nodes', 'pods",
        "UPDATE",
        "namespaceObject.metadata.name == 'a' || request.kind.kind == 'Node'",
    ));
    check_diagnostics(&validation(
        "/v1/nodes', 'pods",
        "UPDATE",
        "namespaceObject != null && namespaceObject.metadata.name == 'a'",
    ));
}

#[test]
fn labels_of_every_namespace_are_silent() {
    check_diagnostics(&validation(
        "/v1/pods",
        "UPDATE",
        "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'a' && 'env' in \
         namespaceObject.metadata.labels && namespaceObject.metadata.labels['env'] == 'a'",
    ));
}

#[track_caller]
fn check_failure(resource: &str, (expression, key): (&str, &str), objects: Objects<'_>) {
    let policy = validation(resource, "CREATE", expression);
    assert_eq!(outcome(&policy, objects), format!("no such key: {key}"));
    let found = findings(&policy);
    assert_eq!(found.len(), 1, "{found:#?}");
    for fix in &found[0].fixes {
        let after = apply(&policy, fix);
        let value = outcome(&after, objects);
        assert!(value == "true" || value == "false", "{value}\n{after}");
        assert_eq!(findings(&after), []);
    }
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    let pod = Objects {
        object: POD,
        namespace: NAMESPACE,
        ..Objects::default()
    };
    let node = Objects::created(NODE);
    for failure in [
        ("namespaceObject.metadata.UID != 'a'", "UID"),
        ("namespaceObject.metadata.labels['env'] != 'a'", "env"),
        (
            "namespaceObject.metadata.annotations.size() == 0",
            "annotations",
        ),
    ] {
        check_failure("/v1/pods", failure, pod);
    }
    let name = ("namespaceObject.metadata.name != 'a'", "metadata");
    check_failure("/v1/pods', 'nodes", name, node);
}

#[test]
fn it_fails_in_a_match_condition_as_well() {
    let text = policy(
        "  matchConditions: [{name: a, expression: namespaceObject.metadata.name == 'b'}]\n",
    );
    let objects = Objects {
        object: POD,
        old: POD,
        namespace: NAMESPACE,
    };
    assert_eq!(outcome(&text, objects), "no such key: metadata");
}

#[test]
fn selector_guarantees_labels_of_the_namespace() {
    for (selector, is_reported) in [
        ("{matchLabels: {env: prod}}", false),
        ("{matchExpressions: [{key: env, operator: Exists}]}", false),
        (
            "{matchExpressions: [{key: env, operator: In, values: [a, b]}]}",
            false,
        ),
        (
            "{matchExpressions: [{key: env, operator: NotIn, values: [a]}]}",
            true,
        ),
        ("{matchLabels: {other: prod}}", true),
    ] {
        let text = validation(
            "/v1/pods",
            "CREATE, UPDATE",
            "namespaceObject.metadata.labels['env'] != 'x'",
        );
        let fields = format!("    namespaceSelector: {selector}\n    resourceRules:");
        let text = text.replace("    resourceRules:", &fields);
        let found = findings(&text);
        let is_found = found.iter().any(|it| it.code == "namespace-object");
        assert_eq!(is_found, is_reported, "{selector}");
    }
}
