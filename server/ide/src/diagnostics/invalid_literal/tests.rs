//! Constants that cannot be read.

use crate::fixture::{findings, policy, show};
use expect_test::expect;

#[test]
fn what_is_certain_is_found() {
    let text = policy(
        "
  validations:
    - expression: \"object.name.matches('(') && duration('1x') == timestamp('x') - timestamp('2025-01-31T08:00:00Z')\"
    - expression: \"'%d'.format(['a']) == object.name\"
    - expression: \"object.name.matches(object.pattern) && duration(object.x) == duration('1h')\"
",
    );
    expect![[""]].assert_eq(&show(&text, &findings(&text)));
}
