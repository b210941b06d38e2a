//! Entries that share a name.

use crate::fixture::{check_diagnostics, report, untyped_policy as policy};
use expect_test::expect;

#[test]
fn every_list_of_named_entries_is_checked() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - {name: a, expression: has(object.a)}
    - {name: 'a', expression: has(object.b)}
            #^^^ error[duplicate-name]: `a` is already in this list
  auditAnnotations:
    - {key: b, valueExpression: \"'x'\"}
    - {key: b, valueExpression: \"'y'\"}
           #^ error[duplicate-name]
",
    ));
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: demo
  validationActions:
    - Deny
    - Audit
    - Deny
     #^^^^ error[duplicate-name]: `Deny`
",
    );
}

#[test]
fn a_second_variable_is_a_warning_that_shows_the_first() {
    let text = policy(
        "  variables:\n    - {name: a, expression: '1'}\n    - {name: a, expression: '2'}\n  \
         validations:\n    - expression: variables.a == 2\n",
    );
    expect![[r#"
        11:14-11:15 "a" Warning[duplicate-name]: The variable `a` is defined twice. Rename or remove one of them.
          10:14-10:15 "a" the first `a`
    "#]]
    .assert_eq(&report(&text));
}

#[test]
fn the_same_name_in_two_lists_is_fine() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - {name: a, expression: has(object.a)}
  variables:
    - {name: a, expression: '1'}
  validations:
    - expression: variables.a == 1
",
    ));
}
