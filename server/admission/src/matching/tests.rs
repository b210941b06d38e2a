//! Which requests a policy matches.

use super::*;
use crate::{Inputs, Resources};
use cel::Value;
use cel::value::Key;
use expect_test::{Expect, expect};
use policy::recognize;
use std::sync::Arc;

fn map(fields: &[(&str, Value)]) -> Value {
    let entries = fields.iter();
    Value::Map(
        entries
            .map(|(key, value)| (Key::String((*key).into()), value.clone()))
            .collect(),
    )
}

fn object(api_version: &str, kind: &str, labels: &[(&str, &str)]) -> Value {
    let labels: Vec<_> = labels
        .iter()
        .map(|(key, value)| (*key, Value::string(*value)))
        .collect();
    map(&[
        ("apiVersion", Value::string(api_version)),
        ("kind", Value::string(kind)),
        (
            "metadata",
            map(&[("name", Value::string("web")), ("labels", map(&labels))]),
        ),
    ])
}

fn policy(constraints: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec:\n  matchConstraints:\n{constraints}"
    )
}

/// Returns why the policy does not match a creation, and the position of the reason.
fn answer(text: &str, inputs: Inputs) -> String {
    let recognition = recognize(&Arc::new(yaml::parse(text.into())));
    let document = recognition.policies.first().unwrap();
    let request = Request::new(inputs, &Resources::default()).unwrap();
    match matches(document, &request) {
        Ok(()) => "matches".to_owned(),
        Err(mismatch) => {
            let range = std::ops::Range::<usize>::from(mismatch.range);
            let place = text.get(range).unwrap().lines().next().unwrap();
            format!("{} @ {place}", mismatch.kind)
        }
    }
}

#[track_caller]
fn check(constraints: &str, object: Value, expected: &Expect) {
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    expected.assert_eq(&answer(&policy(constraints), inputs));
}

const DEPLOYMENTS: &str = "    resourceRules:\n    - apiGroups: [apps]\n      apiVersions: [v1]\n      operations: [CREATE]\n      resources: [deployments]\n";

#[test]
fn a_rule_names_group_version_operation_and_resource() {
    let deployment = || object("apps/v1", "Deployment", &[]);
    check(DEPLOYMENTS, deployment(), &expect!["matches"]);
    let everything = DEPLOYMENTS
        .replace("[apps]", "['*']")
        .replace("[v1]", "['*']")
        .replace("[CREATE]", "['*']")
        .replace("[deployments]", "['*/*']");
    check(&everything, object("v1", "Pod", &[]), &expect!["matches"]);
    for (from, to) in [
        ("[apps]", "['']"),
        ("[v1]", "[v2]"),
        ("[CREATE]", "[UPDATE]"),
        ("[deployments]", "[deployment]"),
        ("[deployments]", "[deployments/scale]"),
    ] {
        let inputs = Inputs {
            object: Some(deployment()),
            ..Inputs::default()
        };
        let answer = answer(&policy(&DEPLOYMENTS.replace(from, to)), inputs);
        let reason = "no rule matches CREATE of deployments (apps/v1) @ - apiGroups: ";
        assert!(answer.starts_with(reason), "{to}: {answer}");
    }
}

#[test]
fn a_name_and_a_scope_narrow_a_rule() {
    let deployment = || object("apps/v1", "Deployment", &[]);
    let with = |line: &str| format!("{DEPLOYMENTS}      {line}\n");
    check(
        &with("resourceNames: [web]"),
        deployment(),
        &expect!["matches"],
    );
    check(
        &with("scope: Namespaced"),
        deployment(),
        &expect!["matches"],
    );
    check(
        &with("scope: Cluster"),
        deployment(),
        &expect!["no rule matches CREATE of deployments (apps/v1) @ - apiGroups: [apps]"],
    );
    check(
        &with("resourceNames: [api]"),
        deployment(),
        &expect!["no rule matches CREATE of deployments (apps/v1) @ - apiGroups: [apps]"],
    );
}

#[test]
fn selectors_ask_for_labels() {
    let labeled = |labels| object("apps/v1", "Deployment", labels);
    let selector = format!(
        "{DEPLOYMENTS}    objectSelector:\n      matchLabels: {{app: web}}\n      matchExpressions:\n      - {{key: tier, operator: NotIn, values: [test]}}\n"
    );
    check(&selector, labeled(&[("app", "web")]), &expect!["matches"]);
    check(
        &selector,
        labeled(&[("app", "web"), ("tier", "test")]),
        &expect![
            "the labels of the object do not match `objectSelector` @ matchLabels: {app: web}"
        ],
    );
    check(
        &selector,
        labeled(&[]),
        &expect![
            "the labels of the object do not match `objectSelector` @ matchLabels: {app: web}"
        ],
    );
}

#[test]
fn a_namespace_is_only_asked_for_when_it_is_known() {
    let text = policy(&format!(
        "{DEPLOYMENTS}    namespaceSelector:\n      matchLabels: {{env: prod}}\n"
    ));
    let inputs = |namespace| Inputs {
        object: Some(object("apps/v1", "Deployment", &[])),
        namespace_object: namespace,
        ..Inputs::default()
    };
    assert_eq!(answer(&text, inputs(None)), "matches");
    let namespace = |env| Some(object("v1", "Namespace", &[("env", env)]));
    assert_eq!(answer(&text, inputs(namespace("prod"))), "matches");
    expect![
        "the labels of the namespace do not match `namespaceSelector` @ matchLabels: {env: prod}"
    ]
    .assert_eq(&answer(&text, inputs(namespace("test"))));
}

#[test]
fn the_name_of_a_namespace_is_a_label_that_is_always_known() {
    let name = "kubernetes.io/metadata.name";
    for (selector, expected) in [
        (format!("matchLabels: {{{name}: default}}"), "matches"),
        (
            format!("matchLabels: {{{name}: default, env: prod}}"),
            "matches",
        ),
        (format!("matchLabels: {{{name}: shop, env: prod}}"), "no"),
        (
            format!("matchExpressions: [{{key: {name}, operator: NotIn, values: [shop]}}]"),
            "matches",
        ),
        (
            format!("matchExpressions: [{{key: {name}, operator: NotIn, values: [default]}}]"),
            "no",
        ),
        (
            format!("matchExpressions: [{{key: {name}, operator: DoesNotExist}}]"),
            "no",
        ),
    ] {
        let text = policy(&format!(
            "{DEPLOYMENTS}    namespaceSelector:\n      {selector}\n"
        ));
        let inputs = Inputs {
            object: Some(object("apps/v1", "Deployment", &[])),
            ..Inputs::default()
        };
        let answer = answer(&text, inputs);
        assert_eq!(
            answer == "matches",
            expected == "matches",
            "{selector}: {answer}"
        );
    }
}

#[test]
fn an_exclusion_wins() {
    let excluded = format!(
        "{DEPLOYMENTS}    excludeResourceRules:\n    - apiGroups: ['*']\n      apiVersions: ['*']\n      operations: ['*']\n      resources: ['*']\n"
    );
    check(
        &excluded,
        object("apps/v1", "Deployment", &[]),
        &expect!["a rule excludes CREATE of deployments (apps/v1) @ apiGroups: ['*']"],
    );
}

#[test]
fn admission_does_not_look_at_itself() {
    let everything = DEPLOYMENTS
        .replace("[apps]", "['*']")
        .replace("[deployments]", "['*']");
    let kind = "ValidatingAdmissionPolicy";
    check(
        &everything,
        object("admissionregistration.k8s.io/v1", kind, &[]),
        &expect![
            "Kubernetes never evaluates policies for policies, bindings, and authentication and authorization reviews @ ValidatingAdmissionPolicy"
        ],
    );
    check(
        &everything,
        object("authentication.k8s.io/v1", "TokenReview", &[]),
        &expect![
            "Kubernetes never evaluates policies for policies, bindings, and authentication and authorization reviews @ ValidatingAdmissionPolicy"
        ],
    );
    let webhooks = object(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        &[],
    );
    check(&everything, webhooks, &expect!["matches"]);
}

#[test]
fn a_policy_without_rules_matches_nothing() {
    check(
        "    resourceRules: []\n",
        object("v1", "Pod", &[]),
        &expect!["the policy has no `matchConstraints.resourceRules` @ resourceRules: []"],
    );
}

#[test]
fn a_deletion_has_an_old_object_only() {
    let text = policy(&DEPLOYMENTS.replace("CREATE", "DELETE"));
    let inputs = Inputs {
        old_object: Some(object("apps/v1", "Deployment", &[])),
        ..Inputs::default()
    };
    assert_eq!(answer(&text, inputs), "matches");
}

/// Returns the answer to a stream or a change below an object.
fn below(
    constraints: &str,
    object: Value,
    (operation, plural, name): (Operation, &str, &str),
) -> String {
    let text = policy(constraints);
    let recognition = recognize(&Arc::new(yaml::parse(text.as_str().into())));
    let inputs = Inputs {
        object: Some(object),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, &Resources::default()).unwrap();
    request.operation = operation;
    request.resource.plural = plural.to_owned();
    request.subresource = name.to_owned();
    let found = matches(recognition.policies.first().unwrap(), &request);
    found.map_or_else(|why| why.kind.to_string(), |()| "matches".to_owned())
}

#[test]
fn what_stands_below_an_object_is_named_with_a_slash() {
    let options = || object("v1", "PodExecOptions", &[]);
    for (entry, expected) in [
        ("pods/exec", true),
        ("pods/*", true),
        ("'*/exec'", true),
        ("'*/*'", true),
        ("pods", false),
        ("'*'", false),
        ("pods/attach", false),
        ("services/*", false),
    ] {
        let rule = DEPLOYMENTS
            .replace("[apps]", "['']")
            .replace("[CREATE]", "[CONNECT]")
            .replace("[deployments]", &format!("[{entry}]"));
        let found = below(&rule, options(), (Operation::Connect, "pods", "exec"));
        assert_eq!(found == "matches", expected, "{entry}: {found}");
    }
}

#[test]
fn nothing_selects_the_options_of_a_stream() {
    let connect = |selector: &str| {
        let rule = DEPLOYMENTS
            .replace("[apps]", "['']")
            .replace("[CREATE]", "[CONNECT]")
            .replace("[deployments]", "[pods/exec]");
        let options = object("v1", "PodExecOptions", &[]);
        let constraints = format!("{rule}    objectSelector: {selector}\n");
        below(&constraints, options, (Operation::Connect, "pods", "exec"))
    };
    assert_eq!(connect("{}"), "matches");
    let absent = "{matchExpressions: [{key: a, operator: DoesNotExist}]}";
    assert_eq!(
        connect(absent),
        "the labels of the object do not match `objectSelector`"
    );
}

#[test]
fn the_first_rule_says_which_other_version_is_meant() {
    let rule = |version: &str| {
        format!(
            "    - apiGroups: [autoscaling]\n      apiVersions: [{version}]\n      operations: ['*']\n      resources: [horizontalpodautoscalers]\n"
        )
    };
    let kinds = Catalog::built_in(kubernetes::ServerVersion(25));
    let constraints = format!("    resourceRules:\n{}{}", rule("v2beta2"), rule("v1"));
    let text = policy(&constraints);
    let recognition = recognize(&Arc::new(yaml::parse(text.as_str().into())));
    let policy = recognition.policies.first().unwrap().policy().unwrap();
    let constraints = policy.match_constraints.as_deref();
    let inputs = Inputs {
        object: Some(object("autoscaling/v2", "HorizontalPodAutoscaler", &[])),
        ..Inputs::default()
    };
    let request = Request::new(inputs, &Resources::default()).unwrap();
    let found = match_resources(constraints, true, &request, &kinds).unwrap();
    assert_eq!(found.unwrap().version, "v2beta2");
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/predicates/object/matcher.go,
/// MatchObjectSelector.
#[test]
fn an_empty_selector_asks_for_no_object() {
    let constraints =
        format!("{DEPLOYMENTS}    objectSelector: {{}}\n").replace("CREATE", "CONNECT");
    let recognition = recognize(&Arc::new(yaml::parse(policy(&constraints).into())));
    let document = recognition.policies.first().unwrap();
    let inputs = Inputs {
        object: Some(object("apps/v1", "Deployment", &[])),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, &Resources::default()).unwrap();
    request.operation = Operation::Connect;
    request.inputs.object = None;
    assert_eq!(matches(document, &request), Ok(()));
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/plugin.go, NewPlugin.
#[test]
fn a_deletion_is_not_mutated() {
    let constraints = DEPLOYMENTS.replace("CREATE", "DELETE");
    let inputs = || Inputs {
        old_object: Some(object("apps/v1", "Deployment", &[])),
        ..Inputs::default()
    };
    let validating = policy(&constraints);
    assert_eq!(answer(&validating, inputs()), "matches");
    let mutating = validating.replace("Validating", "Mutating");
    expect!["mutating policies do not apply to DELETE requests @ MutatingAdmissionPolicy"]
        .assert_eq(&answer(&mutating, inputs()));
}
