//! What servers of different versions answer.

use super::{SECRET, answer, binding, cluster_for, read};
use crate::Target;
use crate::admission::{Called, CompiledPolicy, EvaluationLimits, Inputs, Request};
use crate::document::recognise_for;
use std::sync::Arc;

fn target(text: &str) -> Target {
    Target::parse(text).unwrap()
}

fn policy(rules: &str, validations: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n\
         metadata: {{name: p}}\nspec:\n  matchConstraints:\n    resourceRules:\n    \
         - {{{rules}, apiVersions: [v1], operations: [CREATE]}}\n  validations:\n{validations}\n---\n"
    )
}

const SECRETS: &str = "apiGroups: [''], resources: [secrets]";

/// How many failed validations the audit annotation holds.
fn audited(target: Target, count: usize) -> usize {
    let validations = "  - expression: 'false'\n".repeat(count);
    let documents = policy(SECRETS, &validations) + &binding("  validationActions: [Audit]");
    let response = answer(&cluster_for(target, &documents, &[]), Some(SECRET), None);
    let (key, value) = response.audit_annotations.last().unwrap();
    assert_eq!(key, "validation.policy.admission.k8s.io/validation_failure");
    let value: serde_json::Value = serde_json::from_str(value).unwrap();
    value.as_array().unwrap().len()
}

#[test]
fn the_audit_annotation_holds_one_failure_and_later_fifty() {
    assert_eq!(audited(target("1.36"), 3), 1);
    assert_eq!(audited(target("1.37"), 3), 3);
    assert_eq!(audited(target("1.30..1.37"), 60), 50);
    assert_eq!(audited(Target::default(), 3), 1);
}

const REVIEW: &str = "{apiVersion: authentication.k8s.io/v1, kind: TokenReview, metadata: {name: r}, spec: {token: a}}";
const REVIEWS: &str = "apiGroups: [authentication.k8s.io], resources: [tokenreviews]";

fn denies_review(target: Target) -> bool {
    let documents =
        policy(REVIEWS, "  - expression: 'false'") + &binding("  validationActions: [Deny]");
    !answer(&cluster_for(target, &documents, &[]), Some(REVIEW), None).allowed
}

#[test]
fn reviews_are_sent_to_policies_of_old_servers_only() {
    assert!(denies_review(target("1.29")));
    assert!(!denies_review(target("1.30")));
}

fn calls_about_review(target: Target) -> bool {
    let text = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n\
        metadata: {name: w}\nwebhooks:\n- name: a.example.com\n  rules:\n  \
        - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}\n";
    let documents = recognise_for(&Arc::new(yaml::parse(text.into())), target).policies;
    let document = documents.first().unwrap();
    let cluster = cluster_for(target, "", &[]);
    let inputs = Inputs {
        object: Some(read(REVIEW)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, cluster.resources()).unwrap();
    let compiled = CompiledPolicy::new(document);
    let calls = cluster.call(document, &compiled, &request, &EvaluationLimits::default());
    matches!(calls.first().unwrap().called, Called::Yes)
}

#[test]
fn reviews_are_sent_to_webhooks_until_1_37() {
    assert!(calls_about_review(target("1.36")));
    assert!(!calls_about_review(target("1.37")));
    assert!(calls_about_review(Target::default()));
}

/// What a server answers about an expression that it may not know.
fn message(server: &str, expression: &str) -> String {
    let validations = format!("  - expression: \"{expression}\"");
    let documents = policy(SECRETS, &validations) + &binding("  validationActions: [Deny]");
    let cluster = cluster_for(target(server), &documents, &[]);
    answer(&cluster, Some(SECRET), None).message
}

#[test]
fn a_function_that_a_server_does_not_have_fails() {
    for (before, from, expression, function) in [
        ("1.30", "1.31", "isIP('10.0.0.1')", "isIP"),
        (
            "1.37",
            "1.38",
            "['s'].includes(object.metadata.name)",
            "includes",
        ),
    ] {
        let unknown = format!("undeclared reference to '{function}'");
        let refusal = message(before, expression);
        assert!(refusal.contains(&unknown), "{refusal}");
        assert_eq!(message(from, expression), "");
    }
}
