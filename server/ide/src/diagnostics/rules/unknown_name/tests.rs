//! Names that are not defined anywhere.

use crate::fixture::{changes, check_diagnostics, fixed, untyped_policy as policy};
use expect_test::expect;

#[test]
fn the_first_name_of_a_chain_is_looked_up() {
    check_diagnostics(&policy(
        r#"
  validations:
    - expression: objct.spec.replicas < 5 && object.kind == Deployment
                 #^^^^^ error[unknown-name]: Did you mean `object`?
                                                           #^^^^^^^^^^ error[unknown-name]: If it is a string, quote it
    - expression: "object.list.all(c, c.name != 'é') && c.name == \"x\""
                                                       #^ error[unknown-name]
    - expression: >-
        object.spec == 😀.x
                      #^ error[cel-syntax]
    - expression: Foo{} == null
                 #^^^ error[unknown-name]: no type `Foo`
"#,
    ));
}

#[test]
fn functions_with_a_dot_and_types_are_known() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: isCIDR('::/1') && optional.none().hasValue() == false
    - expression: type(object.a) == int && (type(object.b) == list || type(object.b) == map)
    - expression: sets.contains([1], [1]) && ip.isCanonical('::1') && format.named('dns1123Label').hasValue()
    - expression: type(object.c) == google.protobuf.Timestamp
    - expression: oldObject != null && namespaceObject.metadata.name != request.namespace
",
    ));
}

#[test]
fn a_variable_wants_its_prefix() {
    let text = policy(
        "  variables: [{name: limit, expression: '5'}]\n  validations:\n    - expression: object.n < \
         limit && variables.limit > 0\n",
    );
    expect![[r#"
        -    - expression: object.n < limit && variables.limit > 0
        +    - expression: object.n < variables.limit && variables.limit > 0
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unknown-name")));
}

#[test]
fn a_field_wants_its_object() {
    let text = policy(
        "  validations:\n    - expression: operation == 'CREATE' || \"spec.é\".size() == spec.n\n",
    );
    let once = fixed(&text, "unknown-name");
    expect![[r#"
        -    - expression: operation == 'CREATE' || "spec.é".size() == spec.n
        +    - expression: request.operation == 'CREATE' || "spec.é".size() == object.spec.n
    "#]]
    .assert_eq(&changes(&text, &fixed(&once, "unknown-name")));
}

#[test]
fn a_broken_expression_has_only_its_syntax_errors() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: the replicas must be few
                     #^^^^^^^^ error[cel-syntax]
",
    ));
}

#[test]
fn a_variable_before_a_brace_is_no_type() {
    let text = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: demo}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: \"object{spec: Object.spec{nodeName: '🙂'}}\"
        #            ^^^^^^ error[unknown-name]: `object`
";
    check_diagnostics(text);
    assert!(fixed(text, "unknown-name").contains("\"Object{spec: Object.spec{"));
}
