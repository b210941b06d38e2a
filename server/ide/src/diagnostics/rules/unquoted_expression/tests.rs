//! Unquoted expressions, each with one finding.

use crate::fixture::{
    changes, check_diagnostics, check_places, findings, fixed, render, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn each_is_found_once_and_fixed() {
    for (written, right) in [
        ("!has(object.x)", "'!has(object.x)'"),
        (
            "!has(object.x) && object.y == 1",
            "'!has(object.x) && object.y == 1'",
        ),
        (
            "!object.x || object.y == 'é'",
            "\"!object.x || object.y == 'é'\"",
        ),
        ("\"a\" in object.labels", "'\"a\" in object.labels'"),
        ("'a' in object.labels", "\"'a' in object.labels\""),
        (
            "object.a == 1 ? true : object.b == 2",
            "'object.a == 1 ? true : object.b == 2'",
        ),
        (
            "[1, 2].all(x, x > object.x)",
            "'[1, 2].all(x, x > object.x)'",
        ),
        ("{'a': 1}.a == object.x", "\"{'a': 1}.a == object.x\""),
        ("\"object.x == \"y\"\"", "'object.x == \"y\"'"),
        ("'object.x == 'y''", "\"object.x == 'y'\""),
        (
            "'object.x == 'y' && r\"\\d\" == object.z'",
            "'object.x == ''y'' && r\"\\d\" == object.z'",
        ),
    ] {
        let text = policy(&format!(
            "  validations:\n    - expression: {written}\n      message: m\n"
        ));
        let found = findings(&text);
        let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
        assert_eq!(codes, ["unquoted-expression"], "{}", render(&text, &found));
        let after = fixed(&text, "unquoted-expression");
        assert!(after.contains(&format!("expression: {right}\n")), "{after}");
        assert_eq!(findings(&after), []);
    }
}

#[test]
fn the_place_is_the_whole_value() {
    check_places(&policy(
        "
  variables:
    - name: é😀
           #^^ error[invalid-identifier]
      expression: !object.a
                 #^^^^^^^^^ error[unquoted-expression]: `!` begins a tag. Quote the whole expression.
    - {name: b, expression: '1'}
  validations:
    - expression: \"a\" == variables.b + 'c'
                 #^^^^^^^^^^^^^^^^^^^^^^^^ error[unquoted-expression]: `\"` begins a quoted string
",
    ));
}

#[test]
fn several_lines_become_a_block() {
    let text = policy(
        "  validations:\n  - expression: !has(object.x) ||\n      object.y == 'é'\n    message: m\n",
    ).replace('\n', "\r\n");
    let found = findings(&text);
    assert_eq!(found.len(), 1, "{}", render(&text, &found));
    let after = fixed(&text, "unquoted-expression");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    assert_eq!(findings(&after), []);
    expect![[r#"
        -  - expression: !has(object.x) ||
        +  - expression: |-
        +      !has(object.x) ||
    "#]]
    .assert_eq(&changes(&text, &after));
}

#[test]
fn an_error_in_the_quotes_is_named() {
    let text = policy(
        "  validations:\n    - expression: !objct.a\n    - expression: !has(object.a)\n    - expression: !has(object.b) && 1\n",
    );
    let found = findings(&text);
    let messages = found.iter().map(|it| it.message.as_str());
    let errors = messages.map(|it| it.split_once("an error: ").map(|(_, error)| error));
    let expected = [
        Some("`objct` is not defined. Did you mean `object`?"),
        None,
        Some("Expected a value of type `bool`, found `int`."),
    ];
    assert_eq!(errors.collect::<Vec<_>>(), expected);
}

#[test]
fn a_variable_in_such_an_expression_is_used() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: object.a == 1}
  validations:
    - expression: !variables.a
                 #^^^^^^^^^^^^ error[unquoted-expression]
",
    ));
}

#[test]
fn what_is_no_expression_is_an_error_of_yaml() {
    let codes = |text: &str| -> Vec<&str> {
        let found = findings(text);
        found.iter().map(|found| found.code).collect()
    };
    let text = policy("  validations:\n    - expression: \"a\" in (object.labels\n");
    assert_eq!(codes(&text), ["yaml-syntax"]);
    let text = policy("  validations:\n    - expression: 'true'\n      message: \"say \"hi\"\"\n");
    assert_eq!(codes(&text), ["yaml-syntax"]);
}

#[test]
fn right_values_are_silent() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: (!has(object.y))
    - expression: !!str true
    - expression: >- # a comment
        !has(object.x)
    - expression: -1 < object.x
    - expression: object.a ==
        object.b
",
    ));
}

#[test]
fn value_that_kubernetes_accepts_is_a_warning() {
    check_places(&policy(
        "
  validations:
    - expression: ! true
                 #^^^^^^ warning[unquoted-expression]: `!` begins a tag
    - expression: !has(object.x)
                 #^^^^^^^^^^^^^^ error[unquoted-expression]
    - expression: ! 3
                 #^^^ error[unquoted-expression]
",
    ));
}
