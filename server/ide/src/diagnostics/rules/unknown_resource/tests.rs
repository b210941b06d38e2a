//! Names in match rules that no server has.

use crate::fixture::{changes, check_project, findings, fixed, matched, render, report};
use admission::matching::MismatchKind;
use expect_test::expect;

/// Returns a policy with one rule.
fn rule(rule: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  matchConstraints:
    resourceRules:
    - {rule}
  validations:
  - expression: has(object.metadata)
"
    )
}

fn of(groups: &str, versions: &str, resources: &str) -> String {
    rule(&format!(
        "{{apiGroups: [{groups}], apiVersions: [{versions}], operations: [CREATE, UPDATE], \
         resources: [{resources}]}}"
    ))
}

/// Returns whether the policy matches the creation of an object.
fn takes(text: &str, object: &str) -> bool {
    let matched = matched(text, object);
    assert!(matches!(matched, Ok(()) | Err(MismatchKind::Rules { .. })));
    matched.is_ok()
}

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}";

#[test]
fn a_kind_is_no_resource() {
    let text = of("apps", "v1", "Deployment");
    expect![[r#"
        7:88-7:98 "Deployment" Warning[unknown-resource]: `Deployment` matches nothing: the resource of the kind `Deployment` is `deployments`.
          fix: Change to `deployments`
    "#]]
    .assert_eq(&report(&text));
    assert!(!takes(&text, DEPLOYMENT));
    let text = fixed(&text, "unknown-resource");
    assert!(takes(&text, DEPLOYMENT));
}

#[test]
fn a_singular_or_a_short_name_is_no_resource() {
    for name in ["deployment", "deploy", "DEPLOYMENTS", "Deployments"] {
        let text = of("apps", "v1", name);
        assert!(!takes(&text, DEPLOYMENT));
        let text = fixed(&text, "unknown-resource");
        assert!(takes(&text, DEPLOYMENT), "{text}");
        assert_eq!(report(&text), "");
    }
}

#[test]
fn a_resource_is_in_its_group() {
    let text = of("''", "v1", "deployments");
    expect![[r#"
        7:86-7:97 "deployments" Warning[unknown-resource]: `deployments` matches nothing: it is in the API group `apps`.
          fix: Change to `apps`
    "#]]
    .assert_eq(&report(&text));
    assert!(!takes(&text, DEPLOYMENT));
    assert!(takes(&fixed(&text, "unknown-resource"), DEPLOYMENT));
    let text = of("''", "v1", "Ingress");
    expect![[r#"
        -    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [Ingress]}
        +    - {apiGroups: ['networking.k8s.io'], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [ingresses]}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-resource")));
}

#[test]
fn a_group_that_is_gone_is_the_one_of_the_resources() {
    let text = of("extensions", "v1", "ingresses");
    let fixed = fixed(&text, "unknown-resource");
    assert!(fixed.contains("apiGroups: [networking.k8s.io]"), "{fixed}");
    for (group, resources) in [("extensions", "ingresses, pods"), ("extensions", "widgets")] {
        let found = findings(&of(group, "v1", resources));
        let group = found.iter().find(|it| it.message.contains("API group"));
        assert!(group.unwrap().fixes.is_empty(), "{resources}");
    }
}

#[test]
fn a_version_belongs_to_the_resource() {
    let text = of("apps", "v1beta1", "deployments");
    expect![[r#"
        7:93-7:104 "deployments" Warning[unknown-resource]: `deployments` matches nothing: `apps` serves it in version `v1`.
          fix: Change to `v1`
    "#]]
    .assert_eq(&report(&text));
    assert!(!takes(&text, DEPLOYMENT));
    assert!(takes(&fixed(&text, "unknown-resource"), DEPLOYMENT));
}

#[test]
fn a_group_has_no_version() {
    for (group, version) in [("apps/v1", "v1"), ("apps", "apps/v1"), ("apps", "V1")] {
        let text = of(group, version, "deployments");
        assert!(!takes(&text, DEPLOYMENT));
        let text = fixed(&text, "unknown-resource");
        assert!(takes(&text, DEPLOYMENT), "{text}");
    }
}

#[test]
fn groups_have_whole_names() {
    for (wrong, right, resource) in [
        ("core", "\"\"", "pods"),
        ("core/v1", "\"\"", "pods"),
        ("networking", "networking.k8s.io", "ingresses"),
        ("rbac", "rbac.authorization.k8s.io", "roles"),
        ("app", "apps", "deployments"),
        ("network.k8s.io", "networking.k8s.io", "ingresses"),
    ] {
        let text = of(wrong, "v1", resource);
        let after = fixed(&text, "unknown-resource");
        assert_eq!(after, of(right, "v1", resource), "{}", report(&text));
    }
    assert!(report(&of("nonsense", "v1", "pods")).contains("There is no API group `nonsense`"));
}

#[test]
fn subresources_stand_behind_their_resource() {
    let text = of("''", "v1", "pods/logs");
    expect![[r#"
        7:86-7:95 "pods/logs" Warning[unknown-resource]: `pods/logs` matches nothing: the subresources of `pods` are `attach`, `binding`, `ephemeralcontainers`, `eviction`, `exec`, `log`, `portforward`, `proxy`, `resize`, `status`.
          fix: Change to `pods/log`
    "#]]
    .assert_eq(&report(&text));
    for (wrong, right) in [
        ("eviction", "pods/eviction"),
        ("pod/eviction", "pods/eviction"),
    ] {
        let after = fixed(&of("''", "v1", wrong), "unknown-resource");
        assert_eq!(after, of("''", "v1", right));
    }
    assert!(
        report(&of("''", "v1", "configmaps/status")).contains("`configmaps` has no subresources")
    );
    assert!(report(&of("apps", "v1", "'*/scales'")).contains("fix: Change to `*/scale`"));
}

#[test]
fn what_is_gone_or_mistyped_is_said() {
    let gone = report(&of("policy", "v1beta1", "podsecuritypolicies"));
    assert!(gone.contains("matches nothing"), "{gone}");
    let typo = fixed(&of("''", "v1", "configmap-s"), "unknown-resource");
    assert_eq!(typo, of("''", "v1", "configmaps"));
}

#[test]
fn the_cluster_may_have_definitions_that_the_project_lacks() {
    const CRD: &str = "\
//- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.rules.example.com}
spec:
  group: rules.example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";
    for (resource, label) in [
        (
            "quotas",
            "#^^^^^^ information[unknown-resource]: may match nothing",
        ),
        (
            "limitz",
            "#^^^^^^ warning[unknown-resource]: may match nothing",
        ),
        ("limits", ""),
    ] {
        let policy = rule(&format!(
            "operations: [CREATE]\n      apiVersions: [v1]\n      apiGroups: [rules.example.com]\n\
             \x20     resources:\n      - {resource}\n       {label}"
        ));
        check_project(&format!("{CRD}//- a.yaml\n{policy}"));
    }
}

#[test]
fn rules_of_webhooks_and_bindings_are_read() {
    let text = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: demo
  validationActions: [Deny]
  matchResources:
    excludeResourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [Pod]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: demo}
webhooks:
- name: a.example.com
  clientConfig: {url: https://a.example.com/}
  sideEffects: None
  admissionReviewVersions: [v1]
  rules:
  - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [Pod]}
";
    let found = findings(text);
    assert_eq!(found.len(), 2, "{}", render(text, &found));
    assert!(found.iter().all(|found| found.code == "unknown-resource"));
}

#[test]
fn what_can_match_is_silent() {
    for (groups, versions, resources) in [
        ("'*'", "'*'", "'*'"),
        ("'*'", "v1", "deployments, pods/*, '*/status'"),
        ("'*'", "'*'", "widgets"),
        (
            "'', apps, batch",
            "v1, v1beta1",
            "pods, deployments, cronjobs",
        ),
        ("apps, extensions", "v1, v1beta1", "deployments"),
        ("example.com", "v1", "widgets, widgets/status"),
        ("gateway.networking.k8s.io", "v1", "gateways"),
        ("'', example.com", "v1", "pods, widgets"),
        ("apps", "v1", "deployments/scale, '*/scale'"),
        ("events.k8s.io, ''", "v1", "events"),
    ] {
        let text = of(groups, versions, resources);
        let found = findings(&text);
        assert!(found.is_empty(), "{}", render(&text, &found));
    }
}

#[test]
fn places_are_those_of_the_words() {
    let text = of("\"apps\"", "v1", "'deploy\u{6d}ent'").replace('\n', "\r\n");
    let found = findings(&text);
    assert_eq!(found.len(), 1);
    assert!(fixed(&text, "unknown-resource").contains("'deployments'"));
}
