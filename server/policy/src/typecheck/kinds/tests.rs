//! Warnings in the status of a policy, and those beyond it.

use super::*;
use crate::recognition::{Recognition, recognize};
use expect_test::{Expect, expect};

fn documents(text: &str) -> Recognition {
    recognize(&Arc::new(yaml::parse(text.into())))
}

fn catalog() -> Arc<Catalog> {
    Catalog::built_in(kubernetes::ServerVersion(36))
}

/// Returns a policy with these rules, each `groups versions resources`, and the rest of its spec.
fn policy(rules: &[&str], spec: &str) -> String {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: a}\nspec:\n  matchConstraints:\n    resourceRules:\n".to_owned();
    for rule in rules {
        let mut lists = rule.split(' ');
        let mut list = || lists.next().unwrap().replace("core", "''");
        text.push_str(&format!(
            "    - apiGroups: [{}]\n      apiVersions: [{}]\n      resources: [{}]\n      operations: ['*']\n",
            list().replace('*', "'*'"),
            list().replace('*', "'*'"),
            list().split(',').map(|name| format!("'{name}'")).collect::<Vec<_>>().join(","),
        ));
    }
    text + spec
}

fn kinds(rules: &[&str]) -> String {
    let documents = documents(&policy(rules, "  validations: [{expression: 'true'}]\n"));
    let checks = KindChecks::new(&documents.policies[0], &catalog());
    let mut out = String::new();
    for kind in checks.kinds() {
        out.push_str(&kind.name.to_string());
        for (flag, name) in [
            (kind.in_status, "status"),
            (kind.is_named, "named"),
            (kind.is_admitted, "admitted"),
        ] {
            if flag {
                out.push_str(&format!(" {name}"));
            }
        }
        if let Some(below) = &kind.subresource {
            out.push_str(&format!(" of {}/{below}", kind.resource));
        }
        out.push('\n');
    }
    if !checks.is_complete() {
        out.push_str("and more\n");
    }
    out
}

fn check_warnings(text: &str, expected: &Expect) {
    let documents = documents(text);
    let checks = KindChecks::new(&documents.policies[0], &catalog());
    let warnings = checks.warnings().iter();
    let shown: Vec<String> = warnings
        .map(|warning| format!("{}\n{}", warning.field_path, warning.text))
        .collect();
    expected.assert_eq(&shown.join("---\n"));
}

#[test]
fn the_checker_is_more_generous_than_admission() {
    expect![[r#"
        /v1, Kind=Pod status named
        apps/v1, Kind=Deployment status named admitted
        batch/v1, Kind=Job status named
    "#]]
    .assert_eq(
        &kinds(&[
            "core v1 Pods,pod",
            "apps v1 deployments,deployments/scale",
            "batch v1 job",
            "core v1 nothing",
        ])
        .replace(
            "autoscaling/v1, Kind=Scale named admitted of deployments/scale\n",
            "",
        ),
    );
}

#[test]
fn the_empty_group_is_any_to_the_checker() {
    expect![[r#"
        /v1, Kind=Event status named admitted
        apps/v1, Kind=Deployment status named
        events.k8s.io/v1, Kind=Event status named
    "#]]
    .assert_eq(&kinds(&["core v1 events,deployments"]));
}

#[test]
fn subresources_have_kinds_of_their_own() {
    expect![[r#"
        apps/v1, Kind=Deployment named admitted of deployments/status
        autoscaling/v1, Kind=Scale named admitted of deployments/scale
    "#]]
    .assert_eq(&kinds(&["apps v1 deployments/scale,deployments/status"]));
}

#[test]
fn wildcards_are_ours_only() {
    expect![[r#"
        apps/v1, Kind=ControllerRevision admitted
        apps/v1, Kind=DaemonSet admitted
        apps/v1, Kind=Deployment admitted
        apps/v1, Kind=ReplicaSet admitted
        apps/v1, Kind=StatefulSet admitted
    "#]]
    .assert_eq(&kinds(&["apps * *"]));
    assert!(kinds(&["* * *"]).ends_with("and more\n"));
}

#[test]
fn the_status_is_to_the_letter() {
    check_warnings(
        &policy(
            &["core v1 pods", "apps v1 deployments"],
            "  variables:
  - {name: count, expression: object.spec.replicas}
  validations:
  - messageExpression: \"'a' + variables.count\"
    expression: object.spec.replicas == 'a' && object.metadata.nam == ''
",
        ),
        &expect![[r#"
            spec.validations[0].expression
            /v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'replicas'
             | object.spec.replicas == 'a' && object.metadata.nam == ''
             | ...........^
            ERROR: <input>:1:47: undefined field 'nam'
             | object.spec.replicas == 'a' && object.metadata.nam == ''
             | ..............................................^

            apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_==_' applied to '(int, string)'
             | object.spec.replicas == 'a' && object.metadata.nam == ''
             | .....................^
            ERROR: <input>:1:47: undefined field 'nam'
             | object.spec.replicas == 'a' && object.metadata.nam == ''
             | ..............................................^
            ---
            spec.validations[0].messageExpression
            apps/v1, Kind=Deployment: ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'
             | 'a' + variables.count
             | ....^
        "#]],
    );
}

#[test]
fn the_status_knows_no_resource_of_the_request() {
    check_warnings(
        &policy(
            &["core v1 pods"],
            "  validations:\n  - expression: authorizer.requestResource.check('get').allowed()\n",
        ),
        &expect![[r#"
            spec.validations[0].expression
            /v1, Kind=Pod: ERROR: <input>:1:11: unexpected failed resolution of 'kubernetes.authorization.Authorizer'
             | authorizer.requestResource.check('get').allowed()
             | ..........^
        "#]],
    );
}

#[test]
fn params_of_the_kind_of_the_object_are_of_another_type() {
    check_warnings(
        &policy(
            &["core v1 configmaps"],
            "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:\n  - expression: object == params || object.data == params.data\n",
        ),
        &expect![[r#"
            spec.validations[0].expression
            /v1, Kind=ConfigMap: ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(ConfigMap, ConfigMap)'
             | object == params || object.data == params.data
             | .......^
        "#]],
    );
}

fn schema_of(expression: &str) -> String {
    let text = policy(
        &["apps v1 deployments"],
        "  variables:\n  - {name: cs, expression: object.spec.template.spec.containers}\n  validations:\n  - expression: \"@\"\n",
    );
    let documents = documents(&text.replace('@', expression));
    let checks = KindChecks::new(&documents.policies[0], &catalog());
    let expression = &documents.policies[0].expressions()[1];
    let checked = checks.checked(&checks.kinds()[0], expression).unwrap();
    let schema = checked.schema_of(expression.ast().root());
    schema.map_or("nothing".to_owned(), |schema| format!("{schema:?}"))
}

#[test]
fn a_node_stands_for_a_place_of_the_object() {
    let container = "io.k8s.api.core.v1.Container";
    assert_eq!(schema_of("object.spec.replicas"), "Integer");
    assert_eq!(schema_of("(object.spec.?replicas.orValue(1))"), "Integer");
    assert_eq!(schema_of("variables.cs[0]"), container);
    assert_eq!(
        schema_of("dyn(variables.cs).filter(c, c.name == '')[0]"),
        container
    );
    assert_eq!(schema_of("variables.cs.map(c, c)[0]"), container);
    assert_eq!(
        schema_of("variables.cs[0].resources.limits['cpu']"),
        "io.k8s.apimachinery.pkg.api.resource.Quantity"
    );
    assert_eq!(schema_of("{'a': variables.cs[0]}['a']"), container);
    assert_eq!(schema_of("[variables.cs].flatten()[0]"), container);
    assert_eq!(schema_of("object.metadata.labels['a']"), "String");
    assert_eq!(schema_of("object.spec.nothing"), "nothing");
    assert_eq!(schema_of("1 + object.spec.replicas"), "nothing");
}
