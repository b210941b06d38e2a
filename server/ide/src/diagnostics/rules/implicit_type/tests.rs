//! Unquoted values that are not strings.

use crate::fixture::{changes, check_diagnostics, crd, fixed, policy};
use expect_test::expect;

#[test]
fn a_string_that_is_read_as_something_else() {
    check_diagnostics(&policy(
        "
  variables:
    - name: on
           #^^ error[implicit-type]: `on` as the boolean `true`
      expression: 1
                 #^ error[implicit-type]: the number `1`
  validations:
    - expression: true
                 #^^^^ error[implicit-type]: a string
      message: 012
              #^^^ error[implicit-type]: `012` as the number `10`
      reason: ~
",
    ));
}

#[test]
fn items_of_lists_count_as_well() {
    check_diagnostics(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [1], operations: ['*'], resources: [no]}
                                       #^ error[implicit-type]
                                                                          #^^ error[implicit-type]
  validations: [{expression: 'true'}]
",
    );
}

#[test]
fn a_key_that_kubernetes_sees_under_another_name() {
    check_diagnostics(&crd("
        properties:
          x: {type: integer}
          y: {type: integer}
          #< warning[implicit-type]: reads the key `true`
          1: {type: integer}
          010: {type: integer}
          #<^ warning[implicit-type]: reads the key `8`
          \"n\": {type: integer}
"));
}

#[test]
fn quotes_are_put_around_the_word() {
    let text = policy("  validations:\n    - expression: !!str true\n      message: é😀\n");
    assert_eq!(
        crate::fixture::findings(&text).len(),
        0,
        "a tag makes it a string"
    );
    let text = policy("  validations:\r\n    - expression: true\r\n");
    expect![[r#"
        -    - expression: true
        +    - expression: "true"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "implicit-type")));
    let text = policy(
        "  variables:\n    - name: n\n      expression: '1'\n  validations:\n    - expression: variables.n == 1\n",
    );
    expect![[r#"
        -    - name: n
        +    - name: "n"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "implicit-type")));
}
