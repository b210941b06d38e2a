//! Values of another type than their place needs.

use crate::fixture::{findings, policy, show};
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
    expect![[""]].assert_eq(&show(&text, &findings(&text)));
}
