//! Cycles of variables.

use crate::fixture::{check_diagnostics, report, untyped_policy as policy};
use expect_test::expect;

#[test]
fn the_way_round_is_shown() {
    let text = policy(
        "  variables:\n    - {name: a, expression: variables.b}\n    - {name: b, expression: \
         variables.c}\n    - {name: c, expression: 'variables.a + variables.a'}\n  validations:\n    - \
         expression: variables.a == 1\n",
    );
    expect![[r#"
        10:39-10:40 "b" Error[variable-cycle]: Variables refer to each other in a cycle: `a → b → c → a`. Change one of them.
          11:39-11:40 "c" `b` uses `c`
          12:40-12:41 "a" `c` uses `a`
          Kubernetes: undefined field 'b'
    "#]].assert_eq(&report(&text));
}

#[test]
fn a_variable_can_need_itself() {
    check_diagnostics(&policy(
        "
  variables:
    - name: a
      expression: \"1 + variables.a\"
                                #^ error[variable-cycle]: The variable `a` refers to itself
  validations:
    - expression: variables.a == 1
",
    ));
}

#[test]
fn two_circles_are_two_findings_and_no_question_of_order() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: variables.b}
                                     #^ error[variable-cycle]: `a → b → a`
    - {name: b, expression: variables.a}
    - {name: c, expression: variables.d + variables.a}
                                     #^ error[variable-cycle]: `c → d → c`
    - {name: d, expression: variables.c}
  validations:
    - expression: variables.c == 1
",
    ));
}
