//! Fields of a request that may be missing.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, validation};

#[test]
fn fields_that_can_be_empty_are_found() {
    check_diagnostics(&validation(
        "/v1/pods', 'nodes",
        "CREATE",
        "request.subResource == '' || request.name == '' || request.namespace == ''
                #<^^^^^^^^^ warning[absent-request-field]: for the object itself
                                             #<^^ warning[absent-request-field]: generateName
                                                                   #<^^^^^^^ warning[absent-request-field]: cluster-scoped",
    ));
}

#[test]
fn fields_that_are_there_are_silent() {
    let silent = [
        (
            "/v1/pods",
            "CREATE",
            "request.namespace == 'a' && request.userInfo.username != ''",
        ),
        (
            "/v1/pods",
            "UPDATE",
            "request.name == 'a' && request.operation == 'UPDATE'",
        ),
        (
            "/v1/pods/eviction",
            "CREATE",
            "request.subResource == 'eviction'",
        ),
        (
            "/v1/pods",
            "CREATE",
            "has(request.subResource) && request.subResource == 'a'",
        ),
        ("/v1/pods", "CREATE", "request.?name.orValue('') == 'a'"),
        ("/v1/namespaces", "UPDATE", "request.namespace == 'a'"),
        (
            "/v1/pods",
            "CREATE",
            "request.dryRun || request.kind.kind == 'Pod'",
        ),
    ];
    for (resource, operation, expression) in silent {
        let found = findings(&validation(resource, operation, expression));
        assert!(found.is_empty(), "{expression} {found:#?}");
    }
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    let node = Objects::created("{apiVersion: v1, kind: Node, metadata: {generateName: a}}");
    for (expression, key) in [
        ("request.subResource != 'a'", "subResource"),
        ("request.namespace != 'a'", "namespace"),
        ("request.name != 'a'", "name"),
        ("request.userInfo.extra.all(k, k != 'a')", "extra"),
    ] {
        let policy = validation("/v1/nodes", "CREATE", expression);
        assert_eq!(outcome(&policy, node), format!("no such key: {key}"));
        let found = findings(&policy);
        assert_eq!(found.len(), 1);
        for fix in &found[0].fixes {
            let after = apply(&policy, fix);
            let value = outcome(&after, node);
            assert!(value == "true" || value == "false", "{value}\n{after}");
            assert_eq!(findings(&after), []);
        }
    }
}
