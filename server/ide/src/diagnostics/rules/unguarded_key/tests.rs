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
    let check = |comparison: &str, tests: [&str; 2], value: &str| {
        let expression = |condition: &str| format!("has(object.data) && {condition}");
        let policy =
            |condition: &str| validation("/v1/configmaps", "CREATE", &expression(condition));
        let before = policy(comparison);
        let found = findings(&before);
        let found = found.iter().find(|it| it.code == "unguarded-key").unwrap();
        let titles: Vec<&str> = found.fixes.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(
            titles,
            [&*format!("Use `{}`", tests[0]), "Use `?` and `.hasValue()`"]
        );
        for (fix, test) in found.fixes.iter().zip(tests) {
            let after = apply(&before, fix);
            assert_eq!(after, policy(test));
            assert!(findings(&after).is_empty(), "{after}");
            assert_eq!(outcome(&after, objects), value);
        }
    };
    check(
        "object.data['a'] != null",
        ["'a' in object.data", "object.data[?'a'].hasValue()"],
        "false",
    );
    check(
        "object.data.c!=null",
        ["has(object.data.c)", "object.data.?c.hasValue()"],
        "true",
    );
    check(
        "null == object.data['a']",
        ["!('a' in object.data)", "!object.data[?'a'].hasValue()"],
        "true",
    );
}

#[test]
fn a_default_is_offered_only_if_it_can_be_parsed() {
    let titles = |expression: &str| {
        let policy = validation("/v1/configmaps", "CREATE", expression);
        let found = findings(&policy);
        let found = found.iter().find(|it| it.code == "unguarded-key").unwrap();
        let titles = found.fixes.iter().map(|it| it.title.clone());
        titles.collect::<Vec<_>>()
    };
    let default = "Treat a missing `a` as `''`".to_owned();
    for (call, is_offered) in [
        ("int(object.data.a) > 1", false),
        ("duration(object.data.a) > duration('1h')", false),
        (
            "quantity(object.data.a).isGreaterThan(quantity('1'))",
            false,
        ),
        ("string(object.data.a) == 'b'", true),
        ("object.data.a.contains('b')", true),
    ] {
        let titles = titles(&format!("has(object.data) && {call}"));
        assert_eq!(titles.contains(&default), is_offered, "{call}: {titles:?}");
    }
}
