//! Optional fields, and the outcome without them.

mod rules;

use crate::fixture::{
    Objects, apply, changes, check_diagnostics, crd, findings, fixed, outcome, policy, slice,
    validation,
};
use expect_test::expect;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 1, \
     template: {metadata: {}, spec: {containers: [{name: a, image: b}]}}}}";

#[test]
fn the_place_is_the_field() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: object.spec.paused == true
                             #^^^^^^ warning[unguarded-field]: `paused` is optional
    - expression: "object.spec.template.spec.containers.all(c, c.command == [\"\u00e9\"])"
                                                                #^^^^^^^ warning[unguarded-field]
    - expression: >-
        object.spec.replicas > 1 &&
        object.spec.template.spec.hostNetwork == false
                                 #^^^^^^^^^^^ warning[unguarded-field]
"#,
    ));
}

#[test]
fn another_part_can_decide_the_expression() {
    check_diagnostics(&policy(
        "
  variables:
    - name: paused
      expression: object.spec.paused
                             #^^^^^^ warning[unguarded-field]: the expression can fail at admission
  validations:
    - expression: object.spec.template.spec.hostNetwork || object.spec.replicas > 1
                                           #^^^^^^^^^^^ warning[unguarded-field]: the expression can fail at admission
    - expression: object.spec.replicas > 1 || object.spec.template.spec.hostPID
                                                                       #^^^^^^^ warning[unguarded-field]: the expression fails at admission
    - expression: object.spec.template.spec.containers.exists(c, c.command.size() == 1)
                                                                  #^^^^^^^ warning[unguarded-field]: the expression can fail at admission
    - expression: variables.paused && object.spec.replicas > 1
",
    ));
}

#[test]
fn what_is_guarded_or_always_there_is_silent() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - name: paused
      expression: has(object.spec.paused)
  variables:
    - name: containers
      expression: object.spec.template.spec.containers
  validations:
    - expression: object.spec.paused || object.spec.replicas > 1
    - expression: variables.containers.all(c, !has(c.command) || c.command.size() == 1)
    - expression: object.spec.?minReadySeconds.orValue(0) == 0
      messageExpression: \"string(object.spec.minReadySeconds)\"
",
    ));
}

#[test]
fn a_variable_is_found_where_it_is_defined() {
    let text = policy(
        "
  variables:
    - name: paused
      expression: object.spec.paused
  validations:
    - expression: variables.paused == true
    - expression: '!has(object.spec.paused) || variables.paused'
",
    );
    let found = findings(&text);
    let [found] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert_eq!(slice(&text, found.range), "paused");
    assert_eq!(slice(&text, found.related[0].range), "variables.paused");
}

#[test]
fn it_fails_at_admission_and_the_fixes_do_not() {
    for (expression, key) in [
        ("object.spec.paused == false", "paused"),
        (
            "object.spec.template.spec.containers.all(c, c.command.size() == 1)",
            "command",
        ),
        (
            "object.spec.template.spec.volumes.all(v, has(v.hostPath))",
            "volumes",
        ),
        (
            "object.spec.template.spec.dnsConfig.nameservers == []",
            "dnsConfig",
        ),
        ("object.metadata.labels['app'] == 'a'", "labels"),
        ("has(object.spec.template.metadata.labels.app)", "labels"),
    ] {
        let policy = validation("apps/v1/deployments", "CREATE", expression);
        let objects = Objects::created(DEPLOYMENT);
        assert_eq!(outcome(&policy, objects), format!("no such key: {key}"));
        for finding in findings(&policy) {
            for fix in &finding.fixes {
                let after = crate::fixture::apply(&policy, fix);
                let value = outcome(&after, objects);
                assert!(value == "true" || value == "false", "{value}\n{after}");
                assert!(findings(&after).is_empty(), "{after}");
            }
        }
    }
}

#[test]
fn a_fix_leaves_the_other_operands_to_decide() {
    let expression =
        "object.metadata.name == '' && object.spec.template.spec.volumes.all(v, v.name != '')";
    let policy = validation("apps/v1/deployments", "CREATE", expression);
    let objects = Objects::created(DEPLOYMENT);
    let found = findings(&policy);
    let fixes = found.iter().flat_map(|finding| &finding.fixes);
    let after: Vec<String> = fixes.map(|it| crate::fixture::apply(&policy, it)).collect();
    assert_eq!(after.len(), 3);
    for after in after {
        assert_eq!(outcome(&after, objects), "false", "{after}");
    }
}

#[test]
fn fixes_keep_the_style_of_the_scalar() {
    let text = policy("  validations:\n    - expression: object.spec.paused == true\n");
    expect![[r#"
        -    - expression: object.spec.paused == true
        +    - expression: has(object.spec.paused) && object.spec.paused == true
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unguarded-field")));
    let text = policy(
        "  validations:\n    - expression: |\n        object.spec.replicas > 1 &&\n        \
         object.spec.template.spec.volumes.all(v,\n          v.name != 'a')\n",
    );
    expect![[r#"
        -        object.spec.template.spec.volumes.all(v,
        +        object.spec.template.spec.?volumes.orValue([]).all(v,
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unguarded-field")));
}

#[test]
fn a_comparison_with_null_is_replaced_and_not_guarded() {
    let text = |expression: &str| validation("/v1/pods", "CREATE", expression);
    let check = |expression: &str, right: &str| {
        let before = text(expression);
        let found = findings(&before);
        let found = found
            .iter()
            .find(|it| it.code == "unguarded-field")
            .unwrap();
        assert_eq!(apply(&before, &found.fixes[0]), text(right));
        let titles = found.fixes.iter().map(|it| it.title.as_str());
        assert!(titles.clone().all(|it| !it.contains('…')), "{found:#?}");
        assert_eq!(titles.count(), 2);
    };
    check(
        "object.spec.containers.all(c, c.livenessProbe == null)",
        "object.spec.containers.all(c, !has(c.livenessProbe))",
    );
    check(
        "object.spec.affinity.nodeAffinity != null && true",
        "(has(object.spec.affinity) && has(object.spec.affinity.nodeAffinity)) && true",
    );
}

/// Returns the titles of the fixes for a field that may be missing.
fn titles(text: &str) -> Vec<String> {
    let found = findings(text);
    let mut found = found.into_iter();
    let finding = found.find(|it| it.code == "unguarded-field").unwrap();
    finding.fixes.iter().map(|it| it.title.clone()).collect()
}

/// The first fix is the likely intent: a missing list has no elements, and what a schema does not
/// require may be missing.
#[test]
fn a_title_says_what_happens_without_the_field() {
    let validation = |text: &str| {
        titles(&policy(&format!(
            "  validations: [{{expression: \"{text}\"}}]\n"
        )))
    };
    assert_eq!(
        validation("object.spec.template.spec.volumes.all(v, v.name != '')"),
        [
            "Treat a missing `volumes` as `[]`",
            "Deny if `volumes` is missing",
            "Allow if `volumes` is missing"
        ]
    );
    assert_eq!(
        validation("object.spec.paused && object.spec.replicas > 1"),
        [
            "Deny if `paused` is missing",
            "Count as `true` if `paused` is missing",
            "Treat a missing `paused` as `false`"
        ]
    );
    let rule = "
        properties:
          spec: {type: object, properties: {min: {type: integer}, max: {type: integer}}}
        x-kubernetes-validations: [{rule: 'has(self.spec) && self.spec.min > 1'}]
";
    assert_eq!(
        titles(&crd(rule))[..2],
        [
            "Count as `true` if `min` is missing",
            "Reject if `min` is missing"
        ]
    );
}
