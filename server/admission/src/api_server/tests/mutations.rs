//! Mutations of requests.

use super::{SECRET, answer, api_server, read};
use crate::{Caveat, EvaluationLimits, Inputs, Operation, Request};
use expect_test::{Expect, expect};

/// Returns a mutating policy with its binding. The mutations are apply configurations.
fn policy(name: &str, rest: &str, expressions: &[&str]) -> String {
    let mutations: String = expressions.iter().map(|expression| {
        format!(
            "  - {{patchType: ApplyConfiguration, applyConfiguration: {{expression: \"{expression}\"}}}}\n"
        )
    }).collect();
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
    let response = answer(&api_server(documents, &[]), object, old);
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

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_source.go,
/// calculatePolicyData, which keeps the policies in a map.
#[test]
fn an_object_may_depend_on_the_order_of_policies() {
    let label = |name: &str, key: &str| {
        let fields =
            format!("Object{{metadata: Object.metadata{{labels: {{'{key}': '{name}'}}}}}}");
        policy(name, "", &[&fields])
    };
    let depends = |documents: &str| {
        let server = api_server(documents, &[]);
        let inputs = crate::Inputs {
            object: Some(super::read(SECRET)),
            ..crate::Inputs::default()
        };
        let request = crate::Request::new(inputs, server.resources()).unwrap();
        server.depends_on_order(&request, &crate::EvaluationLimits::default())
    };
    assert!(!depends(&(label("m", "a") + &label("o", "b"))));
    let same = |name: &str| label(name, "a").replace("IfNeeded", "Never");
    assert!(depends(&(same("m") + &same("o"))));
    assert!(!depends(&same("m")));
    let server = api_server(&(same("m") + &same("o")), &[]);
    let labels = [0, 1].map(|order| {
        let response = answer(&server.clone().in_order(order), Some(SECRET), None);
        response.object.unwrap().to_string()
    });
    assert!(labels[0].contains("labels: {a: o}"), "{}", labels[0]);
    assert!(labels[1].contains("labels: {a: m}"), "{}", labels[1]);
}

/// Upstream: cel-go, common/types/map.go, Iterator.
#[test]
fn a_response_may_depend_on_the_order_of_keys() {
    let secret = "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: a, labels: {a: x, b: y, c: z}}}";
    let depends = |expression: &str| {
        let fields =
            format!("Object{{metadata: Object.metadata{{annotations: {{'k': {expression}}}}}}}");
        let server = api_server(&policy("m", "", &[&fields]), &[]);
        let limits = crate::EvaluationLimits::default();
        let inputs = crate::Inputs {
            object: Some(super::read(secret)),
            ..crate::Inputs::default()
        };
        let request = crate::Request::new(inputs, server.resources()).unwrap();
        let response = server.admit(&request, &limits);
        assert!(response.allowed, "{}", response.message);
        server.depends_on_key_order(&request, &response, &limits)
    };
    for expression in [
        "map(k, k)[0]",
        "filter(k, k > '')[1]",
        "map(k, k).join(',')",
    ] {
        assert!(
            depends(&format!("object.metadata.labels.{expression}")),
            "{expression}"
        );
    }
    for expression in [
        "map(k, k).sort().join(',')",
        "filter(k, k == 'b')[0]",
        "map(k, 'x')[0]",
        "exists(k, k == 'a') ? 'x' : 'y'",
    ] {
        assert!(
            !depends(&format!("object.metadata.labels.{expression}")),
            "{expression}"
        );
    }
    assert!(!depends("['b', 'a'].map(k, k)[0]"));
}

#[test]
fn a_response_says_what_of_a_changed_object_is_not_validated() {
    let caveats = |condition: &str| {
        let condition = format!("  matchConditions: [{{name: a, expression: '{condition}'}}]");
        let server = api_server(&policy("m", &condition, &["Object{type: 'b'}"]), &[]);
        answer(&server, Some(SECRET), None).caveats
    };
    assert_eq!(caveats("true"), [Caveat::NotValidated("the total size")]);
    assert_eq!(caveats("false"), []);
}

#[test]
fn any_of_several_denials_is_reported() {
    let failing = |name: &str| policy(name, "", &["Object{bogus: 1}"]);
    let caveats = |documents: &str| answer(&api_server(documents, &[]), Some(SECRET), None).caveats;
    assert_eq!(caveats(&failing("m")), []);
    assert_eq!(
        caveats(&(failing("m") + &failing("o"))),
        [Caveat::AnyDenial]
    );
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/patch/smd.go,
/// ApplyStructuredMergeDiff.
#[test]
fn an_apply_configuration_needs_a_type_to_merge() {
    let everything = policy(
        "m",
        "",
        &["Object{metadata: Object.metadata{labels: {'a': 'b'}}}"],
    )
    .replace(
        "apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [secrets]",
        "apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']",
    );
    let patch = everything
        .replace("ApplyConfiguration", "JSONPatch")
        .replace("applyConfiguration", "jsonPatch")
        .replace(
            "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
            "[JSONPatch{op: 'test', path: '/kind', value: 'X'}]",
        );
    let message = |documents: &str, object: &str, operation: Operation| {
        let api_server = api_server(documents, &[]);
        let inputs = Inputs {
            object: Some(read(object)),
            ..Inputs::default()
        };
        let mut request = Request::new(inputs, api_server.resources()).unwrap();
        request.operation = operation;
        api_server
            .admit(&request, &EvaluationLimits::default())
            .message
    };
    let metadata = "metadata: {name: w, namespace: a}";
    for (api_version, kind, operation, words) in [
        (
            "autoscaling/v1",
            "Scale",
            Operation::Update,
            "autoscaling/v1, Kind=Scale",
        ),
        (
            "policy/v1",
            "Eviction",
            Operation::Create,
            "policy/v1, Kind=Eviction",
        ),
        (
            "authentication.k8s.io/v1",
            "TokenRequest",
            Operation::Create,
            "authentication.k8s.io/v1, Kind=TokenRequest",
        ),
        (
            "v1",
            "PodExecOptions",
            Operation::Connect,
            "/v1, Kind=PodExecOptions",
        ),
    ] {
        let object = format!("{{apiVersion: {api_version}, kind: {kind}, {metadata}}}");
        assert_eq!(
            message(&everything, &object, operation),
            format!(
                "policy 'm' with binding 'b-m' denied request: error applying patch: failed to \
                 convert patch object to typed object: no corresponding type for {words}"
            )
        );
        assert_eq!(message(&patch, &object, operation), "", "{kind}");
    }
    let binding = format!("{{apiVersion: v1, kind: Binding, {metadata}, target: {{name: n}}}}");
    assert_eq!(message(&everything, &binding, Operation::Create), "");
}
