//! Loops that do not use their elements.

use crate::fixture::{check_diagnostics, untyped_policy as policy};

#[test]
fn a_condition_looks_at_its_element() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.spec.a.all(c, object.spec.b == 1)
                                   #^ warning[unused-loop-variable]: does not use `c`
    - expression: object.spec.a.exists(c, object.spec.b.all(d, c.x == 1))
                                                           #^ warning[unused-loop-variable]: `d`
    - expression: object.spec.a.all(i, c, object.spec.b == 1)
                                      #^ warning[unused-loop-variable]: `c`
    - expression: object.spec.a.filter(c, object.spec.b.exists(c, c.x == 1)).size() == 1
                                      #^ warning[unused-loop-variable]: `c`
",
    ));
}

#[test]
fn other_loops_are_silent() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.spec.a.all(c, c.x == 1)
    - expression: object.spec.a.exists(c, true)
    - expression: object.spec.a.all(i, c, i < 3)
    - expression: object.spec.a.all(i, c, c.x == 3)
    - expression: object.spec.a.map(c, object.spec.b).size() == 1
    - expression: object.spec.a.all(_c, object.spec.b == 1)
    - expression: object.spec.a.filter(c, object.spec.b.exists(d, c.x == d)).size() == 1
",
    ));
}

#[test]
fn an_unknown_name_is_probably_the_variable() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.list.all(item, x.name != '')
                                       #^ error[unknown-name]
",
    ));
}
