//! Variables that are defined too late.

use crate::fixture::{
    changes, check_diagnostics, findings, fixed, report, untyped_policy as policy,
};
use expect_test::expect;

const LATE: &str = "
  variables:
    # Is there one too many?
    - name: tooMany
      expression: variables.replicas > variables.limit
    - name: other
      expression: '1'
    # What the author wants.
    - name: replicas
      expression: object.spec.replicas + variables.other
    - name: limit
      expression: |
        5
  validations:
    - expression: '!variables.tooMany'
";

#[test]
fn an_order_that_works_is_given() {
    let text = policy(LATE);
    expect![[r#"
        12:29-12:37 "replicas" Error[variable-order]: `replicas` is defined further down, and an expression can only use variables that are defined before it. A valid order: `other`, `replicas`, `limit`, `tooMany`.
          16:13-16:21 "replicas" `replicas` is defined here
          Kubernetes: undefined field 'replicas'
          fix: Move `replicas` up
        12:50-12:55 "limit" Error[variable-order]: `limit` is defined further down, and an expression can only use variables that are defined before it. A valid order: `other`, `replicas`, `limit`, `tooMany`.
          18:13-18:18 "limit" `limit` is defined here
          Kubernetes: undefined field 'limit'
          fix: Move `limit` up
    "#]].assert_eq(&report(&text));
}

#[test]
fn a_variable_moves_with_its_comment_and_with_what_it_needs() {
    let text = policy(LATE);
    let once = fixed(&text, "variable-order");
    expect![[r#"
        -    # Is there one too many?
        -    - name: tooMany
        -      expression: variables.replicas > variables.limit
        -    - name: other
        -      expression: '1'
        -    # What the author wants.
        -    - name: replicas
        -      expression: object.spec.replicas + variables.other
        +    - name: other
        +      expression: '1'
        +    # What the author wants.
        +    - name: replicas
        +      expression: object.spec.replicas + variables.other
        +    # Is there one too many?
        +    - name: tooMany
        +      expression: variables.replicas > variables.limit
    "#]]
    .assert_eq(&changes(&text, &once));
    let twice = fixed(&once, "variable-order");
    assert_eq!(findings(&twice), []);
}

#[test]
fn the_last_line_of_the_file_can_move() {
    let text = policy(
        "  validations:\n    - expression: variables.a == 1\n  variables:\n    - name: a\n      \
         expression: variables.b\n    - name: b\n      expression: '1'",
    );
    expect![[r#"
        -    - name: a
        -      expression: variables.b
        -    - name: b
        -      expression: '1'
        +    - name: b
        +      expression: '1'
        +    - name: a
        +      expression: variables.b
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "variable-order")));
    let text = text.replace('\n', "\r\n");
    let after = fixed(&text, "variable-order");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

#[test]
fn a_list_in_brackets_is_not_changed() {
    let text = policy(
        "  variables: [{name: a, expression: variables.b}, {name: b, expression: '1'}]\n  \
         validations: [{expression: variables.a == 1}]\n",
    );
    let found = findings(&text);
    assert_eq!((found.len(), found[0].fixes.len()), (1, 0));
}

#[test]
fn the_right_order_is_silent() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: '1'}
    - {name: b, expression: variables.a + 1}
    - {name: c, expression: variables.a + variables.b}
  validations:
    - expression: variables.c == 3
",
    ));
}
