//! Messages that can fail where there is no other.

use crate::fixture::{findings, fixed, policy, show};
use expect_test::expect;

fn validation(expression: &str, message: &str) -> String {
    let rest = format!(
        "  validations:\n    - expression: {expression}\n      messageExpression: {message}\n"
    );
    policy(&rest).replace("operations: [UPDATE]", "operations: [CREATE, UPDATE]")
}

#[track_caller]
fn said(text: &str) -> String {
    show(text, &findings(text))
}

/// Returns the denial of a Deployment with too many replicas.
fn denial(text: &str) -> String {
    let file = crate::file::SourceFile::new(text);
    let [document] = file.policies() else {
        panic!("one policy")
    };
    let stream = std::sync::Arc::new(yaml::parse(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9}}".into(),
    ));
    let root = stream.documents().next().unwrap().root().unwrap();
    let inputs = admission::Inputs {
        object: kubernetes::object(root),
        ..admission::Inputs::default()
    };
    let resources = admission::Resources::default();
    let request = admission::Request::new(inputs, &resources).unwrap();
    let evaluated = admission::CompiledPolicy::new(document).evaluate(
        document,
        &request,
        &admission::EvaluationLimits::default(),
    );
    match evaluated.decisions.into_iter().next().unwrap().outcome {
        admission::Outcome::Denies { message, .. } => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_optional_field_can_be_missing() {
    let text = validation(
        "object.spec.replicas <= 5",
        "\"'ask ' + object.metadata.labels['owner']\"",
    );
    expect![[r#"
        11:52-11:58 "labels" Warning[failing-message]: `labels` may be missing, so the message expression can fail, and users see `failed expression: …`. Add a `message`.
          fix: Add a `message`
    "#]]
    .assert_eq(&said(&text));
    assert_eq!(
        denial(&text),
        "failed expression: object.spec.replicas <= 5"
    );
    assert_eq!(said(&fixed(&text, "failing-message")), "");
}

#[test]
fn the_object_is_null_on_delete() {
    let text = validation("request.name != 'a'", "\"'not ' + object.metadata.name\"")
        .replace("[CREATE, UPDATE]", "[DELETE]");
    assert!(
        said(&text).contains("`object` is null on DELETE"),
        "{}",
        said(&text)
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
        let left = said(&text);
        assert!(!left.contains("failing-message"), "{left}");
    }
}
