//! Values of another type than the expected one.

use crate::fixture::{report, untyped_policy as policy};
use expect_test::expect;

#[test]
fn what_is_certain_is_found() {
    let text = policy(
        "
  validations:
    - expression: \"[1].all(x, 'a') && object.x in [1, 'a']\"
    - expression: object.x && object.list.all(e, e.y)
    - expression: \"{'a': 1, 'b': true} == object.y\"
",
    );
    expect![[r#"
        10:31-10:34 "'a'" Error[type-mismatch]: Expected a value of type `bool`, found `string`.
          Kubernetes: expected type 'bool' but found 'string'
        12:34-12:38 "true" Error[type-mismatch]: Expected a value of type `int`, found `bool`.
          Kubernetes: expected type 'int' but found 'bool'
    "#]]
    .assert_eq(&report(&text));
}

#[test]
fn a_field_of_a_patch_is_named() {
    let expression = "[JSONPatch{operation: 'add', path: '/metadata/labels/a', value: 'b'}]";
    let text = policy(&format!(
        "
  reinvocationPolicy: Never
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: \"{expression}\"
"
    ));
    let text = text.replace("Validating", "Mutating");
    expect![[r#"
        13:33-13:42 "operation" Error[type-mismatch]: `JSONPatch` has no field `operation`. Did you mean `op`?
          Kubernetes: expected type of field 'operation' is '' but provided type is 'string'
          fix: Change to `op`
    "#]]
    .assert_eq(&report(&text));
}
