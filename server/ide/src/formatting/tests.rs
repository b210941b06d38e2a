//! Formatting in every scalar style.

use super::{UnformattedReason, format_on_type, formatting};
use crate::file::SourceFile;
use crate::fixture::{Fixture, policy};
use expect_test::{Expect, expect};
use text::{TextEdit, TextRange, apply_edits};

const WIDTH: usize = 60;

/// Returns a policy with an expression as a YAML value.
fn with_expression(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: {expression}\n      reason: Invalid # why\n"
    ))
}

fn formatted(text: &str) -> (String, Vec<UnformattedReason>) {
    let file = SourceFile::new(text);
    let result = formatting(&file, WIDTH, None);
    let reasons = result.unformatted.iter().map(|it| it.reason).collect();
    (apply_edits(text, &result.edits).unwrap(), reasons)
}

/// Formats an expression written as a YAML value.
#[track_caller]
fn check(expression: &str, expected: &Expect) {
    let text = with_expression(expression);
    let (result, reasons) = formatted(&text);
    assert_eq!(formatted(&result).0, result);
    let (before, _) = text.split_once("expression: ").unwrap();
    let rest = "\n      reason: Invalid # why\n";
    let result = result.strip_prefix(before).unwrap();
    let shown = result.strip_suffix(rest).unwrap();
    let mut shown = shown.replace('\r', "\\r").replace(": \n", ":\n");
    for reason in reasons {
        shown.push_str(&format!("\n({})", reason.message()));
    }
    expected.assert_eq(&shown);
}

/// An expression without its last token, which is too long for one line.
const LONG: &str = "has(object.spec.replicas)&&object.spec.replicas>1&&a!=";

#[test]
fn one_line_stays_one_line() {
    check(
        &format!("{LONG}'a'"),
        &expect!["expression: has(object.spec.replicas) && object.spec.replicas > 1 && a != 'a'"],
    );
    check(
        &format!("'{LONG}''a'''"),
        &expect![
            "expression: 'has(object.spec.replicas) && object.spec.replicas > 1 && a != ''a'''"
        ],
    );
    check(
        &format!("\"{LONG}\\\"\\u00e9\\\"\""),
        &expect![[
            r#"expression: "has(object.spec.replicas) && object.spec.replicas > 1 && a != \"\u00e9\"""#
        ]],
    );
    check("'  a  '", &expect!["expression: 'a'"]);
    check(
        "\n        a==1",
        &expect![[r#"
        expression:
                a == 1"#]],
    );
}

#[test]
fn block_scalars_hold_lines() {
    check(
        &format!("|\n        {LONG}b"),
        &expect![[r#"
        expression: |
                has(object.spec.replicas) &&
                object.spec.replicas > 1 &&
                a != b"#]],
    );
    check(
        &format!(">-\n        {LONG}b"),
        &expect![[r#"
        expression: >-
                has(object.spec.replicas) &&
                object.spec.replicas > 1 &&
                a != b"#]],
    );
    check(
        &format!("> # folded\n        {LONG}b"),
        &expect![[r#"
        expression: > # folded
                has(object.spec.replicas) &&
                object.spec.replicas > 1 &&
                a != b"#]],
    );
}

#[test]
fn indicators_of_block_scalars_are_kept() {
    check(
        &format!("|+\n          {LONG}b\n\n"),
        &expect![[r#"
        expression: |+
                  has(object.spec.replicas) &&
                  object.spec.replicas > 1 &&
                  a != b

    "#]],
    );
    check(
        &format!("|4-\n            {LONG}b  "),
        &expect![[r#"
        expression: |4-
                  has(object.spec.replicas) &&
                  object.spec.replicas > 1 &&
                  a != b"#]],
    );
    check(
        "|\r\n        a&&\r\n        b",
        &expect![[r#"
        expression: |\r
                a &&
                b"#]],
    );
}

#[test]
fn lines_of_quoted_scalars_fold() {
    check(
        "'a.all(c, c)&&\n        b'",
        &expect![[r#"
        expression: 'a.all(c, c) &&
                b'"#]],
    );
    check(
        "\"a.all(c, c)&& \\\n        b\"",
        &expect![[r#"expression: "a.all(c, c) && b""#]],
    );
    check(
        "a.all(c, c)&&\n        b.exists(c,c)",
        &expect![[r#"
        expression: a.all(c, c) &&
                b.exists(c, c)"#]],
    );
    check(
        "'a==\n        b'",
        &expect![[r#"
        expression: 'a ==
                  b'"#]],
    );
}

#[test]
fn comments_keep_their_lines() {
    let text = "|\n        // one\n        a&& // two\n        b";
    check(
        text,
        &expect![[r#"
        expression: |
                // one
                a && // two
                b"#]],
    );
    check(
        ">\n        a&&b // two",
        &expect![[r#"
        expression: >
                a&&b // two
        (the expression has a comment, and YAML joins its lines; use a literal block (`|`))"#]],
    );
    check(
        "\"a&&b // two\\n\"",
        &expect![[r#"
        expression: "a&&b // two\n"
        (the expression has a comment, and YAML joins its lines; use a literal block (`|`))"#]],
    );
}

#[test]
fn expressions_that_would_change_are_left_alone() {
    check(
        "a?b:c",
        &expect![[r#"
        expression: a?b:c
        (the scalar cannot hold the formatted expression; quote it, or use a literal block (`|`))"#]],
    );
    check(
        "a &&",
        &expect![[r#"
        expression: a &&
        (the expression has a syntax error)"#]],
    );
    check(
        "&x a&&b",
        &expect![[r#"
        expression: &x a&&b
        (the expression has an anchor, so its text may be used elsewhere)"#]],
    );
    check(
        ">\n        a&&'''b\n\n        c'''",
        &expect![[r#"
        expression: >
                a && '''b

                c'''"#]],
    );
}

#[test]
fn flow_mappings_hold_expressions() {
    let text = policy("  validations: [{expression: a&&b, message: x}, {expression: 'a?b:c'}]\n");
    let (result, _) = formatted(&text);
    assert!(result.ends_with("[{expression: a && b, message: x}, {expression: 'a ? b : c'}]\n"));
}

#[test]
fn templates_are_left_alone() {
    let text = with_expression("a&&b").replace("demo", "{{ .Values.name }}");
    assert_eq!(formatted(&text), (text, vec![UnformattedReason::Template]));
}

#[test]
fn a_range_selects_expressions() {
    let text = policy("  validations:\n    - expression: a&&b\n    - expression: c&&d\n");
    let file = SourceFile::new(text.as_str());
    let at = u32::try_from(text.find("c&&d").unwrap()).unwrap();
    let range = TextRange::empty(at.into());
    let edits = formatting(&file, WIDTH, Some(range)).edits;
    let result = apply_edits(&text, &edits).unwrap();
    assert!(result.ends_with("- expression: a&&b\n    - expression: c && d\n"));
    assert_eq!(edits.len(), 2);
}

#[test]
fn a_new_line_is_indented_by_open_brackets() {
    let edit = |expression: &str| -> Option<TextEdit> {
        let fixture = Fixture::parse(&with_expression(expression));
        let file = SourceFile::new(fixture.text.as_str());
        format_on_type(&file, fixture.cursor?)
    };
    let indent = |expression: &str| edit(expression).map(|it| it.insert.len());
    assert_eq!(
        indent("|\n        a.all(c,\n        $0\n        )"),
        Some(10)
    );
    assert_eq!(indent("|\n        a.all(c,\n$0\n        )"), Some(10));
    assert_eq!(indent("|\n        f([{\n        $0"), Some(14));
    assert_eq!(indent("|\n        a &&\n          $0\n        b"), Some(8));
    assert_eq!(indent("|\n        a &&\n        $0\n        b"), None);
    assert_eq!(indent("|\n        a &&\n   $0   b"), None);
    assert_eq!(indent("'a.all(c,\n        $0\n        c)'"), None);
    assert_eq!(indent("|\n        '''(\n    $0\n        '''"), None);
}
