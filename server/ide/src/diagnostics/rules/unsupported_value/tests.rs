//! Values outside of an enumeration.

use crate::fixture::{changes, check_diagnostics, fixed, policy};
use expect_test::expect;

#[test]
fn the_values_are_listed() {
    check_diagnostics(&policy(
        "
  failurePolicy: \"fail\"
                #^^^^^^ error[unsupported-value]: `spec.failurePolicy` cannot be `fail`. Use `Fail` or `Ignore`.
  validations:
    - expression: 'true'
      reason: Nope
             #^^^^ error[unsupported-value]: Use `Forbidden`, `Invalid` or `RequestEntityTooLarge`.
    - expression: 'true'
      reason: Invalid
",
    ));
}

#[test]
fn the_nearest_value_is_offered_in_the_same_quotes() {
    let text = policy("  failurePolicy: \"fial\"\n  validations: [{expression: 'true'}]\n");
    expect![[r#"
        -  failurePolicy: "fial"
        +  failurePolicy: "Fail"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unsupported-value")));
}
