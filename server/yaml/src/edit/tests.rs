//! Changes keep everything else as it is.

use super::{Editor, quoted, replace_entry, replace_part, replace_word};
use crate::{Node, Stream};
use expect_test::expect;
use proptest::prelude::*;
use text::{LineIndex, Span, TextEdit, apply_edits};

fn parse(text: &str) -> Stream {
    crate::parse(text.into())
}

fn root(stream: &Stream) -> Node<'_> {
    stream.documents().next().unwrap().root().unwrap()
}

fn edit(text: &str, change: impl Fn(Editor<'_>, Node<'_>) -> Option<TextEdit>) -> Option<String> {
    let stream = parse(text);
    let lines = LineIndex::new(text);
    let editor = Editor {
        text,
        lines: &lines,
    };
    let edit = change(editor, root(&stream))?;
    Some(apply_edits(text, &[edit]).unwrap())
}

fn item(root: Node<'_>, index: usize) -> Node<'_> {
    let list = root.get("list").unwrap().as_sequence().unwrap();
    list.items().nth(index).unwrap()
}

#[test]
fn an_item_goes_with_its_lines_and_comments() {
    let text =
        "list:\n  # first\n  - a: 1\n    b: |\n      x\n\n  # second\n  - a: 2 # two\n  - a: 3\n";
    let without = |index| edit(text, |editor, root| editor.remove_item(item(root, index))).unwrap();
    assert_eq!(
        without(0),
        "list:\n\n  # second\n  - a: 2 # two\n  - a: 3\n"
    );
    expect![[r#"
        list:
          # first
          - a: 1
            b: |
              x

          - a: 3
    "#]]
    .assert_eq(&without(1));
}

#[test]
fn an_item_that_shares_its_line_stays() {
    let text = "list: [{a: 1}, {a: 2}]\n";
    assert_eq!(
        edit(text, |editor, root| editor.remove_item(item(root, 0))),
        None
    );
    let text = "list:\n- - a\n  - b\n- c\n";
    assert_eq!(
        edit(text, |editor, root| {
            editor.remove_item(item(root, 0).as_sequence()?.items().next()?)
        }),
        None
    );
}

#[test]
fn a_new_entry_keeps_the_quotes_of_its_key() {
    let replaced = |text: &str| {
        let stream = parse(text);
        let entry = root(&stream).entry("a")?;
        let edits = replace_entry(entry, "b", "\"two\"")?;
        Some(apply_edits(text, &edits).unwrap())
    };
    let check = |text: &str, after: &str| assert_eq!(replaced(text).as_deref(), Some(after));
    check("a: one # why\n", "b: \"two\" # why\n");
    check("'a': |\n  one\nc: 3\n", "'b': \"two\"\nc: 3\n");
    check("{\"a\": \"one\"}\n", "{\"b\": \"two\"}\n");
    for text in [
        "a: &x one\n",
        "a: !!str one\n",
        "c: &x 1\na: *x\n",
        "a: [one]\n",
    ] {
        assert_eq!(replaced(text), None, "{text}");
    }
}

#[test]
fn an_entry_of_a_flow_mapping_goes_with_its_comma() {
    let without =
        |text: &str, key: &str| edit(text, |editor, root| editor.remove_entry(root.entry(key)?));
    let text = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
    assert_eq!(without(text, "a").unwrap(), "{\n  \"b\": 2\n}\n");
    assert_eq!(without(text, "b").unwrap(), "{\n  \"a\": 1\n}\n");
    assert_eq!(without("{a: 1, # why\n b: 2}\n", "b"), None);
    assert_eq!(without("{a: 1}\n", "a"), None);
}

#[test]
fn an_item_with_an_anchor_and_a_list_with_a_comment_stay() {
    for text in [
        "list:\n  - a: &x 1\n  - a: 2\nb: *x\n",
        "list:\n  - a: [&x 1]\nb: *x\n",
        "list: &x\n  - a: 1\nb: *x\n",
        "list: # why\n  - a: 1\nb: 2\n",
    ] {
        let removed = edit(text, |editor, root| editor.remove_item(item(root, 0)));
        assert_eq!(removed, None, "{text}");
    }
    let text = "a: &x 1\nb: *x\n";
    let removed = edit(text, |editor, root| editor.remove_entry(root.entry("a")?));
    assert_eq!(removed, None);
}

#[test]
fn a_word_goes_from_a_flow_sequence_with_its_comma() {
    let without =
        |text: &str, index: usize| edit(text, |editor, root| editor.remove_item(item(root, index)));
    let text = "list: [a, 'b' , c]\n";
    assert_eq!(without(text, 0).unwrap(), "list: ['b' , c]\n");
    assert_eq!(without(text, 1).unwrap(), "list: [a , c]\n");
    assert_eq!(without(text, 2).unwrap(), "list: [a, 'b']\n");
    assert_eq!(without("list: [a, 'b#c']\n", 1).unwrap(), "list: [a]\n");
    assert_eq!(without("list: [a, # why\n b]\n", 1), None);
    assert_eq!(without("list: [&x a, b]\n", 0), None);
    assert_eq!(without("list: [a, &x b]\n", 0), None);
    assert_eq!(without("list: [a, &x b]\n", 1), None);
    assert_eq!(without("list: [!!str a, b]\n", 0), None);
    assert_eq!(without("list: [&x a, b]\n", 1).unwrap(), "list: [&x a]\n");
}

#[test]
fn an_entry_is_added_as_the_others_are_written() {
    let add = |text: &str| {
        edit(text, |editor, root| {
            editor.add_entry(root.get("m")?.as_mapping()?, "k", "v")
        })
    };
    assert_eq!(
        add("m:\n    a: 1\nn: 2\n").unwrap(),
        "m:\n    a: 1\n    k: v\nn: 2\n"
    );
    assert_eq!(
        add("m:\r\n  a: 1 # x\r\n").unwrap(),
        "m:\r\n  a: 1 # x\r\n  k: v\r\n"
    );
    assert_eq!(add("m: {a: 1}\n").unwrap(), "m: {a: 1, k: v}\n");
    assert_eq!(
        add("{\"m\": {\"a\": 1\n}}").unwrap(),
        "{\"m\": {\"a\": 1, \"k\": \"v\"\n}}"
    );
    assert_eq!(
        add("{\r\n  \"m\": {\r\n    \"a\": 1\r\n  }\r\n}").unwrap(),
        "{\r\n  \"m\": {\r\n    \"a\": 1,\r\n    \"k\": \"v\"\r\n  }\r\n}"
    );
    assert_eq!(
        add("m:\n  a: |\n    x\n").unwrap(),
        "m:\n  a: |\n    x\n  k: v\n"
    );
    assert_eq!(add("m:\n  a:").unwrap(), "m:\n  a:\n  k: v");
}

#[test]
fn a_word_keeps_its_quotes() {
    let replace = |text: &str, word: &str| edit(text, |_, root| replace_word(root.get("a")?, word));
    assert_eq!(replace("a: x\n", "yz").unwrap(), "a: yz\n");
    assert_eq!(replace("a: 'x'\n", "yz").unwrap(), "a: 'yz'\n");
    assert_eq!(replace("a: \"\\u0061\"\n", "yz").unwrap(), "a: \"yz\"\n");
    assert_eq!(replace("a: x\n", "y: z").unwrap(), "a: \"y: z\"\n");
    assert_eq!(replace("a: |\n  x\n", "yz"), None);
    assert_eq!(replace("b: &b x\na: *b\n", "yz"), None);
}

#[test]
fn a_part_is_written_as_its_scalar_needs_it() {
    let replace = |text: &str, insert: &str| {
        edit(text, |_, root| {
            replace_part(root.get("a")?.as_scalar()?, Span::new(1, 2), insert)
        })
    };
    assert_eq!(replace("a: 'xyz'\n", "'\"").unwrap(), "a: 'x''\"z'\n");
    assert_eq!(
        replace("a: \"x\\u00e9z\"\n", "'\"\\").unwrap(),
        "a: \"x'\\\"\\\\z\"\n"
    );
    assert_eq!(replace("a: xyz\n", "123").unwrap(), "a: x123z\n");
    assert_eq!(replace("a: xyz\n", "['']").unwrap(), "a: x['']z\n");
    assert_eq!(replace("{a: xyz}\n", "['']"), None);
    assert_eq!(replace("a: xyz\n", " #"), None);
    assert_eq!(
        replace("a: |\n  xyz\n", "['']").unwrap(),
        "a: |\n  x['']z\n"
    );
}

proptest! {
    #[test]
    fn what_is_quoted_reads_as_it_was(content in "(?s).{0,12}") {
        prop_assume!(content.chars().all(|c| !matches!(c, '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}')));
        let text = format!("a: {}\n", quoted(&content));
        let stream = parse(&text);
        prop_assert_eq!(stream.errors(), &[]);
        prop_assert_eq!(root(&stream).get("a").unwrap().as_str(), Some(content.as_str()));
    }

    #[test]
    fn a_changed_part_reads_as_it_was_meant(
        before in "[a-c '\"\\\\]{0,4}", part in "[a-z]{1,3}", after in "[a-c '\"\\\\]{0,4}",
        insert in "[a-z'\"\\\\\\[\\] ]{0,5}", style in 0..3,
    ) {
        let content = format!("{before}{part}{after}");
        let written = match style {
            0 => quoted(&content),
            1 => super::single_quoted(&content),
            _ => format!("|-\n  x{content}x"),
        };
        let skip = usize::from(style == 2);
        let text = format!("a: {written}\n");
        let stream = parse(&text);
        let scalar = root(&stream).get("a").unwrap().as_scalar().unwrap();
        let start = u32::try_from(before.len() + skip).unwrap();
        let span = Span::new(start, start + u32::try_from(part.len()).unwrap());
        let edit = replace_part(scalar, span, &insert).unwrap();
        let changed = apply_edits(&text, &[edit]).unwrap();
        let stream = parse(&changed);
        let pad = "x".repeat(skip);
        let expected = format!("{pad}{before}{insert}{after}{pad}");
        prop_assert_eq!(root(&stream).get("a").unwrap().text(), expected);
    }
}

fn moved(text: &str, from: &str, to: &str) -> Option<String> {
    let stream = parse(text);
    let lines = LineIndex::new(text);
    let editor = Editor {
        text,
        lines: &lines,
    };
    let at = |path: &str| path.split('.').try_fold(root(&stream), Node::get);
    let (mapping, key) = from.rsplit_once('.')?;
    let entry = at(mapping)?.entry(key)?;
    let edits = editor.move_entry(entry, "k", at(to)?.as_mapping()?)?;
    Some(apply_edits(text, &edits).unwrap())
}

#[test]
fn an_entry_moves_with_its_lines_and_comments() {
    assert_eq!(
        moved(
            "r:\n  m:\n    a: 1\n  # é\n  b:\n    - |\n      x\n\n      y\n  c: 2\n",
            "r.b",
            "r.m"
        )
        .unwrap(),
        "r:\n  m:\n    a: 1\n    # é\n    k:\n      - |\n        x\n\n        y\n  c: 2\n"
    );
    assert_eq!(
        moved("r:\r\n  b: 1 # x\r\n  m:\r\n    a: 1", "r.b", "r.m").unwrap(),
        "r:\r\n  m:\r\n    a: 1\r\n    k: 1 # x"
    );
    // The last entry of the inner mapping stays where it is.
    assert_eq!(
        moved("r:\n  m:\n    a: 1\n    b: 2\n", "r.m.b", "r").unwrap(),
        "r:\n  m:\n    a: 1\n  k: 2\n"
    );
    assert_eq!(
        moved("r:\n  m:\n    b: 2\n    a: 1\n  z: 1\n", "r.m.b", "r").unwrap(),
        "r:\n  m:\n    a: 1\n  z: 1\n  k: 2\n"
    );
}

#[test]
fn an_entry_that_cannot_move_stays() {
    assert_eq!(moved("r:\n  m: {a: 1}\n  b: 1\n", "r.b", "r.m"), None);
    assert_eq!(moved("r:\n  m:\n    a: 1\n  b: &x 1\n", "r.b", "r.m"), None);
    assert_eq!(moved("r:\n  m:\n    b: 1\n", "r.m.b", "r"), None);
}
