//! Variables that exist in other expressions.

use crate::fixture::{changes, check_diagnostics, crd, findings, untyped_policy as policy};
use expect_test::expect;

#[test]
fn each_kind_of_expression_has_its_names() {
    check_diagnostics(&policy(
        r#"
  variables:
    - {name: a, expression: object.spec}
  matchConditions:
    - name: b
      expression: >-
        request.operation == 'UPDATE' &&
        has(variables.a)
           #^^^^^^^^^ error[unavailable-root]: is not available in match conditions
  validations:
    - expression: "variables.a == \"\\u0061\" || params.b == 1"
                                                #^^^^^^ error[unavailable-root]: `spec.paramKind`
      messageExpression: authorizer.path('/x').check('get').reason() + string(self)
                        #^^^^^^^^^^ error[unavailable-root]: message expressions
                                                                             #^^^^ error[unavailable-root]: Use `object` here
    - expression: size(Object{}.spec) == 1
                      #^^^^^^ error[unavailable-root]: `spec.mutations`
"#,
    ));
}

#[test]
fn names_of_macros_hide_the_others() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.list.all(params, params > 0) && object.list.exists(self, self == 1)
    - expression: authorizer.path('/x').check('get').allowed()
",
    ));
}

#[test]
fn a_policy_without_variables_has_no_variables() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: variables.a == 1
                 #^^^^^^^^^ error[unavailable-root]: This policy has no variables
",
    ));
}

#[test]
fn rules_of_definitions_know_self() {
    let rule = "has(object.metadata) || request.name == 'a'";
    let crd = &crd(&format!(
        "        x-kubernetes-validations:\n        - rule: {rule}\n"
    ));
    let found = findings(crd);
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    expect![[r#"
        `object` is not available in the rules of a CustomResourceDefinition. Use `self`, the value of the schema that holds the rule.
        `request` is not available in the rules of a CustomResourceDefinition, which have only `self` and `oldSelf`. Use a policy instead."#]].assert_eq(&messages.join("\n"));
    let after = crate::fixture::apply(crd, &found[0].fixes[0]);
    expect![[r#"
        -        - rule: has(object.metadata) || request.name == 'a'
        +        - rule: has(self.metadata) || request.name == 'a'
    "#]]
    .assert_eq(&changes(crd, &after));
}

#[test]
fn params_exist_with_a_param_kind() {
    check_diagnostics(&policy(
        "
  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:
    - expression: params == null || params.data.max == 'x'
",
    ));
}
