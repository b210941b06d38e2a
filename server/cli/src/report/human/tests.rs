//! The rendering of findings in awkward files.

use super::*;
use expect_test::{Expect, expect};
use text::{TextEdit, TextSize};

/// Returns a finding at `at`, with a note at each of `related` and the fix `fix`.
struct Case<'a> {
    text: &'a str,
    at: &'a str,
    message: &'a str,
    upstream: Option<&'a str>,
    related: &'a [(&'a str, &'a str)],
    fixes: Vec<Fix>,
}

impl Default for Case<'_> {
    fn default() -> Self {
        Case {
            text: "",
            at: "",
            message: "This is wrong.",
            upstream: None,
            related: &[],
            fixes: Vec::new(),
        }
    }
}

fn range(text: &str, words: &str) -> TextRange {
    let at = TextSize::of(text.get(..text.rfind(words).unwrap()).unwrap());
    TextRange::at(at, TextSize::of(words))
}

#[track_caller]
fn check(case: Case<'_>, expected: &Expect) {
    let related = case.related.iter().map(|(words, message)| Related {
        range: range(case.text, words),
        elsewhere: None,
        message: (*message).to_owned(),
    });
    let finding = Diagnostic {
        code: "some-rule",
        severity: Severity::Error,
        range: range(case.text, case.at),
        message: case.message.to_owned(),
        upstream: case.upstream.map(str::to_owned),
        related: related.collect(),
        fixes: case.fixes,
        tag: None,
    };
    let source = Source::new(case.text.into());
    let file = FileReport {
        path: "dir/a.yaml".to_owned(),
        policies: 1,
        documents: 1,
        not_checked: 0,
        findings: Vec::new(),
        source: None,
        fixed: None,
    };
    let renderer = Renderer::plain().term_width(100);
    expected.assert_eq(&finding_text(&renderer, &file, &source, &finding));
}

fn fix(title: &str, edits: Vec<TextEdit>) -> Fix {
    Fix {
        title: title.to_owned(),
        edits,
        safety: ide::Safety::Safe,
    }
}

#[test]
fn a_finding_is_below_its_line() {
    check(
        Case {
            text: "kind: Policy\nspec:\n  feild: 1\n",
            at: "feild",
            upstream: Some("unknown field \"spec.feild\""),
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:3:3
              |
            3 |   feild: 1
              |   ^^^^^
              |
              = note: Kubernetes reports: unknown field "spec.feild""#]],
    );
}

#[test]
fn wide_characters_and_tabs_are_aligned() {
    check(
        Case {
            text: "spec:\n  a: \"\u{1f600}日\té\" # here\n",
            at: "here",
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:2:15
              |
            2 |   a: "😀日    é" # here
              |                    ^^^^"#]],
    );
}

#[test]
fn line_endings_do_not_matter() {
    check(
        Case {
            text: "a: 1\r\nb: 2\rc: 3\r\n",
            at: "3",
            related: &[("1", "here")],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:3:4
              |
            1 | a: 1
              |    - here
            2 | b: 2
            3 | c: 3
              |    ^"#]],
    );
}

#[test]
fn a_range_over_lines_is_drawn_at_its_side() {
    check(
        Case {
            text: "expression: >\n  has(a) &&\n  b\n  || c\n\n\nx: y\n",
            at: "has(a) &&\n  b\n  || c\n\n",
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:2:3
              |
            2 | /   has(a) &&
            3 | |   b
            4 | |   || c
              | |______^"#]],
    );
}

#[test]
fn related_places_have_labels() {
    let text = format!("a: first\nb: second\n{}far: away\n", "x:\n".repeat(100));
    check(
        Case {
            text: &text,
            at: "second",
            related: &[("first", "the first one"), ("away", "the last one")],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
               --> dir/a.yaml:2:4
                |
              1 | a: first
                |    ----- the first one
              2 | b: second
                |    ^^^^^^
                |
               ::: dir/a.yaml:103:6
                |
            103 | far: away
                |      ---- the last one"#]],
    );
}

#[test]
fn fixes_are_shown_where_they_are_short() {
    let text = "name: no\nb: 2\n";
    let value = range(text, "no");
    let edits = vec![
        TextEdit::insert(value.start(), "\""),
        TextEdit::insert(value.end(), "\""),
    ];
    check(
        Case {
            text,
            at: "no",
            fixes: vec![
                fix("Quote the value", edits),
                fix(
                    "Remove it",
                    vec![TextEdit::delete(range(text, "name: no\n"))],
                ),
            ],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:1:7
              |
            1 | name: no
              |       ^^
              |
            help: Quote the value
              |
            1 | name: "no"
              |       +  +
            help: Remove it
              |
            1 - name: no
              |"#]],
    );
}

#[test]
fn new_lines_are_shown_where_they_are_few() {
    let text = "name: no\nb: 2\n";
    let value = range(text, "no");
    check(
        Case {
            text,
            at: "no",
            fixes: vec![
                fix(
                    "Add lines",
                    vec![TextEdit::insert(value.end(), "\nc: 3\nd: 4")],
                ),
                fix(
                    "Add a page",
                    vec![TextEdit::insert(value.end(), "\nx".repeat(50))],
                ),
            ],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:1:7
              |
            1 | name: no
              |       ^^
              |
              = help: Add a page
            help: Add lines
              |
            1 ~ name: no
            2 + c: 3
            3 + d: 4
              |"#]],
    );
}

#[test]
fn a_long_line_is_shown_around_the_place() {
    let text = format!(
        "{{\"a\": \"{}\", \"here\": \"{}\"}}",
        "é".repeat(3_000),
        "x".repeat(9_000)
    );
    check(
        Case {
            text: &text,
            at: "here",
            upstream: Some("words"),
            fixes: vec![fix(
                "Rename",
                vec![TextEdit::replace(range(&text, "here"), "there")],
            )],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:1:3012
              |
              |
            1 | …éééééééééééééééééééééééééééééééééééééé", "here": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
              |                                            ^^^^
              = note: Kubernetes reports: words
              = help: Rename"#]],
    );
}

#[test]
fn a_file_cannot_control_the_terminal() {
    check(
        Case {
            text: "a: \u{1b}[31mred\u{7}\n",
            at: "\u{1b}[31mred\u{7}",
            message: "There is no field `\u{1b}[31mred`.",
            upstream: Some("\u{1b}]0;title\u{7}"),
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: There is no field `␛[31mred`.
             --> dir/a.yaml:1:4
              |
            1 | a: ␛[31mred␇
              |    ^^^^^^^^^
              |
              = note: Kubernetes reports: ␛]0;title␇"#]],
    );
}

#[test]
fn the_end_of_a_file_is_a_place() {
    check(
        Case {
            text: "a: (",
            at: "",
            related: &[("(", "opened here")],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:1:5
              |
            1 | a: (
              |    -^
              |    |
              |    opened here"#]],
    );
    let text = "a: 1\n";
    let end = TextEdit::insert(TextSize::of(text), "b: 2\n");
    check(
        Case {
            text,
            at: "\n",
            fixes: vec![fix("Add the field", vec![end])],
            ..Case::default()
        },
        &expect![[r#"
            error[some-rule]: This is wrong.
             --> dir/a.yaml:1:5
              |
            1 | a: 1
              |     ^
              |
            help: Add the field
              |
            2 + b: 2
              |"#]],
    );
}
