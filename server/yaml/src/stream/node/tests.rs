//! Nodes are found by their path and have the range where they are written.

use crate::{Node, NodeKind, Stream, Value, parse};
use std::collections::BTreeSet;

fn stream(text: &str) -> Stream {
    parse(text.into())
}

fn root(stream: &Stream) -> Node<'_> {
    stream.documents().next().unwrap().root().unwrap()
}

#[test]
fn paths_lead_to_values() {
    let stream =
        stream("kind: Policy # c\nspec:\n  rules:\n  - name: a\n    on: [x, 1]\n---\nb: 1\n");
    assert_eq!(stream.documents().len(), 2);
    let rules = root(&stream).get("spec").unwrap().get("rules").unwrap();
    let rule = rules.as_sequence().unwrap().items().next().unwrap();
    assert_eq!(rule.get("name").unwrap().as_str(), Some("a"));
    assert_eq!(rule.get("name").unwrap().outermost(), root(&stream));
    assert_eq!(rule.get("on"), None, "`on` is a boolean");
    let list = rule.get("true").unwrap();
    let NodeKind::Sequence(list) = list.kind() else {
        panic!("{list:?} is a list")
    };
    let values: Vec<Value> = list
        .items()
        .map(|item| item.as_scalar().unwrap().value())
        .collect();
    assert_eq!(values, [Value::Str, Value::Int(1)]);
    assert_eq!(stream.slice(stream.comments()[0].range), "# c");
}

#[test]
fn ranges_cover_what_is_written() {
    let stream = stream("a:\n  b: [x, {y: 'z'}] # c\n  d: |\n    e\n\nf:\n- g\n-\n");
    let slice = |node: Node<'_>| stream.slice(node.range()).to_owned();
    let root = root(&stream);
    assert_eq!(
        slice(root),
        "a:\n  b: [x, {y: 'z'}] # c\n  d: |\n    e\n\nf:\n- g\n-"
    );
    let a = root.get("a").unwrap();
    assert_eq!(slice(a), "b: [x, {y: 'z'}] # c\n  d: |\n    e");
    assert_eq!(slice(a.get("b").unwrap()), "[x, {y: 'z'}]");
    assert_eq!(slice(a.get("d").unwrap()), "|\n    e");
    assert_eq!(slice(a.entry("d").unwrap().key), "d");
    assert_eq!(slice(root.get("f").unwrap()), "- g\n-");
}

#[test]
fn a_missing_value_is_null_just_after_the_colon() {
    let stream = stream("a:  \nb:\n- \nc\n");
    let root = root(&stream);
    let at = |key: &str| u32::from(root.get(key).unwrap().range().start());
    assert!(root.get("a").unwrap().is_null() && root.entry("a").unwrap().has_colon());
    assert_eq!(at("a"), 2);
    let item = root
        .get("b")
        .unwrap()
        .as_sequence()
        .unwrap()
        .items()
        .next()
        .unwrap();
    assert!(item.is_null() && item.range().is_empty());
    assert_eq!(u32::from(item.range().start()), 9);
    assert!(root.get("c").unwrap().is_null() && !root.entry("c").unwrap().has_colon());
    assert_eq!(at("c"), 12);
}

#[test]
fn an_alias_reads_as_its_anchor() {
    let stream = stream("a: &x {b: 1}\nc: *x\nd: &y !!str 5\ne: *y\n");
    let root = root(&stream);
    let alias = root.get("c").unwrap();
    assert!(alias.is_alias());
    assert_eq!(stream.slice(alias.range()), "*x");
    assert_eq!(alias.get("b").unwrap().text(), "1");
    assert_eq!(alias.resolved(), root.get("a").unwrap());
    assert_eq!(alias.resolved().anchor(), Some("x"));
    assert_ne!(alias.id(), alias.resolved().id());
    assert_eq!(root.get("e").unwrap().as_str(), Some("5"));
    assert_eq!(root.get("e").unwrap().tag(), Some("!!str"));
}

#[test]
fn parents_are_the_collections_around() {
    let stream = stream("a:\n- b: c\n  d: &x e\nf: *x\n");
    let root = root(&stream);
    let list = root.get("a").unwrap();
    let item = list.as_sequence().unwrap().items().next().unwrap();
    assert_eq!(item.get("b").unwrap().parent(), Some(item));
    assert_eq!(item.entry("d").unwrap().key.parent(), Some(item));
    assert_eq!(item.parent(), Some(list));
    assert_eq!(list.parent(), Some(root));
    assert_eq!(root.get("f").unwrap().parent(), Some(root));
    assert_eq!(root.parent(), None);
}

#[test]
fn ids_are_distinct_and_ordered() {
    let stream = stream("a: [b, {c: d}]\ne: *x\n---\nf: g\n");
    let mut ids = BTreeSet::new();
    for document in stream.documents() {
        for entry in document.root().unwrap().as_mapping().unwrap().entries() {
            assert!(entry.key.id() < entry.value.id());
            assert!(ids.insert(entry.key.id()) && ids.insert(entry.value.id()));
        }
    }
    assert_eq!(ids.len(), 6);
}

#[test]
fn collections_in_brackets_are_told_apart() {
    let stream = stream("a: [b]\nc:\n- {d: e}\nf: '['\n");
    let root = root(&stream);
    let list = root.get("c").unwrap();
    let item = list.as_sequence().unwrap().items().next().unwrap();
    assert!(root.get("a").unwrap().is_flow() && item.is_flow());
    assert!(!root.is_flow() && !list.is_flow() && !root.get("f").unwrap().is_flow());
}
