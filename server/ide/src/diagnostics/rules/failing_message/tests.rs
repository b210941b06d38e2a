//! Message expressions that can fail and have no fallback.

use crate::fixture::{self, creation, denial, fixed, policy, report};
use expect_test::expect;

const DEPLOYMENT: &str =
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9}}";

fn validation(expression: &str, message: &str) -> String {
    let rest = format!(
        "  validations:\n    - expression: {expression}\n      messageExpression: {message}\n"
    );
    policy(&rest).replace("operations: [UPDATE]", "operations: [CREATE, UPDATE]")
}

#[test]
fn an_optional_field_can_be_missing() {
    let text = validation(
        "object.spec.replicas <= 5",
        "\"'ask ' + object.metadata.labels['owner']\"",
    );
    expect![[r#"
        11:52-11:58 "labels" Warning[failing-message]: `labels` may be missing, so the message expression can fail, in which case users see `failed expression: …`. Add a `message`.
          fix: Add a `message`
    "#]]
    .assert_eq(&report(&text));
    assert_eq!(
        denial(&text, DEPLOYMENT),
        "failed expression: object.spec.replicas <= 5"
    );
    let after = fixed(&text, "failing-message");
    assert_eq!(report(&after), "");
    assert_eq!(denial(&after, DEPLOYMENT), "ask …");
}

#[test]
fn a_message_without_words_gets_the_condition() {
    let text = validation(
        "object.spec.replicas <= 5",
        "string(object.metadata.labels['owner'])",
    );
    let after = fixed(&text, "failing-message");
    let message = "The object must satisfy: object.spec.replicas <= 5";
    assert_eq!(denial(&after, DEPLOYMENT), message);
}

#[test]
fn the_object_is_null_on_delete() {
    let text = validation("request.name != 'a'", "\"'not ' + object.metadata.name\"")
        .replace("[CREATE, UPDATE]", "[DELETE]");
    assert!(
        report(&text).contains("`object` is null on DELETE"),
        "{}",
        report(&text)
    );
}

#[test]
fn what_is_there_is_silent() {
    for (expression, message) in [
        (
            "object.spec.replicas <= 5",
            "\"'not ' + string(object.spec.replicas)\"",
        ),
        (
            "object.metadata.labels['a'] != 'b'",
            "\"'not ' + object.metadata.labels['a']\"",
        ),
        (
            "!has(object.metadata.labels)",
            "\"string(object.metadata.labels.size())\"",
        ),
        (
            "object.spec.replicas <= 5",
            "\"has(object.metadata.labels) ? string(object.metadata.labels.size()) : 'none'\"",
        ),
        (
            "object.spec.replicas <= 5",
            "\"'ask ' + object.metadata.?labels.owner.orValue('us')\"",
        ),
        (
            "object.spec.replicas <= 5",
            "\"'ask ' + object.metadata.labels['owner']\"\n      message: too many",
        ),
    ] {
        let text = validation(expression, message);
        let left = report(&text);
        assert!(!left.contains("failing-message"), "{left}");
    }
}

/// Returns a definition with one rule.
fn crd(rule: &str) -> String {
    fixture::crd(&format!(
        "
          required: [size]
          properties:
            size: {{type: integer}}
            owner: {{type: string, maxLength: 9}}
          x-kubernetes-validations:
            - {rule}
"
    ))
}

#[test]
fn a_message_of_a_rule_can_fail_too() {
    let text = crd("rule: self.size < 5\n              messageExpression: \"'ask ' + self.owner\"");
    expect![[r#"
        21:49-21:54 "owner" Warning[failing-message]: `owner` may be missing, so the message expression can fail, in which case users see `failed rule: …`. Add a `message`.
          fix: Add a `message`
    "#]].assert_eq(&report(&text));
    let object = "{apiVersion: example.com/v1, kind: Demo, metadata: {name: a}, size: 9}";
    assert!(creation(&text, object, "").contains("failed rule: self.size < 5"));
    assert_eq!(report(&fixed(&text, "failing-message")), "");
    for silent in [
        "rule: self.size < 5\n              messageExpression: \"'ask ' + self.owner\"\n              message: ask",
        "rule: self.size < 5\n              messageExpression: \"has(self.owner) ? 'ask ' + self.owner : 'ask'\"",
        "rule: has(self.owner) && self.owner == 'a' || self.size < 5\n              messageExpression: \"string(self.size)\"",
        "rule: \"!has(self.owner) || self.size < 5\"\n              messageExpression: \"'ask ' + self.owner\"",
    ] {
        assert_eq!(report(&crd(silent)), "", "{silent}");
    }
}

#[test]
fn a_message_that_looks_like_an_expression_is_not_added() {
    let text = validation(
        "object.spec.template.spec.containers[0].name != ''",
        "string(object.metadata.labels['owner'])",
    );
    let after = fixed(&text, "failing-message");
    assert!(
        after.contains("message: \"The object is not allowed.\"\n"),
        "{after}"
    );
    assert_eq!(report(&after), "");
}
