//! Bytes fields, which are base64 strings at admission.

use crate::fixture::{Objects, check_diagnostics, findings, outcome, validation};

const SECRET: &str = "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {a: eA==}}";

#[test]
fn the_place_is_the_value() {
    check_diagnostics(&validation(
        "/v1/secrets",
        "UPDATE",
        "has(object.data) && 'a' in object.data && object.data['a'] == b'x'
                                                  #<^^^^^^^^^^^^^^ warning[string-bytes]: always false",
    ));
}

#[test]
fn it_fails_at_admission() {
    let objects = Objects::created(SECRET);
    let guard = "has(object.data) && 'a' in object.data && ";
    for (expression, result) in [
        ("object.data['a'] == b'x'", "false"),
        ("size(object.data['a'] + b'x') == 2", "no such overload"),
    ] {
        let policy = validation("/v1/secrets", "CREATE", &format!("{guard}{expression}"));
        assert_eq!(outcome(&policy, objects), result);
        let codes: Vec<&str> = findings(&policy).iter().map(|found| found.code).collect();
        assert_eq!(codes, ["string-bytes"]);
    }
    let works = validation(
        "/v1/secrets",
        "CREATE",
        &format!("{guard}object.data['a'] == 'eA=='"),
    );
    assert_eq!(outcome(&works, objects), "true");
    let found = findings(&works);
    assert!(found.iter().all(|found| found.code != "string-bytes"));
}
