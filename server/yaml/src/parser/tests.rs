//! The structure of files, intact and broken, and the limits.

use crate::{Node, NodeKind, Stream, SyntaxErrorKind, parse, parse_documents, split};
use expect_test::{Expect, expect};
use text::{TextRange, TextSize};

fn stream(text: &str) -> Stream {
    parse(text.into())
}

/// Prints the nodes like JSON, with decoded strings.
fn outline(node: Node<'_>) -> String {
    match node.kind() {
        NodeKind::Mapping(mapping) => {
            let pair = |entry: crate::Entry<'_>| {
                format!("{}: {}", outline(entry.key), outline(entry.value))
            };
            format!(
                "{{{}}}",
                mapping.entries().map(pair).collect::<Vec<_>>().join(", ")
            )
        }
        NodeKind::Sequence(sequence) => {
            format!(
                "[{}]",
                sequence.items().map(outline).collect::<Vec<_>>().join(", ")
            )
        }
        NodeKind::Scalar(_) if node.is_null() => "~".to_owned(),
        NodeKind::Scalar(scalar) => scalar.text().to_owned(),
    }
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let stream = stream(text);
    let roots = stream
        .documents()
        .map(|document| document.root().map_or(String::new(), outline));
    expected.assert_eq(&roots.collect::<Vec<_>>().join(" --- "));
}

#[test]
fn one_control_character_of_a_run_is_reported() {
    // The characters are in different blocks, next to others that only begin like them.
    let text = format!("a: é\u{1}\u{7f}{}\u{85}b\u{1}\u{fffe}ｆ\n", "x".repeat(200));
    let stream = stream(&text);
    let found = stream.errors().iter().filter_map(|error| match error.kind {
        SyntaxErrorKind::ControlCharacter(character) => {
            Some((error.range.start().into(), character))
        }
        _ => None,
    });
    let second = text.find('b').unwrap() + 1;
    let found: Vec<(usize, char)> = found.collect();
    assert_eq!(found, [(5, '\u{1}'), (second, '\u{1}')]);
}

#[test]
fn half_typed_keys_are_keys() {
    check(
        "spec:\n  a: 1\n  mess\n  b: 2\n",
        &expect!["{spec: {a: 1, mess: ~, b: 2}}"],
    );
    check(
        "spec:\n  mess\n  b: 2\n",
        &expect!["{spec: {mess: ~, b: 2}}"],
    );
    check("spe\n  a: 1\n", &expect!["{spe: {a: 1}}"]);
    check(
        "- expr\n    x &&\n    y\n  message: z\n",
        &expect!["[{expr: x && y, message: z}]"],
    );
    check("rules\n- a\n- b\nc: 1\n", &expect!["{rules: [a, b], c: 1}"]);
    check("\"me\nb: 2\n", &expect!["{me: ~, b: 2}"]);
}

#[test]
fn half_typed_values_end_with_their_line() {
    check(
        "a: \"x y\nb: 'c'\nd: \"e\"\n",
        &expect!["{a: x y, b: c, d: e}"],
    );
    check("a: [x, \"y\nb: [z]\n", &expect!["{a: [x, y], b: [z]}"]);
    check(
        "- a: {x: y,\n  b: 1\n- c: 1\n",
        &expect!["[{a: {x: y}, b: 1}, {c: 1}]"],
    );
    check(
        "a: >-\nb: |\nc: *\nd: &\ne: !\n",
        &expect!["{a: , b: , c: ~, d: ~, e: }"],
    );
    check("a: \"x y ", &expect!["{a: x y }"]);
}

#[test]
fn misplaced_lines_find_a_place() {
    check(
        "a:\n    b: 1\n  c: 2\nd: 3\n",
        &expect!["{a: {b: 1, c: 2}, d: 3}"],
    );
    check(
        "- a: 1\n b: 2\n- c: 3\n",
        &expect!["[{a: 1, b: 2}, {c: 3}]"],
    );
    check(
        "x:\n  - a: 1\n  b: 2\n  - c: 3\n",
        &expect!["{x: [{a: 1, b: 2}, {c: 3}]}"],
    );
    check(
        "x:\n- a: 1\ny: 2\n- c: 3\n",
        &expect!["{x: [{a: 1}], y: 2, ~: [{c: 3}]}"],
    );
    check(
        "a: |\n    x\n   y\n  z\nb: 1\n",
        &expect![[r#"
        {a: x
        y
        z
        , b: 1}"#]],
    );
}

#[test]
fn json_is_read_while_it_is_typed() {
    check(
        "{\n  \"a\": \"x\n  \"b\": {\n    \"c\": 1\n  }\n}\n",
        &expect!["{a: x, b: {c: 1}}"],
    );
    check(
        "{\n  \"a\":\n  \"b\": {\"c\": 1,\n  \"d\": [1, 2\n}\n",
        &expect!["{a: ~, b: {c: 1}, d: [1, 2]}"],
    );
    check(
        "{\n  \"sp\n    \"b\": 1\n  },\n  \"c\": 2\n}\n",
        &expect!["{sp: {b: 1}, c: 2}"],
    );
}

#[test]
fn the_last_line_of_a_file_has_a_line_break() {
    for (text, expected) in [
        ("a: |\n  x", "x\n"),
        ("a: >\n  x\n  y", "x y\n"),
        ("a: |-\n  x", "x"),
        ("a: |+\n  x", "x\n"),
        ("a: |+\n  x\n  ", "x\n\n"),
        ("a: |\n  x\n   ", "x\n \n"),
        ("a: |\n  x\n  ", "x\n"),
        ("a: |+\n   ", "\n"),
        ("a: |+\n", ""),
        ("a: |+", ""),
        ("a: |", ""),
        ("a: |\n  x\r", "x\n"),
        ("a: |+\n  x\n# c", "x\n"),
        ("a: 'x", "x"),
        ("a: x", "x"),
    ] {
        let stream = parse(text.into());
        let root = stream.documents().next().unwrap().root().unwrap();
        assert_eq!(root.get("a").unwrap().text(), expected, "{text:?}");
        let scalar = root.get("a").unwrap().as_scalar().unwrap();
        let decoded = u32::try_from(expected.len()).unwrap();
        assert_eq!(scalar.source_map().decoded_len(), decoded, "{text:?}");
    }
}

#[test]
fn collections_nest_in_every_way() {
    check(
        "- - a\n  - b: c\n    d:\n    - e\n-\n  f\n",
        &expect!["[[a, {b: c, d: [e]}], f]"],
    );
    check(
        "? a\n: b\n? [c]\n: - d\n  - e\n? f\n",
        &expect!["{a: b, [c]: [d, e], f: ~}"],
    );
    check(
        "[a: b, ? c : d, {e, f: }, [[]]]\n",
        &expect!["[{a: b}, {c: d}, {e: ~, f: ~}, [[]]]"],
    );
    check("&a a: &b\n  !!str c: *a\n", &expect!["{a: {c: a}}"]);
    check(
        "a:\n|\n  x\nb: 1\n",
        &expect![[r#"
        {a: x
        , b: 1}"#]],
    );
}

#[test]
fn documents_stand_alone() {
    check(
        "a: \"x\n---\nb: [\n---\nc: 1\n",
        &expect!["{a: x} --- {b: []} --- {c: 1}"],
    );
    check(
        "\u{FEFF}---\na: &x 1\n--- # c\nb: *x\n",
        &expect!["{a: 1} --- {b: ~}"],
    );
    check("# c\n---\r\na: 1\r\n", &expect![" --- {a: 1}"]);
    check("a: 1\rb: 2\r", &expect!["{a: 1, b: 2}"]);
    let stream = stream("a: 1\n---\nb: [\n---\nc: 1\n");
    let recovered: Vec<bool> = stream.documents().map(crate::Document::recovered).collect();
    assert_eq!(recovered, [false, true, false]);
}

#[test]
fn the_document_around_a_range_is_found() {
    let text = "a: 1\n---\nb: [c]\n---\n\u{1f600}: d\n";
    let stream = stream(text);
    let around = |part: &str| {
        let start = u32::try_from(text.find(part).unwrap()).unwrap();
        let range = TextRange::at(start.into(), TextSize::of(part));
        let range = stream.document_around(range)?.range();
        stream.documents().position(|it| it.range() == range)
    };
    assert_eq!(around("a: 1"), Some(0));
    assert_eq!(around("b: ["), Some(1));
    assert_eq!(around("d\n"), Some(2));
    assert_eq!(around("1\n---\nb"), None);
}

#[test]
fn chosen_documents_keep_their_places() {
    let text = "a: 1\n--- # c\nb: 2\n---\nc: 3\n";
    let ranges: Vec<_> = split(text).skip(1).take(1).collect();
    let stream = parse_documents(text.into(), &ranges);
    let root = stream.documents().next().unwrap().root().unwrap();
    assert_eq!(stream.documents().len(), 1);
    assert_eq!(stream.slice(root.range()), "b: 2");
    assert_eq!(stream.comments().len(), 1);
}

#[test]
fn comments_are_kept_in_order() {
    let stream = stream("# 1\na: 'x' # 2\nb: | # 3\n  # no\nc: [ # 4\n  x ] # 5\nd: x#no # 6\n# 7");
    let comments: Vec<&str> = stream
        .comments()
        .iter()
        .map(|comment| stream.slice(comment.range))
        .collect();
    assert_eq!(comments, ["# 1", "# 2", "# 3", "# 4", "# 5", "# 6", "# 7"]);
}

/// Files that cost a careless parser minutes or gigabytes, or crash it.
#[test]
fn limits_hold() {
    let deep: String = (0..2_000)
        .map(|depth| format!("{}a:\n", " ".repeat(depth)))
        .collect();
    for text in [
        "[".repeat(100_000),
        "- ".repeat(100_000),
        "{a: ".repeat(50_000),
        deep,
    ] {
        let stream = stream(&text);
        let depth = |kind: &SyntaxErrorKind| matches!(kind, SyntaxErrorKind::TooDeep(_));
        assert!(
            stream.errors().iter().any(|error| depth(&error.kind)),
            "{:.20}",
            text
        );
    }
    for line in [
        "a: \"\n",
        "a: 'x\nb: \"y\n",
        "a: [\n",
        "- {\n",
        "\"a\": {\n",
        "a:b\n",
        "]\n",
        "\ta: 1\n",
        "a: \0\n",
        "a: [{{ x }},\n",
        "-x\n",
        "a\n b\n",
    ] {
        let stream = stream(&line.repeat(40_000));
        assert!(stream.errors().len() <= 1_001, "{line:?}");
    }
    let line = "x".repeat(1_000_000);
    assert_eq!(stream(&format!("a: {line}\n")).errors(), []);
    assert_eq!(
        stream(&format!("[{}]", "{\"a\": 1},".repeat(100_000))).errors(),
        []
    );
}

#[test]
fn aliases_cannot_explode() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for number in 1..30 {
        let aliases = vec![format!("*a{}", number - 1); 9].join(", ");
        text.push_str(&format!("a{number}: &a{number} [{aliases}]\n"));
    }
    let stream = stream(&text);
    let kinds: Vec<_> = stream
        .errors()
        .iter()
        .map(|error| error.kind.clone())
        .collect();
    assert_eq!(kinds, [SyntaxErrorKind::ExcessiveAliasing]);
    let mut waiting: Vec<Node<'_>> = stream
        .documents()
        .filter_map(crate::Document::root)
        .collect();
    let mut count = 0;
    while let Some(node) = waiting.pop() {
        count += 1;
        match node.kind() {
            NodeKind::Mapping(mapping) => {
                waiting.extend(mapping.entries().map(|entry| entry.value));
            }
            NodeKind::Sequence(sequence) => waiting.extend(sequence.items()),
            NodeKind::Scalar(_) => {}
        }
    }
    assert!(count < 1_000_000, "{count}");
}
