//! Variables that no expression uses.

use crate::fixture::{changes, check_diagnostics, findings, fixed, untyped_policy as policy};
use crate::report::Tag;
use expect_test::expect;

#[test]
fn what_only_itself_uses_is_not_used() {
    check_diagnostics(&policy(
        "
  variables:
    - name: \"a\"
           #^^^ warning[unused-variable]: The variable `a` is never used.
      expression: '1'
    - {name: b, expression: '1'}
    - {name: c, expression: variables.b}
    - {name: d, expression: variables.c}
            #^ warning[unused-variable]
  validations:
    - expression: 'true'
",
    ));
}

#[test]
fn every_kind_of_expression_counts() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: '1'}
    - {name: b, expression: \"'x'\"}
    - {name: c, expression: \"'x'\"}
    - {name: d, expression: '[1]'}
  validations:
    - expression: variables.d.exists(x, x == variables.a)
      messageExpression: variables.b
  auditAnnotations:
    - {key: k, valueExpression: variables.c}
",
    ));
}

#[test]
fn a_broken_expression_may_use_it() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: a, expression: '1'}
  validations:
    - expression: object.x == (variables. a
                                          #| error[cel-syntax]
",
    ));
}

#[test]
fn the_entry_is_removed_with_its_comment() {
    let text = policy(
        "  variables:\n    # for later\n    - name: a\n      expression: |\n        1 +\n        2\n    \
         - name: b\n      expression: '1'\n  validations:\n    - expression: variables.b == 1\n",
    );
    assert_eq!(findings(&text)[0].tag, Some(Tag::Unnecessary));
    expect![[r#"
        -    # for later
        -    - name: a
        -      expression: |
        -        1 +
        -        2
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unused-variable")));
}

#[test]
fn with_the_last_entry_goes_the_list() {
    let text = policy(
        "  variables:\r\n  - name: a\r\n    expression: '1'\r\n  validations:\r\n  - expression: 'true'\r\n",
    );
    expect![[r#"
        -  variables:
        -  - name: a
        -    expression: '1'
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unused-variable")));
}

#[test]
fn a_name_without_its_root_is_a_use() {
    check_diagnostics(&policy(
        "
  variables:
    - {name: items, expression: object.spec.items}
  validations:
    - expression: items.all(x, x > 1)
                 #^^^^^ error[unknown-name]: Write `variables.items`
",
    ));
}
