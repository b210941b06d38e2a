//! Variables that are not defined.

use crate::fixture::{
    changes, check_diagnostics, check_places, findings, fixed, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn the_name_is_the_place() {
    check_places(&policy(
        r#"
  variables:
    - {name: replicas, expression: object.spec.replicas}
  validations:
    - expression: variables.replica > 0
                           #^^^^^^^ error[undefined-variable]: Did you mean `replicas`?
      messageExpression: "'\u00e9' + string(variables.other) + string(variables.replicas)"
                                                     #^^^^^ error[undefined-variable]: Define it
    - expression: >-
        variables.replicas > 0 &&
        has(variables.replicsa)
                     #^^^^^^^^ error[undefined-variable]
  auditAnnotations:
    - {key: a, valueExpression: 'variables.?replicaz.orValue("x")'}
                                           #^^^^^^^^ error[undefined-variable]
"#,
    ));
}

#[test]
fn other_things_called_variables_are_left_alone() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: '[{\"b\": 1}]'}
  validations:
    - expression: variables.a.all(variables, variables.b == 1) && object.variables.c
    - expression: object.list.map(x, variables.a).size() > variables.a[0].zzz
",
    ));
}

#[test]
fn the_nearest_name_is_offered() {
    let text = policy(
        "  variables: [{name: replicas, expression: '1'}]\n  validations:\n    - expression: >-\n        \
         variables.replicas > 0 &&\n        variables.repilcas == 1\n",
    );
    expect![[r#"
        -        variables.repilcas == 1
        +        variables.replicas == 1
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "undefined-variable")));
}

#[test]
fn name_that_is_no_identifier_is_not_suggested() {
    let text = policy(
        "  variables:\n  - {name: replic😀, expression: '1'}\n  validations:\n  - expression: variables.replica > 0\n",
    );
    let found = findings(&text);
    let found = found
        .iter()
        .find(|it| it.code == "undefined-variable")
        .unwrap();
    assert_eq!(found.fixes, []);
    assert!(!found.message.contains("Did you mean"), "{}", found.message);
}
