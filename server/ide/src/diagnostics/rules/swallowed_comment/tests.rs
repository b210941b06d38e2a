//! Comments that swallow more than their line.

use crate::fixture::{
    changes, check_diagnostics, findings, fixed, report, untyped_policy as policy,
};
use expect_test::expect;

#[test]
fn a_folded_block_loses_what_follows_the_comment() {
    let text = policy(
        "  validations:\n    - expression: >-\n        object.a == '😀' && // both\n        object.b == 1\n",
    );
    expect![[r#"
        11:28-11:35 "// both" Error[swallowed-comment]: `>` folds the lines into one, so this comment includes the lines after it. Use `|`, which keeps line breaks.
          12:9-12:22 "object.b == 1" this is part of the comment
          fix: Keep line breaks with `|`
    "#]].assert_eq(&report(&text));
    expect![[r#"
        -    - expression: >-
        +    - expression: |-
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "swallowed-comment")));
}

#[test]
fn it_is_found_though_the_rest_is_an_expression() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: >
        object.a == 1 // first
                     #^^^^^^^^ error[swallowed-comment]: `>` folds the lines into one
        && object.b == 1
",
    ));
}

#[test]
fn a_comment_at_the_beginning_swallows_all() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: >-
        // both
        #<^^^^^ error[swallowed-comment]
        object.a == 1
",
    ));
}

#[test]
fn values_in_quotes_and_plain_ones_become_blocks() {
    let text = policy(
        "  validations:\n    - message: m\n      expression: object.a == 1 // first\n        && \
         object.b == 'x'\n    - expression: \"object.a == 1 // first\n        && object.b == \
         \\\"x\\\"\"\n",
    );
    let once = fixed(&text, "swallowed-comment");
    let twice = fixed(&once, "swallowed-comment");
    expect![[r#"
        -      expression: object.a == 1 // first
        -        && object.b == 'x'
        -    - expression: "object.a == 1 // first
        -        && object.b == \"x\""
        +      expression: |-
        +        object.a == 1 // first
        +        && object.b == 'x'
        +    - expression: |-
        +        object.a == 1 // first
        +        && object.b == "x"
    "#]]
    .assert_eq(&changes(&text, &twice));
    let text = text.replace('\n', "\r\n");
    let once = fixed(&text, "swallowed-comment");
    assert_eq!(once.matches('\n').count(), once.matches("\r\n").count());
}

#[test]
fn a_hash_in_a_folded_block_is_the_same_mistake() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: >-
        object.a == 1 && # first
                        #^^^^^^^ error[swallowed-comment]
        object.b == 1
",
    ));
}

#[test]
fn the_hash_becomes_a_comment_of_cel() {
    let text = policy(
        "  validations:\n    - expression: >-\n        object.a == 1 && # é\n        object.b == 1\n    - \
         expression: 'object.a == 1 && # é\n        object.c == 1'\n",
    );
    let once = fixed(&text, "swallowed-comment");
    let twice = fixed(&once, "swallowed-comment");
    assert_eq!(findings(&twice), []);
    expect![[r#"
        -    - expression: >-
        -        object.a == 1 && # é
        -        object.b == 1
        -    - expression: 'object.a == 1 && # é
        -        object.c == 1'
        +    - expression: |-
        +        object.a == 1 && // é
        +        object.b == 1
        +    - expression: |-
        +        object.a == 1 && // é
        +        object.c == 1
    "#]]
    .assert_eq(&changes(&text, &twice));
}

#[test]
fn a_comment_of_yaml_cuts_a_plain_value() {
    let text = policy("  validations:\n    - expression: object.a == 'x # y' # z\n");
    expect![[r##"
        10:34-10:38 "# y'" Error[swallowed-comment]: ` #` begins a YAML comment, which cuts off the expression here. Quote the expression.
          fix: Quote the expression
    "##]].assert_eq(&report(&text));
    expect![[r#"
        -    - expression: object.a == 'x # y' # z
        +    - expression: 'object.a == ''x # y''' # z
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "swallowed-comment")));
}

#[test]
fn a_comment_of_yaml_ends_a_plain_value_of_several_lines() {
    let text = policy(
        "  validations:\n    - expression: object.a == '😀' || # old way\n        object.b == 1 && # \
         too\n        object.c == 1\n      message: m\n",
    );
    expect![[r##"
        10:38-10:47 "# old way" Error[swallowed-comment]: ` #` begins a YAML comment, which ends the expression here. Use a literal block (`|`), and begin the comment with `//`.
          11:9-12:22 "object.b == 1 && # too\n        object.c == 1" YAML cannot parse these lines
          fix: Convert to a literal block (`|`)
    "##]].assert_eq(&report(&text));
    let after = fixed(&text, "swallowed-comment");
    assert_eq!(findings(&after), []);
    expect![[r#"
        -    - expression: object.a == '😀' || # old way
        -        object.b == 1 && # too
        +    - expression: |-
        +        object.a == '😀' || // old way
        +        object.b == 1 && // too
    "#]]
    .assert_eq(&changes(&text, &after));
}

#[test]
fn other_mistakes_in_the_expression_are_still_found() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: >-
        object.a = 1 && // first
                #^ error[cel-syntax]
                       #^^^^^^^^ error[swallowed-comment]
        object.b == 1
",
    ));
}

#[test]
fn comments_that_swallow_nothing_are_fine() {
    check_diagnostics(&policy(
        "
  validations:
    - expression: object.a == 1 # in YAML
    - expression: |
        // in CEL
        object.a == 2 // too
    - expression: >-
        object.a ==
        3 // at the end
    - expression: >-
        object.a == 4 // all of this is
        one long comment
    - expression: >-
        object.a == 5 // one
        // two
    - expression: >-
        object.a == 6 //

          // more, with line breaks of its own
    - expression: >
        object.url ==
        'https://example.com' &&
        object.b == 1
    - expression: >-
        object.list.all(c,
          c.a == 1 // more indented lines keep their line breaks
          && c.b == 1)
    - expression: object.a == 'x#y'
",
    ));
}
