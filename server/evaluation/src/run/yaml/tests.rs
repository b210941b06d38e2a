//! Written values are read back unchanged.

use super::*;
use crate::run::read_object;
use expect_test::{Expect, expect};
use proptest::prelude::*;

#[track_caller]
fn check(object: &str, expected: &Expect) {
    let value = read_object(object).unwrap();
    let written = to_yaml(&value);
    expected.assert_eq(&written);
    assert_eq!(read_object(&written).unwrap(), value);
}

#[test]
fn the_fields_of_every_object_come_first() {
    check(
        "{spec: {b: 1, a: [x, {z: 1, x: 2}, [], {}, [p, [q]]]}, kind: A, apiVersion: v1, metadata: {name: web}}",
        &expect![[r#"
            apiVersion: v1
            kind: A
            metadata:
              name: web
            spec:
              a:
              - x
              - x: 2
                z: 1
              - []
              - {}
              -
                - p
                -
                  - q
              b: 1
        "#]],
    );
}

#[test]
fn texts_that_are_no_texts_without_quotes_have_some() {
    check(
        r#"{a: "yes", b: "1", c: "", d: "a: b", e: " x", f: "x #y", g: "😀 ok", h: "- a", i: ~, j: 1.5, k: "\ta", l: "*x", m: "a\r\nb"}"#,
        &expect![[r#"
            a: "yes"
            b: "1"
            c: ""
            d: "a: b"
            e: " x"
            f: "x #y"
            g: 😀 ok
            h: "- a"
            i: null
            j: 1.5
            k: "\ta"
            l: "*x"
            m: "a\r\nb"
        "#]],
    );
}

#[test]
fn a_text_of_several_lines_is_a_block() {
    check(
        "{a: {b: \"x\\n\\n  y\\n\", c: [\"p\\nq\"], d: \"x\\n\\n\", e: \" x\\ny\"}}",
        &expect![[r#"
            a:
              b: |
                x

                  y
              c:
              - |-
                p
                q
              d: "x\n\n"
              e: " x\ny"
        "#]],
    );
}

fn json() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        "(?s).{0,8}".prop_map(Value::string),
        "[-:#'\" \\n\\[\\]{}!&*|>%@`a,.?~0-9]{0,6}".prop_map(Value::string),
    ];
    scalar.prop_recursive(3, 20, 4, |inner| {
        let key = "[ -~\\n]{0,4}".prop_map(|key| Key::String(key.as_str().into()));
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::list),
            prop::collection::vec((key, inner), 0..4)
                .prop_map(|entries| Value::Map(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_it_was(value in json()) {
        let map: Map = [(Key::String("x".into()), value)].into_iter().collect();
        let value = Value::Map(map);
        let written = to_yaml(&value);
        prop_assert_eq!(read_object(&written).ok(), Some(value), "{}", written);
    }
}

#[test]
fn the_key_that_would_merge_is_quoted() {
    let inner: Map = [(Key::String("<<".into()), Value::Null)]
        .into_iter()
        .collect();
    let outer: Map = [(Key::String("x".into()), Value::Map(inner))]
        .into_iter()
        .collect();
    let value = Value::Map(outer);
    let written = to_yaml(&value);
    assert_eq!(read_object(&written).ok(), Some(value), "{written}");
}
