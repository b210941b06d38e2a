//! Quantities, which are strings at admission.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, validation};

const VOLUME: &str = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: a}, spec: \
                      {capacity: {storage: 9Gi}}}";

#[test]
fn the_place_is_the_value() {
    check_diagnostics(&validation(
        "/v1/persistentvolumes",
        "UPDATE",
        "object.spec.capacity['storage'] > 1
        #<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[string-quantity]: always fails",
    ));
}

#[test]
fn quantities_and_equal_texts_are_silent() {
    for expression in [
        "quantity(object.spec.capacity['storage']).isGreaterThan(quantity('1Gi'))",
        "object.spec.capacity.storage == '1Gi'",
    ] {
        let found = findings(&validation("/v1/persistentvolumes", "UPDATE", expression));
        assert!(
            found.iter().all(|found| found.code != "string-quantity"),
            "{found:#?}"
        );
    }
}

#[test]
fn it_fails_at_admission_and_the_fix_does_not() {
    let objects = Objects::created(VOLUME);
    for (expression, result) in [
        ("object.spec.capacity['storage'] > 1", "no such overload"),
        (
            "object.spec.capacity.storage.isLessThan(quantity('10Gi'))",
            "no such overload: isLessThan(string, kubernetes.Quantity)",
        ),
        // As strings, `9` is greater than `1`.
        ("object.spec.capacity.storage < '10Gi'", "false"),
        ("'10Gi' > object.spec.capacity.storage", "false"),
    ] {
        let policy = validation("/v1/persistentvolumes", "CREATE", expression);
        assert_eq!(outcome(&policy, objects), result);
        let found = findings(&policy);
        let found = found
            .iter()
            .find(|found| found.code == "string-quantity")
            .unwrap();
        let after = apply(&policy, &found.fixes[0]);
        assert_eq!(outcome(&after, objects), "true", "{after}");
        assert!(
            findings(&after)
                .iter()
                .all(|left| left.code != "string-quantity")
        );
    }
}
