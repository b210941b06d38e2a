//! Expressions that do not match the schema of a matched kind.

use crate::fixture::{
    Objects, apply, changes, check_diagnostics, corrected, findings, fixed, outcome, policy,
    validation,
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
fn literals_and_strings_are_converted() {
    let after = |expression: &str| {
        let text = policy(&format!(
            "  validations:\n    - expression: |-\n        {expression}\n"
        ));
        let after = fixed(&text, "type-check");
        after.lines().last().unwrap().trim().to_owned()
    };
    for (before, expected) in [
        ("object.spec.replicas > '3'", "object.spec.replicas > 3"),
        ("'-3' != object.spec.replicas", "-3 != object.spec.replicas"),
        ("object.metadata.name == 3", "object.metadata.name == '3'"),
        (
            "object.metadata.name == true",
            "object.metadata.name == 'true'",
        ),
        ("object.metadata.name > 3", "int(object.metadata.name) > 3"),
        (
            "1.5 <= object.metadata.name",
            "1.5 <= double(object.metadata.name)",
        ),
        (
            "object.spec.replicas in ['1', '2']",
            "object.spec.replicas in [1, 2]",
        ),
        (
            "'1' in [object.spec.replicas]",
            "1 in [object.spec.replicas]",
        ),
        (
            "has(object.spec.paused) && object.spec.paused == 'true'",
            "has(object.spec.paused) && object.spec.paused == true",
        ),
        (
            "'at ' + object.spec.replicas == ''",
            "'at ' + string(object.spec.replicas) == ''",
        ),
    ] {
        assert_eq!(after(before), expected, "{before}");
    }
}

#[test]
fn a_comparison_with_null_becomes_a_test_for_a_field() {
    let text = |test: &str| policy(&format!("  validations:\n    - expression: {test}\n"));
    let before = text("object.spec.replicas != null");
    let found = findings(&before);
    let found = found.iter().find(|it| it.code == "type-check").unwrap();
    assert_eq!(
        found.message,
        "For Deployment, a value of type `int` is never `null`. To test whether a field exists, use `has()`."
    );
    let after: Vec<String> = found.fixes.iter().map(|it| apply(&before, it)).collect();
    let tests = [
        "has(object.spec.replicas)",
        "object.spec.?replicas.hasValue()",
    ];
    assert_eq!(after, tests.map(text));
    let found = findings(&text("size(object.metadata.name) == null"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].fixes, []);
}

#[test]
fn a_literal_that_is_no_number_stays() {
    for expression in [
        "object.spec.replicas > 'many'",
        "object.spec.replicas in ['1', 'many']",
    ] {
        let text = policy(&format!(
            "  validations:\n    - expression: |-\n        {expression}\n"
        ));
        let found = findings(&text);
        assert!(found.iter().all(|it| it.fixes.is_empty()), "{expression}");
        assert_eq!(found.len(), 1, "{expression}");
    }
}

#[test]
fn a_literal_that_fits_another_kind_stays() {
    let kinds = ["apps v1 deployments", "coordination.k8s.io v1 leases"];
    let text = policy_for(
        &kinds,
        "  validations:\n    - expression: object.spec.holderIdentity == 1\n",
    );
    let found = findings(&text);
    let found: Vec<_> = found.iter().filter(|it| it.code == "type-check").collect();
    assert!(found.iter().all(|it| it.fixes.is_empty()), "{found:?}");
    assert!(!found.is_empty());
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
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 3, \
         template: {spec: {containers: [{name: a, image: b}]}}}}",
    );
    for (expression, at_admission) in [
        ("object.spec.replicass <= 5", "no such key: replicass"),
        ("object.spec.replicas > '1'", "no such overload"),
        (
            "object.metadata.name && object.spec.replicas > 1",
            "no such overload",
        ),
        (
            "object.metadata.name ? true : object.spec.replicas > 1",
            "no such overload",
        ),
        (
            "object.spec.template.spec.containers.all(c, c.image)",
            "no such overload",
        ),
        (
            "object.spec.template.spec.containers.filter(c, c.image).size() > 0",
            "no such overload",
        ),
        ("object.spec.replicas.startsWith('1')", "no such overload"),
        (
            "'%d'.format([object.metadata.name]) == ''",
            "error during formatting: decimal clause can only be used on integers, was given string",
        ),
        // They are never equal, so the comparison has a constant result.
        ("object.spec.replicas == '3'", "false"),
    ] {
        let policy = validation("apps/v1/deployments", "CREATE", expression);
        assert_eq!(outcome(&policy, objects), at_admission, "{expression}");
        let codes: Vec<&str> = findings(&policy).iter().map(|it| it.code).collect();
        assert_eq!(codes, ["type-check"], "{expression}");
    }
}

#[test]
fn a_field_is_found_further_below() {
    for (before, expected) in [
        (
            "object.spec.containers.size() > 1",
            "object.spec.template.spec.containers.size() > 1",
        ),
        ("object.replicas > 1", "object.spec.replicas > 1"),
        ("object.name == 'a'", "object.metadata.name == 'a'"),
    ] {
        assert_eq!(corrected("type-check", before), expected);
    }
}

#[test]
fn the_fields_of_elements_need_a_macro() {
    let text = policy(
        "  validations:\n    - expression: object.spec.template.spec.containers.length > 1\n",
    );
    let found = findings(&text);
    assert!(
        found[0]
            .message
            .contains("a list has no field `length`. `size()` is its length"),
        "{found:#?}"
    );
}

#[test]
fn an_object_in_place_of_a_condition_is_named_by_its_field() {
    let text = validation(
        "/v1/pods",
        "CREATE",
        "object.spec.containers.all(c, c.livenessProbe)",
    );
    let found = findings(&text);
    let message = &found
        .iter()
        .find(|it| it.code == "type-check")
        .unwrap()
        .message;
    assert_eq!(
        message,
        "For Pod, expected a value of type `bool`, found the object `livenessProbe`."
    );
}
