//! Timestamps, which are strings at admission.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, validation};

const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: a, creationTimestamp: \
                   '2024-01-01T00:00:00Z'}}";

#[test]
fn the_place_is_the_value() {
    check_diagnostics(&validation(
        "/v1/pods",
        "UPDATE",
        "object.metadata.creationTimestamp == timestamp('2024-01-01T00:00:00Z')
        #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[string-timestamp]: always false",
    ));
}

#[test]
fn texts_as_texts_are_silent() {
    for expression in [
        "timestamp(object.metadata.creationTimestamp) > timestamp('2024-01-01T00:00:00Z')",
        "object.metadata.creationTimestamp == '2024-01-01T00:00:00Z'",
        "object.metadata.creationTimestamp == oldObject.metadata.creationTimestamp",
        "object.metadata.creationTimestamp.startsWith('2024')",
        "object.metadata.creationTimestamp >= '2024'",
        "object.metadata.name == 'a'",
    ] {
        let found = findings(&validation("/v1/pods", "UPDATE", expression));
        let mut codes = found.iter().map(|found| found.code);
        assert!(codes.all(|code| code == "status-warning"), "{found:#?}");
    }
}

#[test]
fn it_fails_at_admission_and_the_fix_does_not() {
    let objects = Objects {
        object: POD,
        old: POD,
        ..Objects::default()
    };
    let overload = "no such overload";
    for (expression, failure) in [
        (
            "object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
            overload,
        ),
        (
            "object.metadata.creationTimestamp == timestamp('2024-01-01T00:00:00Z')",
            "false",
        ),
        (
            "object.metadata.creationTimestamp.getFullYear() == 2024",
            "no such overload: getFullYear(string)",
        ),
        (
            "timestamp('2024-01-02T00:00:00Z') - object.metadata.creationTimestamp == duration('24h')",
            overload,
        ),
    ] {
        let policy = validation("/v1/pods", "UPDATE", expression);
        assert_eq!(outcome(&policy, objects), failure);
        let found = findings(&policy);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].upstream.as_deref().unwrap_or("false"), failure);
        let after = apply(&policy, &found[0].fixes[0]);
        assert_eq!(outcome(&after, objects), "true");
        assert_eq!(findings(&after), []);
    }
}
