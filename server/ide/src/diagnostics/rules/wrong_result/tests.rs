//! Expressions with a result of another type.

use crate::fixture::{
    changes, check_diagnostics, corrected, fixed, json_patch, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn each_kind_of_expression_gives_its_type() {
    check_diagnostics(&policy(
        "
  matchConditions:
    - {name: a, expression: \"'no'\"}
                            #^^^^ error[wrong-result]: This one evaluates to `string`
    - {name: b, expression: object.enabled}
                           #^^^^^^^^^^^^^^ error[wrong-result]: compare it
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

#[test]
fn a_patch_alone_becomes_a_list() {
    let text = json_patch(
        "apps/v1/deployments",
        "JSONPatch{op: 'add', path: '/spec/replicas', value: 3}",
    );
    expect![[r#"
        -          JSONPatch{op: 'add', path: '/spec/replicas', value: 3}
        +          [JSONPatch{op: 'add', path: '/spec/replicas', value: 3}]
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "wrong-result")));
}

#[test]
fn a_method_of_an_optional_is_called() {
    let text = policy("  validations:\n    - expression: object.metadata.?labels.hasValue\n");
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.metadata.?labels.hasValue
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[wrong-result]: `hasValue` is a method: write `hasValue()`.
",
    ));
    expect![[r#"
        -    - expression: object.metadata.?labels.hasValue
        +    - expression: object.metadata.?labels.hasValue()
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "wrong-result")));
    let text = policy(
        "  validations:\n    - expression: object.metadata.?labels.hasValue && object.spec.paused\n",
    );
    expect![[r#"
        -    - expression: object.metadata.?labels.hasValue && object.spec.paused
        +    - expression: object.metadata.?labels.hasValue() && object.spec.paused
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "type-mismatch")));
}

#[test]
fn an_annotation_of_an_unknown_type_is_converted() {
    let text = policy(
        "  auditAnnotations:\n    - {key: replicas, valueExpression: object.spec.replicas}\n",
    );
    expect![[r#"
        -    - {key: replicas, valueExpression: object.spec.replicas}
        +    - {key: replicas, valueExpression: string(object.spec.replicas)}
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "wrong-result")));
}
