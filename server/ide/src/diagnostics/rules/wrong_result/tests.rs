//! Expressions with a result of another type.

use crate::fixture::{check_diagnostics, corrected, untyped_policy as policy};

#[test]
fn each_kind_of_expression_gives_its_type() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - {name: a, expression: \"'no'\"}
                            #^^^^ error[wrong-result]: This one evaluates to `string`
    - {name: b, expression: object.enabled}
                           #^^^^^^^^^^^^^^ error[wrong-result]: is `dyn`
  validations:
    - expression: >-
        size(object.list) +
        #<^^> error[wrong-result]: `true` or `false`
        1
      messageExpression: '1'
                         #^ error[wrong-result]: must evaluate to a string
",
    ));
}

#[test]
fn what_may_be_right_is_silent() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.spec.enabled == true
      messageExpression: \"'a' + object.spec.text\"
    - expression: 'object.spec.a == 1 ? true : object.spec.b > 1'
    - expression: object.spec.list.all(x, x)
  auditAnnotations:
    - {key: a, valueExpression: 'null'}
    - {key: b, valueExpression: \"'x'\"}
",
    ));
}

#[test]
fn the_answer_of_the_authorizer_is_read() {
    let check = "authorizer.group('').resource('pods').check('get')";
    for (before, expected) in [
        (check.to_owned(), format!("{check}.allowed()")),
        (
            format!("object.metadata.name == 'a' ? {check} : {check}"),
            format!("(object.metadata.name == 'a' ? {check} : {check}).allowed()"),
        ),
    ] {
        assert_eq!(corrected("wrong-result", &before), expected);
    }
}
