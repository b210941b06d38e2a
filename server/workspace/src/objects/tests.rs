//! Reading dumps.

use super::*;
use admission::JsonReader;
use expect_test::{Expect, expect};
use std::fmt::Write as _;

/// Returns the objects and problems of a stream, one per line.
fn read<R: Read>(mut stream: ObjectStream<R>) -> String {
    let mut out = String::new();
    let mut json = JsonReader::default();
    let mut is_over = false;
    while let Some(chunk) = stream.next_chunk().unwrap() {
        assert!(chunk.len() <= 2 * MAX_OBJECT);
        let mut places = chunk.positions();
        chunk.read(&mut json, &mut |found| {
            if is_over {
                return;
            }
            let (at, text) = match found {
                Ok(object) => {
                    let at = places.find(object.start);
                    assert_eq!(at, chunk.position(object.start));
                    (at, object.value.to_string())
                }
                Err(problem) => {
                    is_over = problem.is_final;
                    (problem.position, format!("! {}", problem.kind))
                }
            };
            let text: String = text.chars().take(100).collect();
            let _ = writeln!(out, "{}:{} {text}", at.line, at.column);
        });
    }
    out
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&read(ObjectStream::new(text.as_bytes())));
}

#[test]
fn half_of_a_surrogate_pair_is_a_replacement_character() {
    let object = |text: &str| format!("{{\"kind\": \"{text}\"}}");
    let list = format!("{{\"kind\": \"List\", \"items\": [{}]}}", object("\\udc00"));
    for text in [object("a\\ud83d"), list] {
        let mut kinds = Vec::new();
        let mut stream = ObjectStream::new(text.as_bytes());
        let chunk = stream.next_chunk().unwrap().unwrap();
        chunk.read(&mut JsonReader::default(), &mut |found| {
            let value = found.unwrap().value;
            let kind = value.as_map().unwrap().get_str("kind").unwrap();
            kinds.push(kind.as_str().unwrap().to_owned());
        });
        assert!(
            kinds.len() == 1 && kinds[0].ends_with('\u{FFFD}'),
            "{kinds:?}"
        );
    }
}

#[test]
fn a_line_is_a_value() {
    check(
        "\u{FEFF}{\"a\":\"😀\"}\r\n{\"a\":2} {\"a\":3}{\"a\":4}\r\n\r\n{\"a\":5}",
        &expect![[r#"
            1:1 {a: 😀}
            2:1 {a: 2}
            2:9 {a: 3}
            2:16 {a: 4}
            4:1 {a: 5}
        "#]],
    );
}

#[test]
fn a_value_has_any_number_of_lines() {
    check(
        "{\n  \"a\": {}\n}\n{\n  \"a\": [\n{},\n{}\n]\n}",
        &expect![[r#"
            1:1 {a: {}}
            4:1 {a: [{}, {}]}
        "#]],
    );
}

#[test]
fn documents_are_yaml_or_json() {
    check(
        "# c\n---\n\n---\r\na: 😀\r\n--- # d\n{\"a\": 2}\n---\n{a: 3}\n---\n  a: 4\n",
        &expect![[r#"
            5:1 {a: 😀}
            7:1 {a: 2}
            9:1 {a: 3}
            11:3 {a: 4}
        "#]],
    );
}

#[test]
fn a_list_gives_its_items() {
    check(
        "{\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"A\"},\n {\"kind\":\"B\"}],\"kind\":\"List\"}\n[{\"kind\": \"C\"}]",
        &expect![[r#"
            1:29 {kind: A}
            2:2 {kind: B}
            3:2 {kind: C}
        "#]],
    );
    check(
        "apiVersion: v1\nitems:\n- kind: A\n- {kind: B}\n- kind: List\n  items: [{kind: C}]\nkind: List\n",
        &expect![[r#"
            3:3 {kind: A}
            4:3 {kind: B}
            5:3 {kind: C}
        "#]],
    );
}

#[test]
fn items_of_a_typed_list_are_of_its_kind() {
    check(
        "{\"items\":[{\"a\": 1},{\"kind\": \"B\"}],\"kind\":\"PodList\",\"apiVersion\":\"v1\"}\n",
        &expect![[r#"
            1:11 {apiVersion: v1, kind: Pod, a: 1}
            1:20 {kind: B}
        "#]],
    );
    check(
        "items:\n- a: 1\nkind: DeploymentList\napiVersion: apps/v1\n",
        &expect![[r#"
            2:3 {apiVersion: apps/v1, kind: Deployment, a: 1}
        "#]],
    );
    check("{\"items\":null,\"kind\":\"PodList\"}", &expect![""]);
    check("kind: PodList\nitems: []\n", &expect![""]);
}

#[test]
fn an_object_may_have_items_of_its_own() {
    check(
        "{\"kind\":\"Basket\",\"items\":[1]}\n---\nkind: Basket\nitems: [1]\n",
        &expect![[r#"
            1:1 {kind: Basket, items: [1]}
            3:1 {kind: Basket, items: [1]}
        "#]],
    );
}

#[test]
fn a_mistake_costs_one_object() {
    check(
        "{\"a\":1}\n{\"a\":tru}\n{\"a\":\n{\"a\":2}\n{\"a\" 3}\n",
        &expect![[r#"
            1:1 {a: 1}
            2:9 ! invalid JSON: expected ident
            3:6 ! invalid JSON: EOF while parsing a value
            4:1 {a: 2}
            5:6 ! invalid JSON: expected `:`
        "#]],
    );
    check(
        "a: 1\n---\na: [1\n---\n- 1\n---\ntext\n---\na: 2\n",
        &expect![[r#"
            1:1 {a: 1}
            3:4 ! invalid YAML: unclosed `[`; add `]`
            5:3 ! not a Kubernetes object: `apiVersion` and `kind` are missing
            7:1 ! not a Kubernetes object: `apiVersion` and `kind` are missing
            9:1 {a: 2}
        "#]],
    );
}

#[test]
fn a_mistake_in_a_list_of_json_ends_it() {
    check(
        "{\"kind\":\"List\",\"items\":[{\"a\":1} {\"a\":2}]}\n{\"a\":3}",
        &expect![[r#"
            1:33 ! invalid JSON: expected `,` or `]`
            2:1 {a: 3}
        "#]],
    );
}

#[test]
fn what_is_no_text_says_so() {
    let bytes = |bytes: &[u8]| read(ObjectStream::new(bytes));
    expect![[r#"
        1:1 {a: 1}
        2:7 ! not UTF-8: invalid byte; save it as UTF-8
        3:1 {a: 3}
    "#]]
    .assert_eq(&bytes(b"{\"a\":1}\n{\"a\":\"\xE9\"}\n{\"a\":3}\n"));
    expect![[r#"
        1:1 ! UTF-16 or UTF-32 text; save it as UTF-8
    "#]]
    .assert_eq(&bytes(b"\xFF\xFEa\0"));
    assert!(bytes(b"\x1F\x8B\x08").contains("compressed"));
}

#[test]
fn nothing_gives_nothing() {
    for text in ["", "\n", "---\n---\n", "# c\n", "\u{FEFF}"] {
        check(text, &expect![""]);
    }
}

/// Returns text that fills a third of a chunk.
fn filling() -> String {
    "x".repeat(CHUNK / 3)
}

/// Items that fill several chunks, with and without a kind.
fn items(count: usize, kind: &str) -> Vec<String> {
    let filling = filling();
    (0..count)
        .map(|index| {
            format!("{{{kind}\"n\":{index},\"items\":[1],\"text\":\"\\\"]}}, {filling}\"}}")
        })
        .collect()
}

/// Returns the numbers of the objects, and the problems.
fn numbers(read: &str) -> Vec<String> {
    let number = |line: &str| {
        let line = line.split_once(' ').unwrap().1;
        let end = line.find(", items").unwrap_or(line.len());
        line.get(..end).unwrap().to_owned()
    };
    read.lines().map(number).collect()
}

#[test]
fn a_large_list_is_read_piece_by_piece() {
    let items = items(20, "\"kind\":\"P\",").join(",\n");
    for (before, after) in [
        ("{\"kind\":\"List\",\"items\": [", "]} {\"z\": 1}\n"),
        ("{\"items\":[", " ],\"kind\":\"List\"}\n{\"z\": 1}"),
        ("[", "]\n{\"z\": 1}"),
    ] {
        let text = format!("{before}{items}{after}");
        let read = numbers(&read(ObjectStream::new(text.as_bytes())));
        let mut expected: Vec<String> = (0..20).map(|n| format!("{{kind: P, n: {n}")).collect();
        expected.push("{z: 1}".to_owned());
        assert_eq!(read, expected);
    }
}

#[test]
fn a_file_is_read_twice_for_a_kind_behind_the_items() {
    let json = format!(
        "{{\"apiVersion\":\"v1\",\"items\":[{}],\"metadata\":{{\"kind\":\"x\"}},\"kind\":\"PodList\"}}",
        items(8, "").join(",")
    );
    let entries: String = items(8, "")
        .into_iter()
        .map(|item| format!("- {item}\n"))
        .collect();
    let yaml = format!("apiVersion: v1\nitems:\n{entries}kind: PodList\n---\nz: 1\n");
    let expected: Vec<String> = (0..8)
        .map(|n| format!("{{apiVersion: v1, kind: Pod, n: {n}"))
        .collect();
    for (text, more) in [(json, None), (yaml, Some("{z: 1}".to_owned()))] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let read_file = read(ObjectStream::open(file.path()).unwrap());
        let mut expected = expected.clone();
        expected.extend(more);
        assert_eq!(numbers(&read_file), expected);
        let read_pipe = read(ObjectStream::new(text.as_bytes()));
        assert!(
            read_pipe.contains("! the items have no `kind`"),
            "{read_pipe}"
        );
    }
}

#[test]
fn a_large_list_in_yaml_is_read_piece_by_piece() {
    let filling = filling();
    for blanks in ["", "  "] {
        let entry = |n: usize| {
            format!(
                "{blanks}- at: {n}\n{blanks}  items:\n{blanks}  - 1\n\n# c\n{blanks}  text: |\n{blanks}    - {filling}\n"
            )
        };
        let entries: String = (0..20).map(entry).collect();
        let text =
            format!("kind: PodList\napiVersion: v1\nitems:\n{entries}metadata: {{}}\n---\nz: 1\n");
        let read = numbers(&read(ObjectStream::new(text.as_bytes())));
        let mut expected: Vec<String> = (0..20)
            .map(|n| format!("{{apiVersion: v1, kind: Pod, at: {n}"))
            .collect();
        expected.push("{z: 1}".to_owned());
        assert_eq!(read, expected);
    }
}

#[test]
fn a_large_list_that_breaks_says_where() {
    let items = items(8, "\"kind\":\"P\",");
    let cut = format!("{{\"kind\":\"List\",\"items\":[\n{}", items.join(",\n"));
    let lines = read(ObjectStream::new(cut.as_bytes()));
    assert!(
        lines.ends_with(&format!(
            "9:{} ! the list is incomplete: missing `]`\n",
            items[7].len() + 1
        )),
        "{}",
        lines.lines().last().unwrap()
    );
    let within = cut.get(..cut.len() - 3).unwrap();
    let lines = read(ObjectStream::new(within.as_bytes()));
    let place = items[7].len() - 2;
    assert!(
        lines.ends_with(&format!(
            "9:{place} ! invalid JSON: EOF while parsing a string\n"
        )),
        "{}",
        lines.lines().last().unwrap()
    );
    let broken = cut.replace("\"n\":5", "\"n\" 5") + "]}\n{\"z\":1}\n";
    let lines = read(ObjectStream::new(broken.as_bytes()));
    assert_eq!(lines.lines().count(), 6);
    assert!(
        lines.ends_with("7:17 ! invalid JSON: expected `:`\n"),
        "{}",
        lines.lines().last().unwrap()
    );
    let wrong = cut + "}\n{\"z\":1}\n";
    let lines = read(ObjectStream::new(wrong.as_bytes()));
    assert!(
        lines.ends_with("! invalid JSON: expected `,` or `]`\n"),
        "{}",
        lines.lines().last().unwrap()
    );
}

#[test]
fn an_object_that_is_too_large_is_left_out() {
    let large = "y".repeat(MAX_OBJECT + 2 * CHUNK);
    let said = "! the object is larger than 32 MiB".to_owned();
    let one = format!("{{\"a\":1}}\n{{\"a\":\"{large}\"}}\n{{\"a\":3}}\n");
    let list = format!("[{{\"a\":1}},{{\"a\":\"{large}\"}},{{\"a\":3}}]");
    let documents = format!("a: 1\n---\na: {large}\n---\na: 3\n");
    let entries = format!(
        "items:\n- a: 1\n  b: {}\n- a: {large}\n- a: 3\nkind: List\n",
        filling().repeat(4)
    );
    for text in [one, list, documents] {
        let read = read(ObjectStream::new(text.as_bytes()));
        let read = numbers(&read);
        assert_eq!(
            read,
            ["{a: 1}".to_owned(), said.clone(), "{a: 3}".to_owned()]
        );
    }
    let read = read(ObjectStream::new(
        entries.replace("items:", "kind: List\nitems:").as_bytes(),
    ));
    assert_eq!(numbers(&read)[1..], [said, "{a: 3}".to_owned()]);
}

#[test]
fn the_size_of_what_a_reader_gives_does_not_matter() {
    struct Slow<'a>(&'a [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = into.len().min(7).min(self.0.len());
            let (given, rest) = self.0.split_at(count);
            into[..count].copy_from_slice(given);
            self.0 = rest;
            Ok(count)
        }
    }
    let text = (0..100_000)
        .map(|n| format!("{{\"n\":{n}}}\n"))
        .collect::<String>();
    assert_eq!(
        read(ObjectStream::new(Slow(text.as_bytes()))),
        read(ObjectStream::new(text.as_bytes()))
    );
}
