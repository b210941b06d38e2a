//! The texts of parts.

use super::super::{JsonReader, SelectParts};
use super::PartTexts;
use cel::Value;
use policy::parts::{Parts, Readers};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use std::sync::Arc;

/// Compares all objects, and reads them for some readers.
struct Compared {
    parts: Arc<Parts>,
    readers: Readers,
}

impl SelectParts for Compared {
    fn parts(&mut self, _: &str, _: &str) -> Option<Arc<Parts>> {
        Some(Arc::clone(&self.parts))
    }

    fn suffices(&self, _: &Value) -> bool {
        true
    }

    fn compared_parts(&mut self, _: &str, _: &str) -> Option<Arc<Parts>> {
        Some(Arc::clone(&self.parts))
    }

    fn readers(&mut self, _: &PartTexts) -> Readers {
        self.readers
    }
}

/// Returns the text and the value of an object for each reader of some paths.
fn read(fields: &str, readers: &[&[&[&str]]]) -> Option<Vec<(String, String)>> {
    let parts: Vec<Parts> = readers
        .iter()
        .map(|paths| {
            let mut parts = Parts::default();
            paths.iter().for_each(|path| parts.add_path(path));
            parts
        })
        .collect();
    let parts = Arc::new(Parts::join(&parts));
    let text = format!(r#"{{"apiVersion":"v1","kind":"Pod",{fields}}} rest"#);
    let each = (0..readers.len()).map(|reader| {
        let mut one = Readers::default();
        one.add(reader);
        let mut select = Compared {
            parts: Arc::clone(&parts),
            readers: one,
        };
        let mut json = JsonReader::default();
        let read = json.read_parts(&text, None, &mut select)?;
        assert!(read.is_compared);
        assert_eq!(text.get(read.end..), Some(" rest"));
        let text = String::from_utf8(json.texts().text(reader).to_vec()).unwrap();
        Some((text, read.value?.to_string()))
    });
    each.collect()
}

#[track_caller]
fn check(fields: &str, readers: &[&[&[&str]]], expected: &[(&str, &str)]) {
    let read = read(fields, readers).unwrap();
    let read: Vec<(&str, &str)> = read
        .iter()
        .map(|(text, value)| (text.as_str(), value.as_str()))
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn each_reader_has_a_text() {
    check(
        r#""a" : { "b": [1, "x\n"], "c": -0.5 }, "d": true"#,
        &[&[&["a", "b"]], &[&["a", "c"], &["d"]], &[&["a"]], &[&["e"]]],
        &[
            (
                r#"{"a" :{"b":[1, "x\n"]}}"#,
                "{apiVersion: v1, kind: Pod, a: {b: [1, x\n]}}",
            ),
            (
                r#"{"a" :{"c":-0.5},"d":true}"#,
                "{apiVersion: v1, kind: Pod, a: {c: -0.5}, d: true}",
            ),
            (
                r#"{"a" :{"b":[1, "x\n"],"c":-0.5}}"#,
                "{apiVersion: v1, kind: Pod, a: {b: [1, x\n], c: -0.5}}",
            ),
            ("{}", "{apiVersion: v1, kind: Pod}"),
        ],
    );
}

#[test]
fn a_list_keeps_its_length() {
    check(
        r#""a": [{"b": 1}, [], "x"], "c": {"d": [1]}"#,
        &[&[&["a", "b"]], &[&["c", "d", "e"]]],
        &[
            (
                r#"{"a":[___]}"#,
                "{apiVersion: v1, kind: Pod, a: [0, 0, 0]}",
            ),
            (
                r#"{"c":{"d":[_]}}"#,
                "{apiVersion: v1, kind: Pod, c: {d: [0]}}",
            ),
        ],
    );
}

#[test]
fn an_object_that_no_reader_needs_has_no_value() {
    let mut select = Compared {
        parts: Arc::new(Parts::join(&[])),
        readers: Readers::default(),
    };
    let text = r#"{"apiVersion":"v1","kind":"Pod","a":[1,{"b":"c"}]}"#;
    let read = JsonReader::default()
        .read_parts(text, None, &mut select)
        .unwrap();
    assert!(read.value.is_none());
    assert_eq!(read.end, text.len());
}

/// Returns JSON with few distinct values.
fn json() -> impl Strategy<Value = String> {
    let leaf = any::<u8>()
        .prop_map(|it| ["1", "10", "\"1\"", "\"_\"", "null", "\"#\""][it as usize % 6].to_owned());
    leaf.prop_recursive(3, 12, 3, |inner| {
        (
            proptest::collection::vec((any::<bool>(), inner), 0..3),
            any::<bool>(),
        )
            .prop_map(|(items, is_list)| {
                let entry = |(is_a, value): (bool, String)| match (is_list, is_a) {
                    (true, _) => value,
                    (false, true) => format!("\"a\":{value}"),
                    (false, false) => format!("\"b\":{value}"),
                };
                let items: Vec<String> = items.into_iter().map(entry).collect();
                let items = items.join(",");
                if is_list {
                    format!("[{items}]")
                } else {
                    format!("{{{items}}}")
                }
            })
    })
}

proptest! {
    /// Objects with the same text have the same parts.
    #[test]
    fn a_text_determines_the_parts(one in json(), other in json()) {
        let readers: [&[&[&str]]; 3] = [&[&["a", "a"]], &[&["a", "b", "a"], &["b"]], &[&["a"]]];
        let fields = |json: &str| format!("\"a\":{json},\"b\":{json}");
        let (Some(one), Some(other)) = (read(&fields(&one), &readers), read(&fields(&other), &readers)) else {
            return Ok(());
        };
        for ((text, value), (other_text, other_value)) in one.into_iter().zip(other) {
            if text == other_text {
                prop_assert_eq!(&value, &other_value);
            }
            let is_map = text.starts_with('{') && text.ends_with('}');
            prop_assert!(is_map);
        }
    }
}
