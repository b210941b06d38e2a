//! Constant message expressions, and those that Kubernetes ignores.

use crate::fixture::{changes, findings, fixed, policy, show};
use expect_test::expect;

fn message(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: object.spec.replicas <= 5\n      messageExpression: \
         {expression}\n"
    ))
}

#[track_caller]
fn report(text: &str) -> String {
    show(text, &findings(text))
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

/// Returns the message of a denial.
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
    let decision = evaluated.decisions.into_iter().next().unwrap();
    match decision.outcome {
        admission::Outcome::Denies { message, .. } => message,
        other => panic!("{other:?}"),
    }
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
            denial(&text),
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
