//! The metadata of objects, with and without policies that change it.

use super::built_in::{applied, patched, policy};
use super::{cluster_for, read};
use crate::{EvaluationLimits, Inputs, Request};
use expect_test::{Expect, expect};
use kubernetes::versions::ServerVersion;
use kubernetes::{Target, defaults};

const STORED: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: old, namespace: a, uid: u, resourceVersion: '7', creationTimestamp: '2024-01-01T00:00:00Z'}}";

/// Returns the code, the reason, the message and the fields of the causes of a response, or the
/// metadata of the object without what the server sets.
fn answer_of(documents: &str, object: &str, old: Option<&str>, server: u8) -> String {
    let target = Target::new(ServerVersion(server), ServerVersion(server)).unwrap();
    let server = cluster_for(target, documents, &[]);
    let read = |text: &str| {
        let mut object = read(text);
        defaults::apply(server.kinds(), &mut object);
        object
    };
    let inputs = Inputs {
        object: Some(read(object)),
        old_object: old.map(read),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, server.resources()).unwrap();
    request.fill_in();
    let response = server.admit(&request, &EvaluationLimits::default());
    let Some(object) = response.object else {
        let fields: Vec<&str> = response.causes.iter().map(|it| it.field.as_str()).collect();
        let message = response.message.split(" (e.g.").next().unwrap();
        return format!("{} {} {message} {fields:?}", response.code, response.reason);
    };
    let metadata = object.as_map().unwrap().get_str("metadata").unwrap();
    let mut metadata = metadata.as_map().unwrap().clone();
    metadata.take_str("managedFields");
    format!("{} {}", response.code, cel::Value::Map(metadata))
}

#[track_caller]
fn check_new(object: &str, expected: &Expect) {
    expected.assert_eq(&answer_of("", object, None, 36));
}

/// Checks the response to the update of a ConfigMap that a policy changes.
#[track_caller]
fn check_update(mutation: &str, expected: &Expect) {
    let policy = policy("/configmaps", mutation);
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: old, namespace: a}}";
    expected.assert_eq(&answer_of(&policy, object, Some(STORED), 36));
}

/// Checks the response to the creation of an object that a policy changes.
#[track_caller]
fn check_creation(resource: &str, mutation: &str, object: &str, expected: &Expect) {
    let policy = policy(resource, mutation);
    expected.assert_eq(&answer_of(&policy, object, None, 36));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_kind_has_a_format_of_names() {
    for (object, expected) in [
        (
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: A_b}}",
            expect![[
                r#"422 Invalid ConfigMap "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ["metadata.name"]"#
            ]],
        ),
        (
            "{apiVersion: v1, kind: Service, metadata: {name: a.b}}",
            expect![[
                r#"422 Invalid Service "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots ["metadata.name"]"#
            ]],
        ),
        (
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: 'A:b'}}",
            expect![
                "201 {name: A:b, namespace: default, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z}"
            ],
        ),
        (
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: a/b}}",
            expect![[
                r#"422 Invalid Role.rbac.authorization.k8s.io "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/' ["metadata.name"]"#
            ]],
        ),
        (
            "{apiVersion: v1, kind: Secret, metadata: {generateName: X_}}",
            expect![[
                r#"422 Invalid Secret "X_x7k2p" is invalid: [metadata.generateName: Invalid value: "X_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ["metadata.generateName", "metadata.name"]"#
            ]],
        ),
        (
            "{apiVersion: v1, kind: Namespace, metadata: {name: ''}}",
            expect![[
                r#"422 Invalid Namespace "" is invalid: metadata.name: Required value: name or generateName is required ["metadata.name"]"#
            ]],
        ),
        (
            "{apiVersion: batch/v1, kind: CronJob, metadata: {name: a23456789a23456789a23456789a23456789a23456789a23456789a}}",
            expect![[
                r#"422 Invalid CronJob.batch "a23456789a23456789a23456789a23456789a23456789a23456789a" is invalid: metadata.name: Invalid value: "a23456789a23456789a23456789a23456789a23456789a23456789a": must be no more than 52 characters ["metadata.name"]"#
            ]],
        ),
    ] {
        check_new(object, &expected);
    }
    let service = "{apiVersion: v1, kind: Service, metadata: {name: 1a}}";
    for (server, expected) in [
        (
            35,
            expect![[
                r#"422 Invalid Service "1a" is invalid: metadata.name: Invalid value: "1a": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character ["metadata.name"]"#
            ]],
        ),
        (
            36,
            expect![
                "201 {name: 1a, namespace: default, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z}"
            ],
        ),
    ] {
        let other = policy("/configmaps", &applied(""));
        expected.assert_eq(&answer_of(&other, service, None, server));
    }
}

#[test]
fn metadata_of_every_kind_is_validated() {
    for (metadata, expected) in [
        (
            "labels: {a: -x}",
            expect![[
                r#"422 Invalid ConfigMap "a" is invalid: metadata.labels: Invalid value: "-x": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ["metadata.labels"]"#
            ]],
        ),
        (
            "annotations: {'a b': x}",
            expect![[
                r#"422 Invalid ConfigMap "a" is invalid: metadata.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ["metadata.annotations"]"#
            ]],
        ),
        (
            "finalizers: [x, x/y, kubernetes]",
            expect![[
                r#"422 Invalid ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified ["metadata.finalizers[0]"]"#
            ]],
        ),
        (
            "ownerReferences: [{apiVersion: v1, kind: Pod, name: b}]",
            expect![[
                r#"422 Invalid ConfigMap "a" is invalid: metadata.ownerReferences.uid: Invalid value: "": must not be empty ["metadata.ownerReferences.uid"]"#
            ]],
        ),
    ] {
        check_new(
            &format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, {metadata}}}}}"),
            &expected,
        );
    }
}

#[test]
fn a_policy_cannot_move_an_object() {
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}";
    let moved = applied("metadata: Object.metadata{namespace: 'c'}");
    check_creation(
        "/configmaps",
        &moved,
        object,
        &expect![
            "400 BadRequest the namespace of the provided object does not match the namespace sent on the request []"
        ],
    );
    let removed = patched("op: 'remove', path: '/metadata/namespace'");
    check_creation(
        "/configmaps",
        &removed,
        object,
        &expect![
            "201 {name: a, namespace: b, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z}"
        ],
    );
    let moved = applied("metadata: Object.metadata{namespace: 'c'}");
    let namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: a}}";
    check_creation(
        "/namespaces",
        &moved,
        namespace,
        &expect![
            "201 {name: a, labels: {kubernetes.io/metadata.name: a}, uid: 6d1f9a52-3c1e-4b87-9a40-2f5c8e7d1b36, creationTimestamp: 2024-01-01T00:00:00Z}"
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn a_policy_cannot_change_the_identity_of_an_object() {
    check_update(
        &applied("metadata: Object.metadata{name: 'other'}"),
        &expect![[
            r#"422 Invalid ConfigMap "other" is invalid: metadata.name: Invalid value: "other": field is immutable ["metadata.name", "metadata.name"]"#
        ]],
    );
    check_update(
        &patched("op: 'add', path: '/metadata/uid', value: 'v'"),
        &expect![[
            r#"422 Invalid ConfigMap "old" is invalid: metadata.uid: Invalid value: "v": field is immutable ["metadata.uid", "metadata.uid"]"#
        ]],
    );
    check_update(
        &patched("op: 'remove', path: '/metadata/uid'"),
        &expect![
            "200 {name: old, namespace: a, creationTimestamp: 2024-01-01T00:00:00Z, resourceVersion: 7, uid: u}"
        ],
    );
    let version = "op: 'add', path: '/metadata/resourceVersion', value: '8'";
    check_update(
        &patched(version),
        &expect![[
            r#"409 Conflict Operation cannot be fulfilled on configmaps "old": the object has been modified; please apply your changes to the latest version and try again []"#
        ]],
    );
    let time = "op: 'add', path: '/metadata/creationTimestamp', value: '2025-01-01T00:00:00Z'";
    check_update(
        &patched(time),
        &expect![
            "200 {name: old, namespace: a, uid: u, creationTimestamp: 2024-01-01T00:00:00Z, resourceVersion: 7}"
        ],
    );
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}";
    let removed = patched("op: 'remove', path: '/metadata/name'");
    check_creation(
        "/configmaps",
        &removed,
        object,
        &expect![[
            r#"422 Invalid ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required ["metadata.name"]"#
        ]],
    );
}

#[test]
fn an_update_reports_an_error_as_often_as_the_server_validates() {
    for (kind, expected) in [
        (
            "apiVersion: v1, kind: ConfigMap",
            expect![[
                r#"422 Invalid ConfigMap "a" is invalid: metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ["metadata.labels", "metadata.labels", "metadata.labels", "metadata.labels"]"#
            ]],
        ),
        (
            "apiVersion: coordination.k8s.io/v1, kind: Lease",
            expect![[
                r#"422 Invalid Lease.coordination.k8s.io "a" is invalid: metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ["metadata.labels", "metadata.labels", "metadata.labels"]"#
            ]],
        ),
        (
            "apiVersion: policy/v1, kind: PodDisruptionBudget",
            expect![[
                r#"422 Invalid PodDisruptionBudget.policy "a" is invalid: metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ["metadata.labels", "metadata.labels"]"#
            ]],
        ),
    ] {
        let object = |label: &str| {
            format!("{{{kind}, metadata: {{name: a, namespace: b, labels: {{l: {label}}}}}}}")
        };
        expected.assert_eq(&answer_of("", &object("-"), Some(&object("a")), 36));
    }
}

#[test]
fn an_object_that_is_deleted_gets_no_finalizer() {
    let object = |finalizers: &str| {
        format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a, namespace: b, deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: [{finalizers}]}}}}"
        )
    };
    let response = answer_of("", &object("x/a, x/c, x/b"), Some(&object("x/a")), 36);
    expect![[r#"422 Invalid ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/b", "x/c"} ["metadata.finalizers", "metadata.finalizers"]"#]].assert_eq(&response);
}
