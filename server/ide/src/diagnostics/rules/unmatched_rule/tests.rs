//! Rules that name existing resources but match no request.

use crate::fixture::{findings, fixed, matched, report, validation};
use expect_test::expect;

fn policy(name: &str, constraints: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: {name}}}
spec:
  matchConstraints:
{constraints}
  validations:
  - expression: has(object.metadata)
"
    )
}

fn rule(group: &str, operations: &str, resources: &str, more: &str) -> String {
    let rule = format!(
        "    resourceRules:\n    - {{apiGroups: ['{group}'], apiVersions: [v1], operations: \
         [{operations}], resources: [{resources}]{more}}}"
    );
    policy("demo", &rule)
}

/// Returns whether the policy matches the creation of an object.
fn takes(text: &str, object: &str) -> bool {
    matched(text, object).is_ok()
}

#[test]
fn a_connection_is_not_created() {
    let text = rule("", "CREATE", "pods/exec", "");
    expect![[r#"
        7:78-7:87 "pods/exec" Warning[unmatched-rule]: `pods/exec` matches nothing: its only operation is `CONNECT`.
          fix: Change `CREATE` to `CONNECT`
    "#]]
    .assert_eq(&report(&text));
    assert_eq!(report(&fixed(&text, "unmatched-rule")), "");
    let several = report(&rule("", "CREATE, UPDATE", "pods, pods/exec", ""));
    assert!(several.contains("`pods/exec` matches nothing"), "{several}");
    assert!(!several.contains("`pods` matches nothing"), "{several}");
    let connect = report(&rule("", "CONNECT", "pods", ""));
    assert!(
        connect.contains("its operations are `CREATE`, `DELETE`, `UPDATE`"),
        "{connect}"
    );
}

#[test]
fn a_subresource_has_few_operations() {
    let text = rule("apps", "CREATE", "deployments/scale", "");
    assert!(report(&text).contains("its only operation is `UPDATE`"));
    let text = rule("", "DELETE", "pods/eviction", "");
    assert!(report(&text).contains("its only operation is `CREATE`"));
    let text = rule("", "'*'", "pods/log", "");
    assert!(report(&text).contains("it can only be read"));
}

#[test]
fn a_scope_is_that_of_the_resource() {
    let text = rule("", "CREATE", "nodes", ", scope: Namespaced");
    expect![[r#"
        7:78-7:83 "nodes" Warning[unmatched-rule]: `nodes` matches nothing: it is cluster-scoped, but the scope of the rule is `Namespaced`.
          7:93-7:103 "Namespaced" the scope of the rule
          fix: Change the scope to `Cluster`
    "#]]
    .assert_eq(&report(&text));
    let node = "{apiVersion: v1, kind: Node, metadata: {name: a}}";
    assert!(!takes(&text, node));
    assert!(takes(&fixed(&text, "unmatched-rule"), node));
    let text = rule("", "CREATE", "configmaps, namespaces", ", scope: Cluster");
    assert!(report(&text).contains("`configmaps` matches nothing: it is namespaced"));
    assert!(!takes(
        &text,
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
    ));
}

#[test]
fn policies_do_not_see_policies_and_reviews() {
    let group = "admissionregistration.k8s.io";
    let text = rule(group, "CREATE", "validatingadmissionpolicies", "");
    assert!(report(&text).contains("the configuration of admission itself"));
    let object = "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, \
                  metadata: {name: a}}";
    assert!(!takes(&text, object));
    let text = text.replace("name: demo", "name: demo.static.k8s.io");
    assert!(!report(&text).contains("unmatched-rule"));
    let text = rule(group, "CREATE", "validatingwebhookconfigurations", "");
    assert_eq!(report(&text), "");
    let text = rule("authentication.k8s.io", "CREATE", "tokenreviews", "");
    assert!(report(&text).contains("authentication and authorization reviews"));
}

#[test]
fn webhooks_do_not_see_webhooks() {
    let webhook = |group: &str, resource: &str| {
        format!(
            "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {{name: demo}}
webhooks:
- name: a.example.com
  clientConfig: {{url: https://a.example.com/}}
  sideEffects: None
  admissionReviewVersions: [v1]
  rules:
  - {{apiGroups: ['{group}'], apiVersions: [v1], operations: [CREATE], resources: [{resource}]}}
"
        )
    };
    let text = webhook(
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations",
    );
    assert!(report(&text).contains("the configuration of admission itself"));
    assert_eq!(
        report(&webhook("authentication.k8s.io", "tokenreviews")),
        ""
    );
}

#[test]
fn an_exclusion_can_take_everything() {
    let constraints = "    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
    excludeResourceRules:
    - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}";
    let text = policy("demo", constraints);
    let object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
    assert!(
        report(&text).contains("The policy matches nothing"),
        "{}",
        report(&text)
    );
    assert!(!takes(&text, object));
    for narrow in [
        text.replace("resources: ['*']", "resources: ['*'], resourceNames: [a]"),
        text.replace("operations: ['*']", "operations: [UPDATE]"),
        text.replace(
            "resources: [configmaps]",
            "resources: [configmaps, '*/status']",
        ),
    ] {
        assert_eq!(report(&narrow), "");
    }
}

#[test]
fn a_connection_has_no_labels() {
    let constraints = "    objectSelector: {matchLabels: {a: b}}
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CONNECT], resources: [pods/exec]}";
    let text = policy("demo", constraints);
    assert!(report(&text).contains("its requests have no labels"));
    assert_eq!(report(&text.replace("{matchLabels: {a: b}}", "{}")), "");
}

#[test]
fn what_can_match_is_silent() {
    for (group, operations, resources, more) in [
        (
            "",
            "CREATE, UPDATE",
            "pods, pods/status, pods/ephemeralcontainers",
            "",
        ),
        ("", "CONNECT", "pods/exec, pods/attach, nodes/proxy", ""),
        ("", "'*'", "'*/*'", ", scope: Namespaced"),
        (
            "",
            "CREATE",
            "bindings, pods/eviction, serviceaccounts/token",
            "",
        ),
        ("example.com", "CONNECT", "widgets", ", scope: Cluster"),
        (
            "",
            "UPDATE",
            "namespaces/finalize, nodes",
            ", scope: Cluster",
        ),
        ("apps", "UPDATE", "'*/scale', deployments/*", ""),
    ] {
        let text = rule(group, operations, resources, more);
        assert_eq!(report(&text), "");
    }
}

#[test]
fn an_operation_that_does_not_exist_is_reported_once() {
    let text = validation("apps/v1/deployments", "update", "object.spec.paused");
    let codes: Vec<&str> = findings(&text).iter().map(|it| it.code).collect();
    assert!(!codes.contains(&"unmatched-rule"), "{codes:?}");
}
