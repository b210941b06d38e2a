//! Each error is reported once, at its position, and its message states what to do.

mod kubectl;

use crate::{SyntaxErrorKind, parse};
use expect_test::{Expect, expect};

/// Prints each error as the text at its range, with its offset and its message.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let stream = parse(text.into());
    let lines: Vec<String> = stream
        .errors()
        .iter()
        .map(|error| {
            let start = u32::from(error.range.start());
            format!(
                "{start} {:?}: {}\n",
                stream.slice(error.range),
                error.message()
            )
        })
        .collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn tabs_do_not_indent() {
    check(
        "a:\n\tb: 1\n  c: 2\n",
        &expect![[r#"
            3 "\t": YAML cannot be indented with tabs; use spaces
        "#]],
    );
    check(
        "a: |\n  x\n\ty\nb: 1\n",
        &expect![[r#"
            9 "\t": YAML cannot be indented with tabs; use spaces
        "#]],
    );
    check(
        "a: x\n\ty\n",
        &expect![[r#"
            5 "\t": YAML cannot be indented with tabs; use spaces
        "#]],
    );
    check("a:\t1 \t# c\nb: {\n\tc: 1 }\n", &expect![[r#""#]]);
}

#[test]
fn keys_need_a_colon_and_a_space() {
    check(
        "spec:\n  name:foo\n  x: 1\n",
        &expect![[r#"
            12 ":": missing space after the colon; write `key: value`
        "#]],
    );
    check(
        "a: 1\nmess\nb: 2\n",
        &expect![[r#"
            5 "mess": missing colon; write `key: value`, or indent the line if it continues the value above
        "#]],
    );
    check(
        "- expression\n  message: x\n",
        &expect![[r#"
            2 "expression": missing colon; write `key: value`, or indent the line if it continues the value above
        "#]],
    );
}

#[test]
fn what_stands_below_shows_a_key() {
    check(
        "spec\n  x: 1\n",
        &expect![[r#"
            0 "spec": missing colon; write `key: value`, or indent the line if it continues the value above
        "#]],
    );
    check(
        "\"key\"\nb: 1\n",
        &expect![[r#"
            0 "\"key\"": missing colon; write `key: value`, or indent the line if it continues the value above
        "#]],
    );
    check(
        ": a\nb: 1\n",
        &expect![[r#"
            0 ":": missing key before the colon
        "#]],
    );
    check(
        "a: 1\nhttp://x\n",
        &expect![[r#"
            5 "http://x": missing colon; write `key: value`, or indent the line if it continues the value above
        "#]],
    );
}

#[test]
fn a_value_with_a_colon_needs_quotes() {
    check(
        "message: error: no 😀\nb: 1\n",
        &expect![[r#"
            9 "error: no 😀": unexpected colon followed by a space inside a value; quote the value
        "#]],
    );
    check(
        "{message: error: x}\n",
        &expect![[r#"
            10 "error: x": unexpected colon followed by a space inside a value; quote the value
        "#]],
    );
    check(
        "{a: 1 b: 2}\n",
        &expect![[r#"
            5 "": missing comma
        "#]],
    );
}

#[test]
fn quotes_are_closed_where_they_should_be() {
    check(
        "a: \"foo\nb: 1\nc: \"x\"\n",
        &expect![[r#"
            3 "\"": missing closing `"` of this string
        "#]],
    );
    check(
        "- 'foo\n- \"b\"\n",
        &expect![[r#"
            2 "'": missing closing `'` of this string
        "#]],
    );
    check(
        "a: 'it's'\nb: \"say \"hi\"\"\n",
        &expect![[r#"
            6 "'": this quote ends the string; write `''` for a quote inside it
            18 "\"": this quote ends the string; write `\"` for a quote inside it
        "#]],
    );
    check(
        "a: 'x' y\n",
        &expect![[r#"
            7 "y": unexpected content after the value; remove it, or quote the whole value
        "#]],
    );
    check(
        "a: [\"x]\nb: [\"y\"]\n",
        &expect![[r#"
            4 "\"": missing closing `"` of this string
        "#]],
    );
    check(
        "a: \"foo",
        &expect![[r#"
            3 "\"": missing closing `"` of this string
        "#]],
    );
}

#[test]
fn brackets_are_closed_where_they_should_be() {
    check(
        "a: [1, 2\nb: {x: 1\nc: 1\n",
        &expect![[r#"
            3 "[": unclosed `[`; add `]`
            12 "{": unclosed `{`; add `}`
        "#]],
    );
    check(
        "a: [\nb: [x]\nc: 1\n",
        &expect![[r#"
            3 "[": unclosed `[`; add `]`
        "#]],
    );
    check(
        "a: [1, 2}\nb: 1\n",
        &expect![[r#"
            8 "}": expected `]`, found `}`
        "#]],
    );
}

#[test]
fn brackets_and_commas_stand_for_something() {
    check(
        "a: ]\nb: [x], y\n",
        &expect![[r#"
            3 "]": unmatched `]`; remove it, or quote the value
            11 ", y": unexpected content after the value; remove it, or quote the whole value
        "#]],
    );
}

#[test]
fn braces_of_json_are_closed_where_they_should_be() {
    check(
        "{\n  \"a\": {\"b\": 1,\n  \"c\": [1\n}\n",
        &expect![[r#"
            9 "{": unclosed `{`; add `}`
            25 "[": unclosed `[`; add `]`
        "#]],
    );
    check(
        "{\n  \"a\"\n    \"b\": 1\n  }\n}\n",
        &expect![[r#"
            7 "": missing `{` before the keys of this value
        "#]],
    );
    check(
        "[a, , b c: d]\n",
        &expect![[r#"
            4 ",": missing value before the comma; add one, or remove the comma
        "#]],
    );
    check(
        "{\"a\": 1\n \"b\": 2}\n",
        &expect![[r#"
            7 "": missing comma
        "#]],
    );
    check(
        "x: [object.?a, b[0]]\n",
        &expect![[r#"
            11 "?": an unquoted string inside `[…]` or `{…}` cannot contain `?`; quote the string
            16 "[": an unquoted string inside `[…]` or `{…}` cannot contain `[`; quote the string
        "#]],
    );
}

#[test]
fn lines_stand_at_the_column_of_their_neighbors() {
    check(
        "a: 1\n  b: 2\n  c: 3\nd: 4\n",
        &expect![[r#"
            7 "b": the indentation of this line does not match any enclosing level; align it with its sibling keys or items
        "#]],
    );
    check(
        "a:\n    b: 1\n  c: 2\n  d: 3\ne: 1\n",
        &expect![[r#"
            14 "c": the indentation of this line does not match any enclosing level; align it with its sibling keys or items
        "#]],
    );
    check(
        "list:\n  - a\n  b\n  - c\n",
        &expect![[r#"
            14 "b": expected a list item; add `- `, or indent the line to continue the item above
        "#]],
    );
    check(
        "list:\n- a: 1\nx: 1\n- b\n",
        &expect![[r#"
            18 "-": unexpected list item between keys; write the key of the list on the line before, or remove the dash
        "#]],
    );
}

#[test]
fn items_begin_with_a_dash_on_a_line() {
    check(
        "a: - b\n   - c\n",
        &expect![[r#"
        3 "-": a list cannot begin on the line of its key; move `- ` to the next line
    "#]],
    );
    check(
        "a:\n- b\n-c\n",
        &expect![[r#"
            7 "-": missing space after the dash; write `- item`
        "#]],
    );
}

#[test]
fn text_stands_at_the_column_of_its_first_line() {
    check(
        "a: |\n   foo\n  bar\n   baz\n",
        &expect![[r#"
            12 "  ": the indentation of this line does not match the block that begins with `|` or `>`; align it with the first line of the block
        "#]],
    );
    check(
        "a: |\n\n     \n  foo\n",
        &expect![[r#"
            6 "     ": the indentation of this line does not match the block that begins with `|` or `>`; align it with the first line of the block
        "#]],
    );
    check(
        " a: 1\nb: 2\n",
        &expect![[r#"
            6 "b": Kubernetes ignores everything from here to the next `---`, because the value above ends the document; check the indentation, or write `---` before a new document
        "#]],
    );
    check(
        "[a]\nb\n",
        &expect![[r#"
            4 "b": Kubernetes ignores everything from here to the next `---`, because the value above ends the document; check the indentation, or write `---` before a new document
        "#]],
    );
}

#[test]
fn values_begin_with_few_signs() {
    check(
        "a: @b\nc: `d`\ne: %f\ng: ? h\n",
        &expect![[r#"
            3 "@": a value cannot start with `@`; quote it
            9 "`": a value cannot start with a backtick; quote it
            16 "%": a value cannot start with `%`; quote it
            22 "?": a value cannot start with `?`; quote it
        "#]],
    );
    check(
        "a: > text\n  more\n",
        &expect![[r#"
            5 "text": only `+`, `-`, a digit and a comment can follow `|` or `>`; start the string on the next line
        "#]],
    );
    check(
        "a: [@b, | c]\n",
        &expect![[r#"
            4 "@": a value cannot start with `@`; quote it
            8 "|": a value cannot start with `|`; quote it
        "#]],
    );
}

#[test]
fn templates_are_reported_once() {
    check(
        "a: {{ .Values.a }}\n{{- if .b }}\nc: 1\n{{- end }}\nd: [{{ e }}]\n",
        &expect![[r#"
            3 "{{ .Values.a }}": this looks like a template, such as a Helm template; templates are not YAML, so render it first
        "#]],
    );
    check(
        "{% if x %}\na: 1\n",
        &expect![[r#"
            0 "{% if x %}": this looks like a template, such as a Helm template; templates are not YAML, so render it first
        "#]],
    );
    check("a: x{{ b }}\nc: \"{{ d }}\"\n", &expect![[r#""#]]);
}

#[test]
fn escapes_are_those_of_yaml() {
    check(
        "a: \"\\q \\u12 \\ud800 \\😀\"\n",
        &expect![[r#"
            4 "\\q": unknown escape `\q`; write `\\` for a backslash, or use single quotes
            7 "\\u": `\u` requires 4 hexadecimal digits
            12 "\\ud800": U+D800 is not a valid character
            19 "\\😀": unknown escape `\😀`; write `\\` for a backslash, or use single quotes
        "#]],
    );
    check(
        "a: \"\\ud83d\\ude00 \\/\"\n",
        &expect![[r#"
            4 "\\ud83d\\ude00": Kubernetes does not support surrogate pairs in escapes; write the character itself, or `\U` and eight digits
            17 "\\/": unknown escape `\/`; write `/`
        "#]],
    );
    check(
        "{\"a\": \"\\ud83d\\ude00 \\/ \\ud800\"}\n",
        &expect![[r#""#]],
    );
}

#[test]
fn aliases_need_their_anchor() {
    check(
        "a: *b\nc: &c [*c]\nd: *\n",
        &expect![[r#"
            3 "*b": unknown anchor `b`; define `&b` before this alias, or quote the value
            13 "*c": the value of `&c` contains itself through this alias
            20 "*": missing name; write letters, digits, `-` or `_` after `&` or `*`
        "#]],
    );
    check(
        "a: &x &y 1\nb: &z *x\n",
        &expect![[r#"
            6 "&y": a value can have at most one tag and one anchor, and an alias neither; remove this one
            17 "*x": a value can have at most one tag and one anchor, and an alias neither; remove this one
        "#]],
    );
}

#[test]
fn tags_suit_their_values() {
    check(
        "a: !!int x\nb: !!binary é\nc: !d!e f\ng: !!str,h\n",
        &expect![[r#"
            3 "!!int": the value does not match this tag; change the tag or the value
            14 "!!binary": the value does not match this tag; change the tag or the value
            29 "!d!e": unknown tag; use one such as `!!str`, followed by a space
        "#]],
    );
}

#[test]
fn keys_are_scalars() {
    check(
        "[a]: 1\n{b: c}: 2\n~: 3\n",
        &expect![[r#"
            0 "[a]": keys must be strings, numbers or booleans
            7 "{b: c}": keys must be strings, numbers or booleans
            17 "~": keys must be strings, numbers or booleans
        "#]],
    );
    check(
        "<<: 1\na: &a [x]\nb: {<<: *a}\n",
        &expect![[r#"
            4 "1": `<<` requires a mapping, or a list of mappings
            24 "*a": `<<` requires a mapping, or a list of mappings
        "#]],
    );
    check(
        "\"a\n  b\": 1\n",
        &expect![[r#"
            0 "\"a\n  b\"": a key and its colon must be on one line
        "#]],
    );
    let stream = parse(
        format!(
            "{}: 1
",
            "é".repeat(1025)
        )
        .into(),
    );
    let kinds: Vec<_> = stream.errors().iter().map(|error| &error.kind).collect();
    assert_eq!(kinds, [&SyntaxErrorKind::KeyTooLong]);
}

#[test]
fn valid_files_have_no_mistakes() {
    for text in [
        "",
        "# c\n",
        "---\n# c\n---\n",
        "a:\n- b\n- - c\n  - d\ne:\n  - f\n",
        "? a\n: b\n? c\n: - d\n",
        "a: 'x\nb: y'\n",
        "a: \"x\n- y\"\n",
        "a: [\nb: c,\nd\n]\n",
        "{\n\"a\": {\n\"b\": [\n1,\n2\n]\n}\n}\n",
        "a: |\n  {{ x }}\n  y: [\n# c\nb: 1\n",
        "a: x\n  - y\n  z ? u\n",
    ] {
        assert_eq!(parse(text.into()).errors(), [], "{text:?}");
    }
}
