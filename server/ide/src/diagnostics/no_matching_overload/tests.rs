//! Calls that no signature takes.

use crate::fixture::{changes, check_diagnostics, findings, fixed, policy, show};
use expect_test::expect;

#[test]
fn the_message_says_what_there_is() {
    let text = policy(
        "
  validations:
    - expression: object.spec.replicas <= 5
      messageExpression: \"'at most ' + 5\"
    - expression: request.name.startsWith(1) && [1].exists(x, x == 'a')
    - expression: request.dryRun.all(x, x)
",
    );
    expect![[""]].assert_eq(&show(&text, &findings(&text)));
}

#[test]
fn a_value_of_unknown_type_fits_everything() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.a + 1 == object.x + object.b && object.c.startsWith(object.d)
",
    ));
}

#[test]
fn a_number_is_converted_to_join_a_text() {
    let text = policy("  validations:\n    - expression: true\n      messageExpression: '\"no \" + (1 + 2)'\n");
    expect![[""]].assert_eq(&changes(&text, &fixed(&text, "no-matching-overload")));
}

#[test]
fn what_follows_from_another_mistake_is_silent() {
    let text = policy(
        "
  validations:
    - expression: (1 + 'a') + 2 == 3 && nope + 1 == 'a'
    - expression: object.metadata.labels.app-name.startsWith('x')
",
    );
    expect![[""]].assert_eq(&show(&text, &findings(&text)));
}
