//! Repeated conditions.

use crate::fixture::{changes, check_diagnostics, fixed, report, untyped_policy as policy};
use expect_test::expect;

#[test]
fn the_same_validation_twice() {
    let text = policy(
        "
  validations:
    - expression: object.spec.replicas >= 1
      message: one
    - expression: |-
        object.spec.replicas  >= // at least
          1
      message: two
",
    );
    expect![[r#"
        12:19-14:12 "|-\n        object.spec.replicas  >= // at least\n          1" Warning[repeated-condition]: Another validation in this list has the same expression. Remove one of them.
          10:19-10:44 "object.spec.replicas >= 1" first written here
          fix: Remove this validation
    "#]]
    .assert_eq(&report(&text));
    expect![[r#"
        -    - expression: |-
        -        object.spec.replicas  >= // at least
        -          1
        -      message: two
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "repeated-condition")));
}

#[test]
fn the_same_clause_twice() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - {name: a, expression: request.name != 'a'}
    - {name: b, expression: request.name != 'a'}
                           #^^^^^^^^^^^^^^^^^^^ warning[repeated-condition]: Another match condition
  validations:
    - expression: object.spec.replicas > 1 && (request.name == 'a' || (object.spec.replicas > 1))
",
    ));
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.a == 1 || object.b == 2 || object.a==1
                                                   #^^^^^^^^^^^ warning[repeated-condition]: This clause
    - expression: object.c.all(x, x.a == 1 && x.a == 1)
                                             #^^^^^^^^ warning[repeated-condition]
",
    ));
}

#[test]
fn what_differs_is_silent() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: object.spec}
    - {name: b, expression: object.spec}
  validations:
    - expression: object.a == 1 && object.b == 1
    - expression: object.a == 1 || object.b == 1
    - expression: object.a.exists(x, x.k == 1) && object.b.exists(x, x.k == 1)
    - expression: variables.a == variables.b
",
    ));
}
