//! Expressions that do not match the schema of a matched kind.

use crate::fixture::{
    Objects, changes, check_diagnostics, findings, fixed, outcome, policy, validation,
};
use expect_test::expect;

/// Returns a policy for these resources, each `group version resource`, with these fields.
fn policy_for(resources: &[&str], rest: &str) -> String {
    let mut rules = String::new();
    for resource in resources {
        let parts: Vec<&str> = resource.split(' ').collect();
        let [group, version, name] = parts[..] else {
            panic!("{resource}");
        };
        rules.push_str(&format!(
            "      - {{apiGroups: ['{group}'], apiVersions: ['{version}'], operations: [CREATE, UPDATE], resources: ['{name}']}}\n"
        ));
    }
    let whole = policy(rest);
    let (head, rest) = whole.split_once("      - {").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    format!("{head}{rules}{rest}")
}

#[test]
fn a_field_that_no_kind_has() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.spec.replicass <= 5
                             #^^^^^^^^^ warning[type-check]: Deployment has no field `spec.replicass`. Did you mean `replicas`?
    - expression: object.spec.template.spec.containers.all(c, c.imag != '')
                                                               #^^^^ warning[type-check]: `spec.template.spec.containers[].imag`
    - expression: has(object.metadata.label)
                                     #^^^^^ warning[type-check]: Did you mean `labels`?
    - expression: object.spec['replicass'] == 1
                 #^^^^^^^^^^^^^^^^^^^^^^^^ warning[type-check]: Deployment has no field `spec.replicass`
",
    ));
}

#[test]
fn types_that_never_fit() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.spec.replicas > '1'
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[type-check]: no overload matches `int > string`
    - expression: object.spec.replicas == '1'
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[type-check]: For Deployment, a value of type `int`
",
    ));
}

#[test]
fn one_error_is_reported_once_and_none_is_hidden() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: 1 == '😀'
                 #^^^^^^^^ error[no-matching-overload]
    - expression: object.spec.replicas > 1 + 'a'
                                        #^^^^^^^ error[no-matching-overload]
    - expression: object.spec.paused > 1
                 #^^^^^^^^^^^^^^^^^^^^^^ warning[type-check]: no overload matches `bool > int`
                             #^^^^^^ warning[unguarded-field]
",
    ));
}

#[test]
fn some_kinds_have_it() {
    check_diagnostics(&policy_for(
        &["apps v1 deployments", "apps v1 daemonsets"],
        "
  validations:
    - expression: object.spec.replicas <= 5
                             #^^^^^^^^ warning[type-check]: DaemonSet has no field `spec.replicas`.
",
    ));
}

#[test]
fn other_expressions_are_checked_too() {
    check_diagnostics(&policy_for(
        &[" v1 pods"],
        "
  matchConditions:
    - {name: a, expression: object.spec.nam == ''}
                                       #^^^ warning[type-check]: Pod has no field `spec.nam`.
  variables:
    - {name: all, expression: object.spec.container}
                                         #^^^^^^^^^ warning[type-check]: Did you mean `containers`?
  auditAnnotations:
    - {key: a, valueExpression: string(variables.all) + object.metadata.nam}
                                                                       #^^^ warning[type-check]: Did you mean `name`?
",
    ));
}

#[test]
fn the_nearest_is_offered() {
    let text = policy("  validations:\n    - expression: object.spec.replicass <= 5\n");
    expect![[r#"
        -    - expression: object.spec.replicass <= 5
        +    - expression: object.spec.replicas <= 5
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "type-check")));
}

#[test]
fn nothing_is_said_of_what_no_one_knows() {
    check_diagnostics(&policy_for(
        &["example.com v1 widgets"],
        "  validations:\n    - expression: object.spec.anything == 1\n",
    ));
    check_diagnostics(&policy_for(
        &["* * *"],
        "  validations:\n    - expression: object.spec.anything == 1\n",
    ));
}

#[test]
fn the_kinds_of_a_wildcard_count_together() {
    check_diagnostics(&policy_for(
        &["apps v1 *"],
        "
  validations:
    - expression: object.spec.replicas <= 5 && object.metadata.nam != ''
                                                              #^^^ warning[type-check]: Did you mean `name`?
",
    ));
}

#[test]
fn it_fails_or_says_nothing_at_admission() {
    let objects = Objects::created(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 3}}",
    );
    for (expression, at_admission) in [
        ("object.spec.replicass <= 5", "no such key: replicass"),
        ("object.spec.replicas > '1'", "no such overload"),
        ("object.spec.replicas.startsWith('1')", "no such overload"),
        // They are never equal, so the comparison has a constant result.
        ("object.spec.replicas == '3'", "false"),
    ] {
        let policy = validation("apps/v1/deployments", "CREATE", expression);
        assert_eq!(outcome(&policy, objects), at_admission, "{expression}");
        let codes: Vec<&str> = findings(&policy).iter().map(|it| it.code).collect();
        assert_eq!(codes, ["type-check"], "{expression}");
    }
}
