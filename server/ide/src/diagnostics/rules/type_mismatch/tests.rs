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
