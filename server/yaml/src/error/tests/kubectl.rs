//! How kubectl reads a file before its documents: separators, JSON, and what Kubernetes drops.

use super::check;
use crate::{SyntaxErrorKind, parse};
use expect_test::expect;

#[test]
fn documents_are_separated_as_kubectl_does_it() {
    check(
        "%YAML 1.1\n---\na: 1\n--- b\nc: 1\n----\n",
        &expect![[r#"
            0 "%YAML 1.1": Kubernetes rejects `%` directives; remove the line
            23 "b": only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line
            33 "-": only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line
        "#]],
    );
    check(
        "--- |0\n",
        &expect![[r#"
            4 "|0": only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line
        "#]],
    );
    check(
        "a: 1\n---\n--- b\n",
        &expect![[r#"
            13 "b": only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line
        "#]],
    );
    check(
        "a: 1\n--- b\n---\nc: 1\n",
        &expect![[r#"
            9 "b": only a comment can follow `---` on its line, otherwise Kubernetes ignores the document above and everything below; move this to the next line
        "#]],
    );
}

#[test]
fn a_document_ends_with_three_dots() {
    check(
        "a: 1\n...\nb: 2\n",
        &expect![[r#"
            9 "b: 2": Kubernetes ignores everything from here to the next `---`, because `...` ends the document; write `---` instead
        "#]],
    );
    check(
        "...\n",
        &expect![[r#"
            0 "...": unexpected `...`, as there is no document to end; remove it
        "#]],
    );
}

#[test]
fn control_characters_are_reported_once() {
    check(
        "a: x\0\0y\u{7}\n",
        &expect![[r#"
            4 "\0": the character U+0000 is not allowed in YAML; remove it, or write it as an escape in double quotes
            7 "\u{7}": the character U+0007 is not allowed in YAML; remove it, or write it as an escape in double quotes
        "#]],
    );
}

#[test]
fn what_kubernetes_drops_is_named() {
    check(
        "  a: 1\n  b:\n - 😀\n",
        &expect![[r#"
            13 "-": Kubernetes ignores everything from here to the next `---`, because the value above ends the document; check the indentation, or write `---` before a new document
        "#]],
    );
    check(
        "{a: 1} }\n",
        &expect![[r#"
            7 "}": Kubernetes ignores everything from here to the next `---`, because the value above ends the document; check the indentation, or write `---` before a new document
        "#]],
    );
    check(
        "a: 1\r\n%YAML 1.2\r\n",
        &expect![[r#"
        6 "%YAML 1.2": Kubernetes ignores everything from here to the next `---`, because a directive ends the document; remove the line
    "#]],
    );
    check(
        "a: 1\n%if\n",
        &expect![[r#"
            5 "%if": Kubernetes rejects `%` directives; remove the line
        "#]],
    );
}

#[test]
fn json_is_read_as_json_only_as_a_whole() {
    let json = "{\"a\"\n: \"\\/\\ud83d\\ude00\"";
    check(&format!("{json}}}\n"), &expect![""]);
    check(
        &format!("{json},}}\n"),
        &expect![[r#"
            1 "\"a\"": a key and its colon must be on one line
            8 "\\/": unknown escape `\/`; write `/`
            10 "\\ud83d\\ude00": Kubernetes does not support surrogate pairs in escapes; write the character itself, or `\U` and eight digits
        "#]],
    );
    check(
        &format!("---\n{json}}}\n"),
        &expect![[r#"
            5 "\"a\"": a key and its colon must be on one line
            12 "\\/": unknown escape `\/`; write `/`
            14 "\\ud83d\\ude00": Kubernetes does not support surrogate pairs in escapes; write the character itself, or `\U` and eight digits
        "#]],
    );
    check(
        &format!("{json}\n"),
        &expect![[r#"
            0 "{": unclosed `{`; add `}`
        "#]],
    );
}

#[test]
fn comments_in_json_begin_with_a_hash() {
    check(
        "# 😀\n{\n  \"a\": 1, # c\n  # d\n  \"b\": 2 // is text\n}\n",
        &expect![""],
    );
    check(
        "{\n  // 😀\n  // d, e\n  \"a\": 1\n}\n",
        &expect![[r#"
            4 "// 😀": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check(
        "// c\r\n\r\n/* d\r\n */\r\n{\"a\": \"b\" // e\r\n}\r\n",
        &expect![[r#"
            0 "// c": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check(
        "{\"a\": /* c\n */\n [ // d\n {}], \"b\": {} /* e */\n}\n",
        &expect![[r#"
            6 "/* c\n */": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check(
        "{\"a\": 1, // c\n \"b\": 2}\n",
        &expect![[r#"
            9 "// c": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check("{//a: b, /*c: d}\n", &expect![""]);
}

#[test]
fn directive_begins_no_document() {
    check(
        "# c\n%TAG ! tag:a,2000:\n%FOO\n---\na: 1\n---\n%YAML 1.3\n",
        &expect![[r#"
            4 "%TAG ! tag:a,2000:": Kubernetes rejects `%` directives; remove the line
            23 "%FOO": Kubernetes rejects `%` directives; remove the line
            41 "%YAML 1.3": Kubernetes rejects `%` directives; remove the line
        "#]],
    );
}

#[test]
fn byte_order_mark_begins_file_or_document_only() {
    for text in [
        "\u{FEFF}a: 1\n",
        "\u{FEFF}---\na: 1\n",
        "b: 2\r\n---\r\n\u{FEFF}a: 1\r\n",
        "---\n---\n\u{FEFF}a: 1\n",
    ] {
        check(text, &expect![""]);
    }
    for text in [
        "---\n\u{FEFF}a: 1\n",
        "b: 2\n---\n--- # c\n\u{FEFF}a: 1\n",
        "---\n\n\u{FEFF}a: 1\n",
    ] {
        let stream = parse(text.into());
        let kinds: Vec<_> = stream.errors().iter().map(|error| &error.kind).collect();
        assert_eq!(kinds, [&SyntaxErrorKind::ByteOrderMark], "{text:?}");
        let root = stream.documents().last().unwrap().root().unwrap();
        assert_eq!(root.get("a").unwrap().text(), "1");
    }
    check(
        "a: 1\n\u{FEFF}---\nb: 2\n",
        &expect![[r#"
        5 "\u{feff}": Kubernetes reads this byte order mark as a part of the first key; remove it
    "#]],
    );
}

#[test]
fn comment_before_json_can_be_on_its_line() {
    check(
        "/* c */ /* d */{\"a\": 1}\n",
        &expect![[r#"
            0 "/* c */": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check(
        "{\"a\": /* 😀 */ [1], \"b\": \"c\" /* d */, \"e\": 2}\n",
        &expect![[r#"
            6 "/* 😀 */": Kubernetes rejects this comment; write it at the end of a line after `#`, which kubectl accepts in JSON files as well
        "#]],
    );
    check("{/* c */ \"a\": /* d */ 1}\n", &expect![""]);
}
