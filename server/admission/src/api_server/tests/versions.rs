//! Responses of different server versions.

use super::{SECRET, answer, binding, cluster_for, read};
use crate::{Called, CompiledPolicy, EvaluationLimits, Inputs, Request};
use kubernetes::Target;
use policy::recognize_for;
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

/// Returns how many failed validations the audit annotation holds.
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
    let documents = recognize_for(&Arc::new(yaml::parse(text.into())), target).policies;
    let document = documents.first().unwrap();
    let api_server = cluster_for(target, "", &[]);
    let inputs = Inputs {
        object: Some(read(REVIEW)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, api_server.resources()).unwrap();
    let compiled = CompiledPolicy::new(document);
    let calls = api_server.call(document, &compiled, &request, &EvaluationLimits::default());
    matches!(calls.first().unwrap().called, Called::Yes)
}

#[test]
fn reviews_are_sent_to_webhooks_until_1_37() {
    assert!(calls_about_review(target("1.36")));
    assert!(!calls_about_review(target("1.37")));
    assert!(calls_about_review(Target::default()));
}

/// Returns the response of a server to an expression that it may not support.
fn message(server: &str, expression: &str) -> String {
    let validations = format!("  - expression: \"{expression}\"");
    let documents = policy(SECRETS, &validations) + &binding("  validationActions: [Deny]");
    let api_server = cluster_for(target(server), &documents, &[]);
    answer(&api_server, Some(SECRET), None).message
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

/// Returns a mutating policy for scalers in a version, with its binding.
fn scaler_policy(version: &str, expression: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
         metadata: {{name: {version}}}\nspec:\n  reinvocationPolicy: Never\n  \
         matchConstraints:\n    resourceRules:\n    - {{apiGroups: [autoscaling], apiVersions: \
         [{version}], operations: [CREATE], resources: [horizontalpodautoscalers]}}\n  \
         mutations:\n  - {expression}\n---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\n\
         metadata: {{name: {version}}}\nspec: {{policyName: {version}}}\n---\n"
    )
}

fn label(name: &str) -> String {
    format!(
        "{{patchType: ApplyConfiguration, applyConfiguration: {{expression: \
         \"Object{{metadata: Object.metadata{{labels: {{'{name}': 'x'}}}}}}\"}}}}"
    )
}

const SCALER: &str = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: s, namespace: a}, spec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: d, apiVersion: apps/v1}}}";

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
/// dispatchOne.
#[test]
fn a_change_of_another_version_of_a_built_in_kind_fails() {
    let jump = "{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'test', path: '/kind', value: 'X'}]\"}}";
    for mutation in [label("a"), jump.to_owned()] {
        let documents = scaler_policy("v1", &mutation);
        let api_server = cluster_for(target("1.36"), &documents, &[]);
        assert_eq!(
            answer(&api_server, Some(SCALER), None).message,
            "policy 'v1' with binding 'v1' denied request: converting \
             (v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler): unknown conversion"
        );
    }
    let documents = scaler_policy("v2", &label("a"));
    let api_server = cluster_for(target("1.36"), &documents, &[]);
    assert!(answer(&api_server, Some(SCALER), None).allowed);
}

/// A definition with two versions.
const WIDGETS: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
    metadata: {name: widgets.x.io}\nspec:\n  group: x.io\n  scope: Namespaced\n  \
    names: {kind: Widget, plural: widgets}\n  versions:\n  \
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  \
    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n---\n";

fn labels(server: &str, documents: &str) -> String {
    let documents = documents
        .replace("autoscaling", "x.io")
        .replace("horizontalpodautoscalers", "widgets");
    let api_server = cluster_for(target(server), &(documents + WIDGETS), &[]);
    let widget = "{apiVersion: x.io/v2, kind: Widget, metadata: {name: s, namespace: a}}";
    let response = answer(&api_server, Some(widget), None);
    assert!(response.allowed, "{}", response.message);
    let object = response.object.unwrap();
    let metadata = object.as_map().unwrap().get_str("metadata").unwrap();
    let labels = metadata.as_map().unwrap().get_str("labels");
    labels.map_or_else(String::new, ToString::to_string)
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
/// dispatchInvocations, lastVersionedAttr.
#[test]
fn changes_of_another_version_of_a_custom_kind_are_lost() {
    let (v1, v2) = (
        scaler_policy("v1", &label("a")),
        scaler_policy("v2", &label("b")),
    );
    assert_eq!(labels("1.36", &v1), "{a: x}");
    assert_eq!(labels("1.36", &(v1.clone() + &v2)), "{b: x}");
    let again = v1.replace("Never", "IfNeeded");
    assert_eq!(labels("1.36", &(again + &v2)), "{b: x, a: x}");
    let skipped = v2.replace(
        "  mutations:",
        "  matchConditions: [{name: n, expression: 'false'}]\n  mutations:",
    );
    assert_eq!(labels("1.36", &(v1 + &skipped)), "{a: x}");
}

/// Returns the response with a mutating policy that has this mutation of secrets.
fn mutated(server: &str, mutation: &str, object: &str) -> String {
    let documents = scaler_policy("v1", mutation)
        .replace("apiGroups: [autoscaling]", "apiGroups: ['']")
        .replace("horizontalpodautoscalers", "pods")
        .replace("name: v1}", "name: p}")
        .replace("policyName: v1", "policyName: p");
    let api_server = cluster_for(target(server), &documents, &[]);
    let response = answer(&api_server, Some(object), None);
    match response.object {
        Some(object) => {
            let spec = object.as_map().unwrap().get_str("spec").unwrap();
            let containers = spec.as_map().unwrap().get_str("containers").unwrap();
            containers.as_list().unwrap().len().to_string()
        }
        None => response.message,
    }
}

#[test]
fn an_object_in_the_list_of_a_json_patch_panics_until_1_37() {
    let mutation = "{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'replace', \
        path: '/spec/containers', value: [Object.spec.containers{name: 'a', image: 'a'}, Object.spec.containers{name: 'b', image: 'b'}]}]\"}}";
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: {containers: [{name: a}]}}";
    let panics = mutated("1.36", mutation, pod);
    assert!(panics.contains("caused apiserver to panic"), "{panics}");
    assert_eq!(mutated("1.37", mutation, pod), "2");
}

#[test]
fn an_apply_configuration_fails_on_duplicates_until_1_35() {
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: {containers: \
        [{name: a, env: [{name: X, value: a}, {name: X, value: b}]}]}}";
    let refusal = mutated("1.34", &label("a"), pod);
    let words = "error applying patch: failed to convert original object to typed object: \
                 .spec.containers[name=\"a\"].env: duplicate entries for key [name=\"X\"]";
    assert!(refusal.ends_with(words), "{refusal}");
    assert_eq!(mutated("1.35", &label("a"), pod), "1");
}

/// Returns a definition with a property and a rule for the whole resource.
fn crd(property: &str, rule: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: ms.x.io}}\nspec:\n  group: x.io\n  scope: Cluster\n  \
         names: {{kind: M, plural: ms, singular: m, listKind: MList}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        \
         type: object\n        properties: {{{property}}}\n        \
         x-kubernetes-validations: [{{rule: \"{rule}\"}}]\n---\n"
    )
}

/// Upstream: kubernetes/apiserver, pkg/cel/common/values_test.go.
#[test]
fn a_set_equals_a_list_with_repeats_until_1_37() {
    let property = "s: {type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9}}";
    let documents = crd(property, "self.s != ['a', 'a']");
    let object = "{apiVersion: x.io/v1, kind: M, metadata: {name: m}, s: [a, b]}";
    let allowed = |server: &str| {
        let api_server = cluster_for(target(server), &documents, &[]);
        answer(&api_server, Some(object), None).allowed
    };
    assert!(!allowed("1.36"));
    assert!(allowed("1.37"));
}

/// Upstream: kubernetes/apiextensions-apiserver,
/// pkg/apis/apiextensions/validation/validation_test.go.
#[test]
fn a_name_in_a_rule_costs_little_from_1_37_on() {
    let rule = |name: &str| format!("self.metadata.{name}.contains(self.metadata.{name})");
    let errors = |server: &str, property: &str, name: &str| {
        let text = crd(property, &rule(name));
        let stream = Arc::new(yaml::parse(text.as_str().into()));
        let documents = recognize_for(&stream, target(server)).policies;
        let errors = policy::validation::validate(documents.first().unwrap());
        errors.into_iter().map(|it| it.detail).collect::<Vec<_>>()
    };
    for name in ["name", "generateName"] {
        let refused = errors("1.36", "", name).concat();
        assert!(refused.contains("exceeds budget"), "{refused}");
        assert_eq!(errors("1.37", "", name), Vec::<String>::new());
        assert_eq!(errors("1.35..1.37", "", name), Vec::<String>::new());
    }
    let long = "metadata: {type: object, properties: {name: {type: string, maxLength: 100000}}}";
    assert_eq!(errors("1.37", long, "name"), Vec::<String>::new());
}
