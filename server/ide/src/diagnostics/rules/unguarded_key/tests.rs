//! Entries of maps, and the outcome without them.

use crate::fixture::{Objects, apply, check_diagnostics, findings, outcome, policy, validation};

#[test]
fn the_place_is_the_key() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - name: labels
      expression: has(object.metadata.labels)
  validations:
    - expression: object.metadata.labels['app'] == 'a'
                                        #^^^^^ warning[unguarded-key]: The key `'app'`
    - expression: object.metadata.labels.app == 'a'
                                        #^^^ warning[unguarded-key]: The key `app`
",
    ));
}

#[test]
fn keys_that_are_asked_for_are_silent() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - name: labels
      expression: has(object.metadata.labels)
  variables:
    - name: key
      expression: \"'team'\"
  validations:
    - expression: \"'app' in object.metadata.labels && object.metadata.labels['app'] == 'a'\"
    - expression: object.metadata.labels.all(key, object.metadata.labels[key] != '')
    - expression: variables.key in object.metadata.labels && object.metadata.labels['team'] == 'a'
    - expression: object.metadata.labels[?'app'].orValue('a') == 'a'
",
    ));
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    let expression = "has(object.data) && object.data['a.b'] == 'x'";
    let policy = validation("/v1/configmaps", "CREATE", expression);
    let objects =
        Objects::created("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {c: d}}");
    assert_eq!(outcome(&policy, objects), "no such key: a.b");
    let found = findings(&policy);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].fixes.len(), 3);
    for fix in &found[0].fixes {
        let after = apply(&policy, fix);
        let value = outcome(&after, objects);
        assert!(value == "true" || value == "false", "{value}\n{after}");
        assert!(findings(&after).is_empty(), "{after}");
    }
}

#[test]
fn a_comparison_with_null_becomes_a_test_for_a_value() {
    let objects =
        Objects::created("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {c: d}}");
    let check = |comparison: &str, test: &str, value: &str| {
        let expression = |condition: &str| format!("has(object.data) && {condition}");
        let policy =
            |condition: &str| validation("/v1/configmaps", "CREATE", &expression(condition));
        let before = policy(comparison);
        let found = findings(&before);
        let found = found.iter().find(|it| it.code == "unguarded-key").unwrap();
        let fix = found.fixes.last().unwrap();
        assert_eq!(fix.title, "Use `?` and `.hasValue()`");
        let after = apply(&before, fix);
        assert_eq!(after, policy(test));
        assert!(findings(&after).is_empty(), "{after}");
        assert_eq!(outcome(&after, objects), value);
    };
    check(
        "object.data['a'] != null",
        "object.data[?'a'].hasValue()",
        "false",
    );
    check("object.data.c!=null", "object.data.?c.hasValue()", "true");
    check(
        "object.data['a'] == null",
        "!object.data[?'a'].hasValue()",
        "true",
    );
}
