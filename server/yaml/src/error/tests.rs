//! Mistakes stand at their place, one for each, and say what to do.

mod kubectl;

use crate::{SyntaxErrorKind, parse};
use expect_test::{Expect, expect};

/// Prints each mistake as the text it stands at, with its offset, and what is said about it.
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
        3 "\t": a tab cannot indent a line in YAML; use spaces, two for each level
    "#]],
    );
    check(
        "a: |\n  x\n\ty\nb: 1\n",
        &expect![[r#"
        9 "\t": a tab cannot indent a line in YAML; use spaces, two for each level
    "#]],
    );
    check(
        "a: x\n\ty\n",
        &expect![[r#"
        5 "\t": a tab cannot indent a line in YAML; use spaces, two for each level
    "#]],
    );
    check("a:\t1 \t# c\nb: {\n\tc: 1 }\n", &expect![[r#""#]]);
}

#[test]
fn keys_need_a_colon_and_a_space() {
    check(
        "spec:\n  name:foo\n  x: 1\n",
        &expect![[r#"
        12 ":": a space is missing after the colon; write `key: value`
    "#]],
    );
    check(
        "a: 1\nmess\nb: 2\n",
        &expect![[r#"
        5 "mess": this line has no colon; write `key: value`, or indent the line if it goes on with the value above
    "#]],
    );
    check(
        "- expression\n  message: x\n",
        &expect![[r#"
        2 "expression": this line has no colon; write `key: value`, or indent the line if it goes on with the value above
    "#]],
    );
}

#[test]
fn what_stands_below_shows_a_key() {
    check(
        "spec\n  x: 1\n",
        &expect![[r#"
        0 "spec": this line has no colon; write `key: value`, or indent the line if it goes on with the value above
    "#]],
    );
    check(
        "\"key\"\nb: 1\n",
        &expect![[r#"
        0 "\"key\"": this line has no colon; write `key: value`, or indent the line if it goes on with the value above
    "#]],
    );
    check(
        ": a\nb: 1\n",
        &expect![[r#"
        0 ":": nothing stands before this colon; write a key
    "#]],
    );
    check(
        "a: 1\nhttp://x\n",
        &expect![[r#"
        5 "http://x": this line has no colon; write `key: value`, or indent the line if it goes on with the value above
    "#]],
    );
}

#[test]
fn a_value_with_a_colon_needs_quotes() {
    check(
        "message: error: no 😀\nb: 1\n",
        &expect![[r#"
        9 "error: no 😀": a colon with a space behind it begins a value, but this already is one; put the value in quotes
    "#]],
    );
    check(
        "{message: error: x}\n",
        &expect![[r#"
        10 "error: x": a colon with a space behind it begins a value, but this already is one; put the value in quotes
    "#]],
    );
    check(
        "{a: 1 b: 2}\n",
        &expect![[r#"
        5 "": a comma is missing here
    "#]],
    );
}

#[test]
fn quotes_are_closed_where_they_should_be() {
    check(
        "a: \"foo\nb: 1\nc: \"x\"\n",
        &expect![[r#"
        3 "\"": the closing `"` of this text is missing
    "#]],
    );
    check(
        "- 'foo\n- \"b\"\n",
        &expect![[r#"
        2 "'": the closing `'` of this text is missing
    "#]],
    );
    check(
        "a: 'it's'\nb: \"say \"hi\"\"\n",
        &expect![[r#"
        6 "'": this quote ends the text; write `''` for a quote within it
        18 "\"": this quote ends the text; write `\"` for a quote within it
    "#]],
    );
    check(
        "a: 'x' y\n",
        &expect![[r#"
        7 "y": the value has ended, so this text belongs to nothing; remove it, or put all of the value in quotes
    "#]],
    );
    check(
        "a: [\"x]\nb: [\"y\"]\n",
        &expect![[r#"
        4 "\"": the closing `"` of this text is missing
    "#]],
    );
    check(
        "a: \"foo",
        &expect![[r#"
        3 "\"": the closing `"` of this text is missing
    "#]],
    );
}

#[test]
fn brackets_are_closed_where_they_should_be() {
    check(
        "a: [1, 2\nb: {x: 1\nc: 1\n",
        &expect![[r#"
        3 "[": this `[` is not closed; add `]`
        12 "{": this `{` is not closed; add `}`
    "#]],
    );
    check(
        "a: [\nb: [x]\nc: 1\n",
        &expect![[r#"
        3 "[": this `[` is not closed; add `]`
    "#]],
    );
    check(
        "a: [1, 2}\nb: 1\n",
        &expect![[r#"
        8 "}": `]` is needed here, not `}`
    "#]],
    );
}

#[test]
fn brackets_and_commas_stand_for_something() {
    check(
        "a: ]\nb: [x], y\n",
        &expect![[r#"
        3 "]": nothing is open that this `]` could close; remove it, or put the value in quotes
        11 ", y": the value has ended, so this text belongs to nothing; remove it, or put all of the value in quotes
    "#]],
    );
}

#[test]
fn braces_of_json_are_closed_where_they_should_be() {
    check(
        "{\n  \"a\": {\"b\": 1,\n  \"c\": [1\n}\n",
        &expect![[r#"
        9 "{": this `{` is not closed; add `}`
        25 "[": this `[` is not closed; add `]`
    "#]],
    );
    check(
        "{\n  \"a\"\n    \"b\": 1\n  }\n}\n",
        &expect![[r#"
        7 "": `{` is missing before the keys of this value
    "#]],
    );
    check(
        "[a, , b c: d]\n",
        &expect![[r#"
        4 ",": nothing stands before this comma; remove it, or write a value
    "#]],
    );
    check(
        "{\"a\": 1\n \"b\": 2}\n",
        &expect![[r#"
        7 "": a comma is missing here
    "#]],
    );
    check(
        "x: [object.?a, b[0]]\n",
        &expect![[r#"
        11 "?": `?` cannot stand in a text without quotes inside `[…]` or `{…}`; put the text in quotes
        16 "[": `[` cannot stand in a text without quotes inside `[…]` or `{…}`; put the text in quotes
    "#]],
    );
}

#[test]
fn lines_stand_at_the_column_of_their_neighbours() {
    check(
        "a: 1\n  b: 2\n  c: 3\nd: 4\n",
        &expect![[r#"
        7 "b": this line is indented like none of the lines above; align it with the keys or items that it belongs to
    "#]],
    );
    check(
        "a:\n    b: 1\n  c: 2\n  d: 3\ne: 1\n",
        &expect![[r#"
        14 "c": this line is indented like none of the lines above; align it with the keys or items that it belongs to
    "#]],
    );
    check(
        "list:\n  - a\n  b\n  - c\n",
        &expect![[r#"
        14 "b": this line stands among list items but does not begin with `- `; add the dash, or indent the line as the item above
    "#]],
    );
    check(
        "list:\n- a: 1\nx: 1\n- b\n",
        &expect![[r#"
        18 "-": this list item stands among keys; write the key of the list on the line before, or remove the dash
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
        7 "-": a space is missing after the dash; write `- item`
    "#]],
    );
}

#[test]
fn text_stands_at_the_column_of_its_first_line() {
    check(
        "a: |\n   foo\n  bar\n   baz\n",
        &expect![[r#"
        12 "  ": this line does not match the indentation of the text that begins with `|` or `>`; align it with the first line of the text
    "#]],
    );
    check(
        "a: |\n\n     \n  foo\n",
        &expect![[r#"
        6 "     ": this line does not match the indentation of the text that begins with `|` or `>`; align it with the first line of the text
    "#]],
    );
    check(
        " a: 1\nb: 2\n",
        &expect![[r#"
            6 "b": Kubernetes ignores everything from here to the next `---`, because the document ends with the value above; check the indentation, or write `---` before a new document
        "#]],
    );
    check(
        "[a]\nb\n",
        &expect![[r#"
            4 "b": Kubernetes ignores everything from here to the next `---`, because the document ends with the value above; check the indentation, or write `---` before a new document
        "#]],
    );
}

#[test]
fn values_begin_with_few_signs() {
    check(
        "a: @b\nc: `d`\ne: %f\ng: ? h\n",
        &expect![[r#"
        3 "@": a value cannot begin with `@`; put it in quotes
        9 "`": a value cannot begin with a backtick; put it in quotes
        16 "%": a value cannot begin with `%`; put it in quotes
        22 "?": a value cannot begin with `?`; put it in quotes
    "#]],
    );
    check(
        "a: > text\n  more\n",
        &expect![[r#"
        5 "text": only `+`, `-`, a digit and a comment can follow `|` or `>`; write the text on the next line
    "#]],
    );
    check(
        "a: [@b, | c]\n",
        &expect![[r#"
        4 "@": a value cannot begin with `@`; put it in quotes
        8 "|": a value cannot begin with `|`; put it in quotes
    "#]],
    );
}

#[test]
fn templates_are_reported_once() {
    check(
        "a: {{ .Values.a }}\n{{- if .b }}\nc: 1\n{{- end }}\nd: [{{ e }}]\n",
        &expect![[r#"
            3 "{{ .Values.a }}": this looks like a template, of Helm for example; render it first, because templates are not YAML
        "#]],
    );
    check(
        "{% if x %}\na: 1\n",
        &expect![[r#"
        0 "{% if x %}": this looks like a template, of Helm for example; render it first, because templates are not YAML
    "#]],
    );
    check("a: x{{ b }}\nc: \"{{ d }}\"\n", &expect![[r#""#]]);
}

#[test]
fn escapes_are_those_of_yaml() {
    check(
        "a: \"\\q \\u12 \\ud800 \\😀\"\n",
        &expect![[r#"
        4 "\\q": there is no escape `\q`; write `\\` for a backslash, or use single quotes
        7 "\\u": `\u` needs 4 hexadecimal digits
        12 "\\ud800": there is no character with the number D800
        19 "\\😀": there is no escape `\😀`; write `\\` for a backslash, or use single quotes
    "#]],
    );
    check(
        "a: \"\\ud83d\\ude00 \\/\"\n",
        &expect![[r#"
        4 "\\ud83d\\ude00": Kubernetes does not read a character in two escapes; write the character itself, or `\U` and eight digits
        17 "\\/": Kubernetes does not know the escape `\/`; write `/`
    "#]],
    );
    check("{\"a\": \"\\ud83d\\ude00 \\/\"}\n", &expect![[r#""#]]);
}

#[test]
fn aliases_need_their_anchor() {
    check(
        "a: *b\nc: &c [*c]\nd: *\n",
        &expect![[r#"
        3 "*b": no anchor `&b` stands before this alias; add it, or put the value in quotes
        13 "*c": `*c` stands within `&c`, so the value would contain itself
        20 "*": a name is missing here; write letters, digits, `-` or `_` after `&` or `*`
    "#]],
    );
    check(
        "a: &x &y 1\nb: &z *x\n",
        &expect![[r#"
        6 "&y": a value can have one tag and one anchor, and an alias none; remove the second
        17 "*x": a value can have one tag and one anchor, and an alias none; remove the second
    "#]],
    );
}

#[test]
fn tags_suit_their_values() {
    check(
        "a: !!int x\nb: !!binary é\nc: !d!e f\ng: !!str,h\n",
        &expect![[r#"
            3 "!!int": the value cannot be read as this tag says; change the tag or the value
            14 "!!binary": the value cannot be read as this tag says; change the tag or the value
            29 "!d!e": Kubernetes does not know this tag; write one such as `!!str`, followed by a space
        "#]],
    );
}

#[test]
fn keys_are_scalars() {
    check(
        "[a]: 1\n{b: c}: 2\n~: 3\n",
        &expect![[r#"
        0 "[a]": Kubernetes takes only strings, numbers and booleans as keys
        7 "{b: c}": Kubernetes takes only strings, numbers and booleans as keys
        17 "~": Kubernetes takes only strings, numbers and booleans as keys
    "#]],
    );
    check(
        "<<: 1\na: &a [x]\nb: {<<: *a}\n",
        &expect![[r#"
        4 "1": `<<` needs a mapping, or a list of mappings
        24 "*a": `<<` needs a mapping, or a list of mappings
    "#]],
    );
    check(
        "\"a\n  b\": 1\n",
        &expect![[r#"
        0 "\"a\n  b\"": a key and its colon must stand on one line
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
