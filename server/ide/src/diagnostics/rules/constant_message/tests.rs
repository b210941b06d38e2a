//! Constant message expressions, and those that Kubernetes ignores.

use crate::fixture::{changes, denial, fixed, json_policy, policy, report};
use expect_test::expect;

const DEPLOYMENT: &str =
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9}}";

fn message(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: object.spec.replicas <= 5\n      messageExpression: \
         {expression}\n"
    ))
}

#[test]
fn a_constant_is_a_message() {
    let text = message("\"'No more ' + 'than 5'\"");
    expect![[r#"
        11:27-11:48 "'No more ' + 'than 5'" Hint[constant-message]: This message is constant. Use `message`, which needs no evaluation.
          fix: Convert to `message`
    "#]]
    .assert_eq(&report(&text));
    expect![[r#"
        -      messageExpression: "'No more ' + 'than 5'"
        +      message: "No more than 5"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-message")));
}

#[test]
fn a_key_in_json_keeps_its_quotes() {
    let text = json_policy(
        "\"expression\": \"object.spec.replicas <= 5\",\n\"messageExpression\": \"'constant'\"",
    );
    expect![[r#"
        -"messageExpression": "'constant'"
        +"message": "constant"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-message")));
}

#[test]
fn a_constant_replaces_the_message_in_json() {
    let text = json_policy(
        "\"expression\": \"object.spec.replicas <= 5\",\n\"message\": \"a\",\n\"messageExpression\": \"'b'\"",
    );
    expect![[r#"
        -"message": "a",
        -"messageExpression": "'b'"
        +"message": "b"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-message")));
}

#[test]
fn a_constant_replaces_the_message() {
    let text = message("\"'constant'\"\n      # kept\n      message: other");
    expect![[r#"
        11:27-11:37 "'constant'" Hint[constant-message]: This message is constant, so `message` is never used. Remove one of them.
          fix: Replace `message` with this constant
    "#]]
    .assert_eq(&report(&text));
    expect![[r#"
        -      messageExpression: "'constant'"
        -      # kept
        -      message: other
        +      # kept
        +      message: "constant"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "constant-message")));
    assert_eq!(denial(&text, DEPLOYMENT), "constant");
}

#[test]
fn kubernetes_does_not_use_every_text() {
    for (expression, reason) in [
        (r#""'  '""#, "is empty"),
        (r#""'one' + '\\n' + 'two'""#, "contains line breaks"),
        (
            r#""'one\\n' + string(object.spec.replicas)""#,
            "line breaks",
        ),
        (
            r#""true ? 'a: %d\\nb'.format([object.spec.replicas]) : 'c'""#,
            "line breaks",
        ),
    ] {
        let text = message(expression);
        let report = report(&text);
        assert!(
            report.contains("Warning[constant-message]"),
            "{expression}: {report}"
        );
        assert!(report.contains(reason), "{report}");
        assert_eq!(
            denial(&text, DEPLOYMENT),
            "failed expression: object.spec.replicas <= 5"
        );
    }
}

#[test]
fn texts_with_values_are_silent() {
    for expression in [
        r#""'not ' + string(object.spec.replicas)""#,
        r#""string(object.spec.replicas) + '\\n'""#,
        r#""'\\n' + string(object.spec.replicas)""#,
        r#""'%d'.format([object.spec.replicas])""#,
        "|-\n        'not ' +\n        string(object.spec.replicas)",
    ] {
        let text = message(expression);
        assert_eq!(report(&text), "", "{expression}");
    }
}
