//! Expressions that compile but for which no program can be created.

use super::{check, definition, policy};
use expect_test::expect;

#[test]
fn a_constant_without_a_value_is_an_internal_error_of_a_policy() {
    check(
        &policy(
            "  matchConditions: [{name: a, expression: 'true || bool(\"maybe\")'}]
  variables: [{name: a, expression: 'int(\"a\")'}]
  validations:
  - {expression: 'variables.a + \"b\" == object.x.find(\"(\")', messageExpression: 'string(b\"\\xff\")'}
  - {expression: '[type(cidr(\"::/0\"))].exists(t, t == kubernetes.UserInfo)'}
  - {expression: 'int(\"a\")'}
  auditAnnotations: [{key: k, valueExpression: 'string(object.labels[null])'}]
",
        ),
        &expect![[r#"
            InternalError spec.matchConditions[0].expression "program instantiation failed: type conversion error from 'string' to 'bool'" at "'true || bool(\"maybe\")'"
            InternalError spec.variables[0].expression "program instantiation failed: type conversion error from 'string' to 'int'" at "'int(\"a\")'"
            InternalError spec.validations[0].expression "program instantiation failed: error parsing regexp: missing closing ): `(`" at "'variables.a + \"b\" == object.x.find(\"(\")'"
            InternalError spec.validations[0].messageExpression "program instantiation failed: invalid UTF-8 in bytes, cannot convert to string" at "'string(b\"\\xff\")'"
            InternalError spec.validations[1].expression "program instantiation failed: reference to undefined type: t" at "'[type(cidr(\"::/0\"))].exists(t, t == kubernetes.UserInfo)'"
            Invalid spec.validations[2].expression "must evaluate to bool but got int" at "'int(\"a\")'"
            InternalError spec.auditAnnotations[0].valueExpression "program instantiation failed: invalid qualifier type: types.Null" at "'string(object.labels[null])'"
        "#]],
    );
}

#[test]
fn a_constant_without_a_value_is_an_invalid_rule_of_a_definition() {
    check(
        &definition(
            "        type: object
        x-kubernetes-validations:
        - {rule: 'oldSelf.hasValue() || int(\"1.5\") > 1', optionalOldSelf: true}
        - {rule: 'uint(\"-1\") > 1u', optionalOldSelf: true}
        - {rule: 'true', messageExpression: 'string(b\"\\xff\")'}
",
        ),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule "program instantiation failed: type conversion error from 'string' to 'int'" at "'oldSelf.hasValue() || int(\"1.5\") > 1'"
            Invalid spec.validation.openAPIV3Schema.x-kubernetes-validations[1].rule "program instantiation failed: type conversion error from 'string' to 'uint'" at "'uint(\"-1\") > 1u'"
            Invalid spec.validation.openAPIV3Schema.x-kubernetes-validations[1].optionalOldSelf "may not be set if oldSelf is not used in rule" at "true"
            Invalid spec.validation.openAPIV3Schema.x-kubernetes-validations[2].messageExpression "messageExpression instantiation failed: invalid UTF-8 in bytes, cannot convert to string" at "'string(b\"\\xff\")'"
        "#]],
    );
}
