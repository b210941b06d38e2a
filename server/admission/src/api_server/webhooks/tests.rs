//! The webhooks that are called, and the reasons why others are not.

use super::*;
use crate::{Inputs, Resources};
use expect_test::{Expect, expect};
use kubernetes::ServerVersion;
use kubernetes::object;
use kubernetes::openapi::Catalog;
use policy::recognize;

/// Returns the webhooks of a configuration of that kind, each with a rule for deployments in `v1`.
fn configuration(kind: &str, webhooks: &[(&str, &str)]) -> String {
    let mut text = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: {kind}\nmetadata: {{name: guard}}\nwebhooks:\n"
    );
    for (name, rest) in webhooks {
        text.push_str(&format!(
            "- name: {name}\n  rules: [{{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}]\n{rest}"
        ));
    }
    text
}

fn shown(document: &PolicyDocument, call: &WebhookCall) -> String {
    let text = |index: &usize| document.expressions()[*index].text();
    let became = match &call.called {
        Called::Yes => {
            let object = call.request.inputs.object.as_ref().unwrap();
            let version = object.as_map().unwrap().get_str("apiVersion").unwrap();
            format!("called with {version}")
        }
        Called::Mismatch(it) => it.kind.to_string(),
        Called::No(condition) => format!("{} is false", text(condition)),
        Called::Ignored(words) => format!("ignored: {words}"),
        Called::Denied(response) => format!("{} {}", response.code, response.message),
    };
    let (name, cost) = (&call.name, call.cost);
    let failing: Vec<&str> = call.failing.iter().map(text).collect();
    format!("{name} (cost {cost}, failing {failing:?}): {became}")
}

/// Checks the outcome of each webhook for a creation.
#[track_caller]
fn check(configuration: &str, created: &str, expected: &Expect) {
    let read = |text: &str| {
        let stream = yaml::parse(text.into());
        object(stream.documents().next().unwrap().root().unwrap()).unwrap()
    };
    let recognition = recognize(&Arc::new(yaml::parse(configuration.into())));
    let document = recognition.policies.first().unwrap();
    let mut api_server = ApiServer::new(Catalog::built_in(ServerVersion(36)), Resources::default());
    api_server.add_object(read(
        "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}",
    ));
    let inputs = Inputs {
        object: Some(read(created)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, api_server.resources()).unwrap();
    let compiled = CompiledPolicy::new(document);
    let calls = api_server.call(document, &compiled, &request, &EvaluationLimits::default());
    let lines = calls.iter().map(|call| shown(document, call));
    expected.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
}

const WEB: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {a: '1'}}}";

fn conditions(all: &[&str]) -> String {
    let mut text = "  matchConditions:\n".to_owned();
    for (place, expression) in all.iter().enumerate() {
        text.push_str(&format!(
            "  - {{name: c{place}, expression: \"{expression}\"}}\n"
        ));
    }
    text
}

#[test]
fn a_webhook_is_called_unless_a_condition_is_false() {
    let holds = conditions(&[
        "object.metadata.name == 'web'",
        "request.operation == 'CREATE'",
    ]);
    let fails = conditions(&["object.spec.x == 1", "object.metadata.name == 'other'"]);
    check(
        &configuration(
            "ValidatingWebhookConfiguration",
            &[("a.x.io", ""), ("b.x.io", &holds), ("c.x.io", &fails)],
        ),
        WEB,
        &expect![[r#"
            a.x.io (cost 0, failing []): called with apps/v1
            b.x.io (cost 7, failing []): called with apps/v1
            c.x.io (cost 7, failing ["object.spec.x == 1"]): object.metadata.name == 'other' is false"#]],
    );
}

#[test]
fn a_condition_that_fails_denies_unless_it_is_ignored() {
    let fails = conditions(&["object.spec.x == 1", "'🦊' != ''"]);
    let ignores = format!("  failurePolicy: Ignore\n{fails}");
    check(
        &configuration(
            "MutatingWebhookConfiguration",
            &[("a.x.io", &fails), ("b.x.io", &ignores)],
        ),
        WEB,
        &expect![[r#"
            a.x.io (cost 3, failing ["object.spec.x == 1"]): 403 deployments.apps "web" is forbidden: expression 'object.spec.x == 1' resulted in error: no such key: spec
            b.x.io (cost 3, failing ["object.spec.x == 1"]): ignored: expression 'object.spec.x == 1' resulted in error: no such key: spec"#]],
    );
}

#[test]
fn rules_and_selectors_leave_requests_out() {
    check(
        &configuration(
            "ValidatingWebhookConfiguration",
            &[
                ("a.x.io", "  objectSelector: {matchLabels: {a: '2'}}\n"),
                ("b.x.io", "  namespaceSelector: {matchLabels: {team: b}}\n"),
                ("c.x.io", "  namespaceSelector: {matchLabels: {team: a}}\n"),
            ],
        ),
        WEB,
        &expect![[r#"
            a.x.io (cost 0, failing []): the labels of the object do not match `objectSelector`
            b.x.io (cost 0, failing []): the labels of the namespace do not match `namespaceSelector`
            c.x.io (cost 0, failing []): called with apps/v1"#]],
    );
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: web}}";
    let one = configuration("ValidatingWebhookConfiguration", &[("a.x.io", "")]);
    check(
        &one,
        pod,
        &expect!["a.x.io (cost 0, failing []): no rule matches CREATE of pods (v1)"],
    );
    // Another version of the kind is the same resource, unless the match policy is exact.
    let beta = configuration(
        "ValidatingWebhookConfiguration",
        &[("a.x.io", ""), ("b.x.io", "  matchPolicy: Exact\n")],
    )
    .replace(
        "apiGroups: [apps], apiVersions: [v1]",
        "apiGroups: [autoscaling], apiVersions: [v1]",
    )
    .replace("deployments", "horizontalpodautoscalers");
    check(
        &beta,
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}}",
        &expect![[r#"
            a.x.io (cost 0, failing []): called with autoscaling/v1
            b.x.io (cost 0, failing []): no rule matches CREATE of horizontalpodautoscalers (autoscaling/v2)"#]],
    );
}

#[test]
fn no_webhook_is_called_about_admission_itself() {
    let everything = configuration("ValidatingWebhookConfiguration", &[("a.x.io", "")])
        .replace("[apps]", "['*']")
        .replace("[deployments]", "['*']");
    for kind in [
        "ValidatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
    ] {
        check(
            &everything,
            &format!(
                "{{apiVersion: admissionregistration.k8s.io/v1, kind: {kind}, metadata: {{name: a}}}}"
            ),
            &expect![[
                r#"a.x.io (cost 0, failing []): Kubernetes never calls webhooks for policies, bindings and webhook configurations"#
            ]],
        );
    }
}
