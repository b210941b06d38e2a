//! Mutations of requests.

use super::{SECRET, answer, cluster};
use expect_test::{Expect, expect};

/// A mutating policy with its binding. The mutations are apply configurations.
fn policy(name: &str, rest: &str, expressions: &[&str]) -> String {
    let mutations = expressions.iter().map(|expression| {
        format!(
            "  - {{patchType: ApplyConfiguration, applyConfiguration: {{expression: \"{expression}\"}}}}\n"
        )
    });
    let mutations: String = mutations.collect();
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
         metadata: {{name: {name}}}\nspec:\n  reinvocationPolicy: IfNeeded\n\
         \x20 matchConstraints:\n    resourceRules:\n    - {{apiGroups: [''], apiVersions: [v1], \
         operations: ['*'], resources: [secrets]}}\n{rest}\n  mutations:\n{mutations}---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\n\
         metadata: {{name: b-{name}}}\nspec: {{policyName: {name}}}\n---\n"
    )
}

#[track_caller]
fn check(documents: &str, object: Option<&str>, old: Option<&str>, expected: &Expect) {
    let response = answer(&cluster(documents, &[]), object, old);
    let object = response
        .object
        .map_or_else(String::new, |it| it.to_string());
    expected.assert_eq(&format!(
        "{} {} {}\n{object}",
        response.code, response.reason, response.message
    ));
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/plugin.go, NewPlugin.
#[test]
fn a_deletion_is_not_mutated() {
    let condition = "  matchConditions:\n  - {name: a, expression: object.type == 'b'}";
    check(
        &policy("m", condition, &["Object{}"]),
        None,
        Some(SECRET),
        &expect![[r#"
            200  
        "#]],
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go,
/// Dispatch, which is called once more.
#[test]
fn a_selector_is_asked_again_for_the_second_round() {
    let selector = "    objectSelector: {matchExpressions: [{key: done, operator: DoesNotExist}]}";
    let once = [
        "Object{metadata: Object.metadata{annotations: {'n': string(has(object.metadata.annotations))}, labels: {'done': 'yes'}}}",
    ];
    check(
        &policy("m", selector, &once),
        Some(SECRET),
        None,
        &expect![[r#"
            201  
            {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a, annotations: {n: false}, labels: {done: yes}}, type: Opaque}"#]],
    );
    check(
        &policy("m", "", &once),
        Some(SECRET),
        None,
        &expect![[r#"
            201  
            {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a, annotations: {n: true}, labels: {done: yes}}, type: Opaque}"#]],
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go,
/// PolicyError.Error.
#[test]
fn a_policy_without_its_kind_of_parameters_denies() {
    check(
        &policy(
            "m",
            "  paramKind: {apiVersion: v1, kind: Limits}",
            &["Object{}"],
        ),
        Some(SECRET),
        None,
        &expect![[r#"
            403 Forbidden policy "m" denied request: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Limits'
        "#]],
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/smd.go, Patch.
#[test]
fn an_expression_that_gives_null_is_refused() {
    check(
        &policy("m", "", &["has(object.data) ? Object{} : null"]),
        Some(SECRET),
        None,
        &expect![[r#"
            403 Invalid policy 'm' with binding 'b-m' denied request: unsupported return type from ApplyConfiguration expression: null_type
        "#]],
    );
}
