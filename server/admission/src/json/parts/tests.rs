//! The parts of objects compared with the whole objects.

use super::{JsonReader, Key, Parts, SelectParts, Value};
use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
use std::sync::Arc;

/// The same parts for every object.
struct Always(Arc<Parts>);

impl SelectParts for Always {
    fn parts(&mut self, _: &str, _: &str) -> Option<Arc<Parts>> {
        Some(Arc::clone(&self.0))
    }

    fn suffices(&self, _: &Value) -> bool {
        true
    }
}

fn parts(paths: &[&[&str]]) -> Always {
    let mut parts = Parts::default();
    paths.iter().for_each(|path| parts.add_path(path));
    Always(Arc::new(Parts::join(&[parts])))
}

/// Reads parts of an object.
fn read(text: &str, paths: &[&[&str]]) -> Option<(Value, usize)> {
    let read = JsonReader::default().read_parts(text, None, &mut parts(paths))?;
    Some((read.value.unwrap(), read.end))
}

const TYPE: &str = r#""apiVersion":"v1","kind":"Pod""#;

#[test]
fn what_is_not_read_is_skipped() {
    let text = format!(
        r#" {{ {TYPE} , "a" : {{"b":[1, {{"c":"d\n\u00e9"}}],"e":-0.5}},"f":{{"g":[true,false,null]}},"a":{{"b":2}} }} rest"#
    );
    let (value, end) = read(&text, &[&["a", "b"]]).unwrap();
    assert_eq!(value.to_string(), "{apiVersion: v1, kind: Pod, a: {b: 2}}");
    assert_eq!(text.get(end..).unwrap(), " rest");
    let (value, _) = read(&text, &[&["f", "g", "x"]]).unwrap();
    // A list keeps its length. Go writes null as 0.
    assert_eq!(
        value.to_string(),
        "{apiVersion: v1, kind: Pod, f: {g: [0, 0, 0]}}"
    );
}

#[test]
fn what_is_left_to_the_reader_of_values() {
    for rest in [
        r#""a":1e3"#,
        r#""a":01"#,
        r#""a":1."#,
        r#""a":-"#,
        r#""a":tru"#,
        r#""a":truex"#,
        r#""a":"\x""#,
        r#""a":"\ud83d\ude00""#,
        r#""a":"\u12"#,
        "\"a\":\"\n\"",
        "\"a\":\"12345678\t\"",
        r#""a":[1,]"#,
        r#""a":{"b" 1}"#,
        r#""a":{b:1}"#,
        r#""a":[1}"#,
        r#""a":1,"#,
        r#""\u0061":1"#,
        r#""kind":"List""#,
        r#""a":1,"kind":"Pod""#,
    ] {
        let text = format!("{{{TYPE},{rest}}}");
        assert!(read(&text, &[]).is_none(), "{text}");
        assert!(read(&text, &[&["a"]]).is_none(), "{text}");
    }
    let deep = format!("{{{TYPE},\"a\":{}{}}}", "[".repeat(120), "]".repeat(120));
    assert!(read(&deep, &[]).is_none());
    assert!(JsonReader::default().read(&deep).is_ok());
    assert!(read(r#"{"a":1,"apiVersion":"v1","kind":"Pod"}"#, &[]).is_none());
    assert!(
        read(
            &format!("{{{}}}", TYPE.replace("Pod", "PodList") + ",\"a\":1"),
            &[]
        )
        .is_none()
    );
}

#[test]
fn a_type_may_come_from_a_list() {
    let mut reader = JsonReader::default();
    let mut item = |text: &str| {
        let of_list = Some(("v1", "Pod"));
        let read = reader.read_parts(text, of_list, &mut parts(&[&["a"]]));
        read.map(|read| read.value.unwrap().to_string())
    };
    assert_eq!(item(r#"{"a":1,"b":2}"#).unwrap(), "{a: 1}");
    assert_eq!(item(r#"{"kind":"Pod","a":1}"#), None);
    assert_eq!(item(r#"{"apiVersion":"","kind":"","a":1}"#), None);
}

/// Returns JSON with some names that are read.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let text = "[ -~é😀\\n\\t\\\\\"]{0,12}";
    let name = prop_oneof![3 => "[abc]", 1 => text];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        (-1000i32..1000).prop_map(|number| f64::from(number).into()),
        text.prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            proptest::collection::btree_map(name.clone(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Returns the value after all parts except the paths `a.b`, `a.c.a` and `b` have been skipped.
fn left(value: &Value, paths: &[&[&str]]) -> Value {
    if paths.iter().any(|path| path.is_empty()) {
        return value.clone();
    }
    match value {
        Value::Map(map) => {
            let entries = map.iter().filter_map(|(key, value)| {
                let Key::String(name) = key else { return None };
                let inner = paths.iter().filter_map(|path| match path.split_first() {
                    Some((first, rest)) if **first == **name => Some(rest),
                    _ => None,
                });
                let inner: Vec<&[&str]> = inner.collect();
                (!inner.is_empty()).then(|| (key.clone(), left(value, &inner)))
            });
            Value::Map(entries.collect())
        }
        Value::List(list) => Value::list(vec![Value::Null; list.len()]),
        value => value.clone(),
    }
}

proptest! {
    #[test]
    fn parts_are_parts_of_the_whole(
        value in json(),
        is_pretty: bool,
        broken in any::<(bool, usize, u8)>(),
    ) {
        let rest = if is_pretty { serde_json::to_string_pretty(&value).unwrap() } else { serde_json::to_string(&value).unwrap() };
        let mut text = format!("{{{TYPE}, \"a\": {rest}, \"b\": {rest}, \"c\": {rest}}} rest");
        if let (true, at, byte) = broken {
            let mut bytes = text.into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte % 128;
            let Ok(changed) = String::from_utf8(bytes) else { return Ok(()) };
            text = changed;
        }
        let paths: &[&[&str]] = &[&["apiVersion"], &["kind"], &["a", "b"], &["a", "c", "a"], &["b"]];
        let Some((parts, end)) = read(&text, paths) else { return Ok(()) };
        let (whole, whole_end) = JsonReader::default().read(&text).unwrap();
        prop_assert_eq!(end, whole_end);
        prop_assert_eq!(format!("{parts:?}"), format!("{:?}", left(&whole, paths)));
    }
}
