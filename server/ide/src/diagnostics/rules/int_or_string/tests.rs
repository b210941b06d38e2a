//! Integers that may be strings, and vice versa.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, validation};

fn budget(value: &str) -> String {
    format!(
        "{{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {{name: a}}, spec: \
         {{minAvailable: {value}}}}}"
    )
}

const GUARD: &str = "has(object.spec.minAvailable) && ";

#[test]
fn the_place_is_the_value() {
    check_diagnostics(&validation(
        "policy/v1/poddisruptionbudgets",
        "UPDATE",
        "has(object.spec.minAvailable) && object.spec.minAvailable > 1
                                         #<^^^^^^^^^^^^^^^^^^^^^^ warning[int-or-string]: such as `'25%'`",
    ));
}

#[test]
fn what_works_with_both_is_silent() {
    for expression in [
        "object.spec.minAvailable == 1 || object.spec.minAvailable == '50%'",
        "type(object.spec.minAvailable) == int && object.spec.minAvailable > 1",
        "type(object.spec.minAvailable) == string ? object.spec.minAvailable.endsWith('%') : true",
        "string(object.spec.minAvailable).endsWith('%')",
        "object.spec.minAvailable in [1, 2]",
    ] {
        let expression = format!("{GUARD}({expression})");
        let found = findings(&validation(
            "policy/v1/poddisruptionbudgets",
            "UPDATE",
            &expression,
        ));
        assert!(found.is_empty(), "{expression} {found:#?}");
    }
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    for (expression, value, failure) in [
        ("object.spec.minAvailable > 1", "25%", "no such overload"),
        (
            "object.spec.minAvailable - 1 == 0",
            "25%",
            "no such overload",
        ),
        (
            "object.spec.minAvailable.endsWith('%')",
            "1",
            "no such overload",
        ),
    ] {
        let object = budget(value);
        let objects = Objects::created(&object);
        let expression = format!("{GUARD}{expression}");
        let policy = validation("policy/v1/poddisruptionbudgets", "CREATE", &expression);
        assert_eq!(outcome(&policy, objects), failure);
        let found = findings(&policy);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].upstream.as_deref(), Some(failure));
        for fix in &found[0].fixes {
            let after = apply(&policy, fix);
            let value = outcome(&after, objects);
            assert!(value == "true" || value == "false", "{value}\n{after}");
            assert_eq!(findings(&after), [], "{after}");
        }
    }
}
