//! Objects that are null for an operation.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, validation};

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: []}}";

fn codes(operations: &str, expression: &str) -> Vec<String> {
    let policy = validation("/v1/pods", operations, expression);
    let found = findings(&policy);
    let text = |found: &crate::report::Diagnostic| format!("{:?} {}", found.severity, found.code);
    found.iter().map(text).collect()
}

#[test]
fn the_place_is_the_first_field() {
    check_diagnostics(&validation(
        "/v1/pods",
        "'*'",
        "object.kind == 'a' || object.spec == oldObject.spec
        #<^^^^^^^^^ warning[null-object]: The policy also matches DELETE, for which `object` is null
                                             #<^^^^^^^^^^^^ warning[null-object]: The policy also matches CREATE, for which `oldObject` is null",
    ));
}

#[test]
fn it_is_an_error_where_no_operation_has_the_object() {
    assert_eq!(codes("DELETE", "object.kind == 'a'"), ["Error null-object"]);
    assert_eq!(
        codes("CREATE", "oldObject.kind == 'a'"),
        ["Error null-object"]
    );
    assert_eq!(
        codes("'*'", "request.operation != 'DELETE' || object.kind == 'a'"),
        ["Error null-object"]
    );
}

#[test]
fn guards_and_other_operations_are_silent() {
    let silent: [(&str, &str); 14] = [
        ("CREATE, UPDATE", "object.kind == 'a'"),
        ("UPDATE, DELETE", "oldObject.kind == 'a'"),
        ("'*'", "object == null || object.kind == 'a'"),
        ("'*'", "object != null && object.kind == 'a'"),
        ("'*'", "object.kind == 'a' || object == null"),
        ("'*'", "oldObject == null || oldObject.kind == 'a'"),
        ("'*'", "request.operation == 'DELETE' || object.kind == 'a'"),
        (
            "'*'",
            "request.operation in ['CREATE', 'UPDATE'] ? object.kind == 'a' : true",
        ),
        (
            "'*'",
            "request.operation == 'DELETE' ? oldObject.kind == 'a' : object.kind == 'a'",
        ),
        (
            "'*'",
            "!(request.operation == 'UPDATE') || oldObject.kind == object.kind",
        ),
        ("'*'", "has(object.metadata) && object.kind == 'a'"),
        ("'*'", "object.?kind.orValue('') == 'a'"),
        (
            "'*'",
            "['CREATE', 'UPDATE'].exists(o, o == request.operation) && object.kind == 'a'",
        ),
        (
            "'*'",
            "request.operation.startsWith('DE') || object.kind == 'a'",
        ),
    ];
    for (operations, expression) in silent {
        let found = codes(operations, expression);
        assert!(found.is_empty(), "{operations} {expression} {found:?}");
    }
}

#[test]
fn a_match_condition_is_a_guard() {
    let policy = validation("/v1/pods", "'*'", "object.kind == 'a'").replace(
        "  validations:",
        "  matchConditions: [{name: a, expression: request.operation != 'DELETE'}]\n  validations:",
    );
    assert_eq!(findings(&policy), []);
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    let policy = validation("/v1/pods", "CREATE, UPDATE, DELETE", "object.kind != 'a'");
    let deletion = Objects {
        old: POD,
        ..Objects::default()
    };
    assert_eq!(outcome(&policy, deletion), "no such key: kind");
    let found = findings(&policy);
    assert_eq!(found[0].fixes.len(), 2);
    for fix in &found[0].fixes {
        let after = apply(&policy, fix);
        let value = outcome(&after, deletion);
        assert!(value == "true" || value == "false", "{value}\n{after}");
        assert_eq!(findings(&after), []);
    }
    let policy = validation("/v1/pods", "DELETE", "object.kind != 'a'");
    let after = apply(&policy, &findings(&policy)[0].fixes[0]);
    assert_eq!(outcome(&after, deletion), "true");
    let policy = validation("/v1/pods", "CREATE", "oldObject.kind != 'a'");
    let creation = Objects::created(POD);
    assert_eq!(outcome(&policy, creation), "no such key: kind");
}

#[test]
fn no_object_is_compared_with_itself() {
    let text = validation(
        "/v1/pods",
        "CREATE, UPDATE",
        "request.operation == 'UPDATE' || object.metadata.name == oldObject.metadata.name",
    );
    let found = findings(&text);
    let found = found.iter().find(|it| it.code == "null-object").unwrap();
    assert!(
        found.message.contains("request.operation != 'UPDATE' ||"),
        "{found:#?}"
    );
    assert!(
        found
            .fixes
            .iter()
            .all(|fix| !fix.title.contains("Change to")),
        "{found:#?}"
    );
}
