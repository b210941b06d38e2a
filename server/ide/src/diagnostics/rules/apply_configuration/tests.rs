//! Apply configurations that cannot be merged, each with the outcome.

use crate::fixture::{self, changes, check_diagnostics, findings, fixed};
use crate::report::Severity;
use admission::Mutation;
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: \
     {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {containers: [{name: a, image: b}]}}}}";

fn policy(resources: &str, expression: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [{resources}]}}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          {expression}
"
    )
}

/// Returns the error of the mutation of the Deployment.
fn failure(expression: &str) -> String {
    match &mutation(expression).steps[0].result {
        Ok(()) => "works".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Returns the labels of the Deployment after the mutation.
fn after(expression: &str) -> String {
    let object = mutation(expression).object.unwrap();
    let metadata = object.as_map().unwrap().get_str("metadata").unwrap();
    let labels = metadata.as_map().unwrap().get_str("labels");
    labels.unwrap().to_string()
}

fn mutation(expression: &str) -> Mutation {
    fixture::mutation(&policy("deployments", expression), DEPLOYMENT)
}

#[test]
fn what_is_found_fails_at_admission() {
    for (expression, message) in [
        (
            "Object{spec: Object.spec{replica: 1}}",
            "`spec.replica` is not a field of Deployment, so the mutation fails. Did you mean `replicas`?",
        ),
        (
            "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}",
            "Deployment: `spec.selector` is an atomic object, which an apply configuration cannot change. Use a JSON patch.",
        ),
    ] {
        let found = findings(&policy("deployments", expression));
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].message, message);
        assert_eq!(found[0].upstream.as_deref(), Some(&*failure(expression)));
    }
    let expression = "Object{spec: Object.spec{replicas: '1'}}";
    let found = findings(&policy("deployments", expression));
    assert_eq!(
        found[0].message,
        "Deployment: `spec.replicas` is of type `int`, but the value is `string`."
    );
    expect!["error applying patch: failed to convert patch object to typed object: .spec.replicas: expected numeric (int or float), got string"]
        .assert_eq(&failure(expression));
}

#[test]
fn what_fits_is_silent_and_works() {
    for expression in [
        "Object{spec: Object.spec{replicas: 3}}",
        "Object{metadata: Object.metadata{labels: Object.metadata.labels{any: 'a'}}}",
        "Object{metadata: Object.metadata{annotations: {'any/thing': 'a'}}}",
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'a', image: 'c'}]}}}}",
    ] {
        let found = findings(&policy("deployments", expression));
        assert!(found.is_empty(), "{found:#?}");
        assert_eq!(failure(expression), "works", "{expression}");
    }
}

#[test]
fn a_field_that_only_one_of_the_kinds_has() {
    let both = "deployments, daemonsets";
    let found = findings(&policy(both, "Object{spec: Object.spec{replicas: 3}}"));
    let report = found.iter().map(|it| (it.severity, it.message.as_str()));
    let words = "`spec.replicas` is not a field of DaemonSet, so the mutation fails.";
    assert_eq!(report.collect::<Vec<_>>(), [(Severity::Warning, words)]);
    let guarded = "object.kind == 'DaemonSet' ? Object{} : Object{spec: Object.spec{replicas: 3}}";
    check_diagnostics(&policy(both, guarded));
}

#[test]
fn the_nearest_is_offered() {
    let text = policy("deployments", "Object{spec: Object.spec{replica: 1}}");
    expect![[r#"
        -          Object{spec: Object.spec{replica: 1}}
        +          Object{spec: Object.spec{replicas: 1}}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "apply-configuration")));
}

#[test]
fn names_are_not_escaped() {
    let text = policy(
        "deployments",
        "Object{metadata: Object.metadata{labels: Object.metadata.labels{a__dot__b: 'x', c: 'y'}}}",
    );
    let found = findings(&text);
    let report: Vec<_> = found
        .iter()
        .map(|it| (it.severity, it.message.as_str()))
        .collect();
    let words = "Deployment: field names of an `Object` are not escaped, so this sets `metadata.labels.a__dot__b` instead of `a.b`. Write a map without a type: `{'a.b': …}`.";
    assert_eq!(report, [(Severity::Warning, words)]);
    expect![[r#"
        -          Object{metadata: Object.metadata{labels: Object.metadata.labels{a__dot__b: 'x', c: 'y'}}}
        +          Object{metadata: Object.metadata{labels: {'a.b': 'x', 'c': 'y'}}}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "apply-configuration")));
    for (literal, key) in [
        ("Object.metadata.labels{a__dot__b: 'x'}", "a__dot__b"),
        ("{'a.b': 'x'}", "a.b"),
    ] {
        let expression = format!("Object{{metadata: Object.metadata{{labels: {literal}}}}}");
        let labels = after(&expression);
        assert_eq!(labels, format!("{{{key}: x}}"), "{expression}");
    }
}

#[test]
fn the_type_of_another_field_is_replaced() {
    for (before, after) in [
        (
            "Object{metadata: Object.Metadata{labels: {'a': 'b'}}}",
            "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
        ),
        (
            "Object{spec: Object.spec{template: Object.spec.pod{}}}",
            "Object{spec: Object.spec{template: Object.spec.template{}}}",
        ),
    ] {
        let failure = failure(before);
        let text = policy("deployments", before);
        let found = findings(&text);
        assert!(failure.contains("type mismatch"), "{failure}");
        assert!(found[0].message.starts_with("The type of "), "{found:#?}");
        assert_eq!(
            fixed(&text, "apply-configuration"),
            policy("deployments", after)
        );
    }
    let right = "Object{spec: Object.spec{template: Object.spec.template{spec: \
                 Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'a'}]}}}}";
    assert_eq!(findings(&policy("deployments", right)), []);
}

#[test]
fn nothing_is_an_empty_object() {
    let before = "object.spec.replicas > 5 ? Object{spec: Object.spec{replicas: 5}} : null";
    let after = "object.spec.replicas > 5 ? Object{spec: Object.spec{replicas: 5}} : Object{}";
    assert!(
        failure(before).contains("unsupported return type"),
        "{}",
        failure(before)
    );
    assert_eq!(failure(after), "works");
    let text = policy("deployments", before);
    assert_eq!(
        fixed(&text, "apply-configuration"),
        policy("deployments", after)
    );
}
