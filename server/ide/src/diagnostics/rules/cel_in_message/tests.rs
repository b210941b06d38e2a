//! Messages that contain CEL, and sentences that resemble it.

use crate::fixture::{
    changes, check_diagnostics, crd, denial, findings, fixed, json_policy, policy, render,
};
use expect_test::expect;

fn message(text: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: object.spec.replicas <= 5\n      message: {text}\n"
    ))
}

#[test]
fn an_expression_belongs_to_another_field() {
    let text = message("\"'At most 5, not ' + string(object.spec.replicas)\"");
    expect![[r#"
        -      message: "'At most 5, not ' + string(object.spec.replicas)"
        +      messageExpression: "'At most 5, not ' + string(object.spec.replicas)"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "cel-in-message")));
    let folded = message(">-\n        'At most 5, not ' +\n        string(object.spec.replicas)");
    assert!(fixed(&folded, "cel-in-message").contains("messageExpression: >-\n"));
}

#[test]
fn a_key_in_json_keeps_its_quotes() {
    for (message, expression) in [
        (
            "'n' + string(object.spec.replicas)",
            "'n' + string(object.spec.replicas)",
        ),
        (
            "n {object.spec.replicas}",
            "'n ' + string(object.spec.replicas)",
        ),
    ] {
        let text = json_policy(&format!(
            "\"expression\": \"object.spec.replicas <= 5\",\n\"message\": \"{message}\""
        ));
        assert_eq!(
            changes(&text, &fixed(&text, "cel-in-message")),
            format!("-\"message\": \"{message}\"\n+\"messageExpression\": \"{expression}\"\n")
        );
    }
}

#[test]
fn marks_of_templates_are_not_filled_in() {
    for (open, close) in [("{{ ", " }}"), ("${", "}"), ("$(", ")"), ("' + ", " + '")] {
        let text = message(&format!(
            "\"The name of {open}object.metadata.name{close} isn't good\""
        ));
        let after = fixed(&text, "cel-in-message");
        assert!(
            after.ends_with(
                "messageExpression: \"'The name of ' + string(object.metadata.name) + ' isn\\\\'t \
                 good'\"\n"
            ),
            "{after}"
        );
    }
    let verb = message("'image %s is not allowed'");
    let found = findings(&verb);
    assert!(render(&verb, &found).contains("users read `%s` literally"));
}

#[test]
fn elements_of_lists_and_maps_are_read() {
    for path in [
        "object.spec.template.spec.containers[0].name",
        "object.spec.template.spec.containers[0]['name']",
        "request.userInfo.groups[1]",
    ] {
        for (open, close) in [("", ""), ("{{ ", " }}"), ("${", "}")] {
            let text =
                message(&format!("\"😀 {open}{path}{close}, y\"")).replace("apps", "example.com");
            let after = fixed(&text, "cel-in-message");
            let right = format!("messageExpression: \"'😀 ' + string({path}) + ', y'\"\n");
            assert!(after.ends_with(&right), "{after}");
        }
    }
    for sentence in [
        "object.spec.replicas must be no greater than 5",
        "spec.containers[0].name is required",
        "myobject.spec[0] or object.spec[n]",
        "the object[s] of a list",
    ] {
        assert_eq!(findings(&message(&format!("\"{sentence}\""))), []);
    }
}

#[test]
fn the_server_would_say_the_expression() {
    // Users see the string literally: this is the message of a denial.
    let text = message("'{{object.metadata.name}} has too many'");
    let deployment =
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9}}";
    assert_eq!(
        denial(&text, deployment),
        "{{object.metadata.name}} has too many"
    );
}

#[test]
fn a_message_beside_an_expression_is_only_named() {
    let text = message(
        "\"'no ' + object.metadata.name\"\n      messageExpression: \"'a' + string(object.spec.replicas)\"",
    );
    let found = findings(&text);
    let codes: Vec<_> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["cel-in-message"]);
    assert!(found[0].fixes.is_empty());
}

#[test]
fn rules_of_a_definition_have_messages_too() {
    check_diagnostics(&crd("
        properties:
          spec:
            type: object
            required: [name]
            properties: {name: {type: string, maxLength: 10}}
            x-kubernetes-validations:
              - rule: self.name != 'a'
                message: the name ${self.name} is taken
                        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[cel-in-message]
"));
}

#[test]
fn sentences_are_silent() {
    for text in [
        "no more than 5 replicas",
        "'object.spec.replicas must be at most 5'",
        "'''no'' is not an answer'",
        "object.spec.replicas is limited",
        "use at least 50%",
        "'100%, or more'",
        "set {replicas} to 5",
        "'see https://example.com/${id}'",
        "'use {{ .Values.max }} at most'",
        "\"'spec.replicas' + 'x'\"",
        "params",
    ] {
        let text = message(text);
        let found = findings(&text);
        assert!(found.is_empty(), "{}", render(&text, &found));
    }
}
