//! Objects in JSON as CEL sees them.
//!
//! A dump of a cluster holds gigabytes of JSON. It is read directly into values, without an
//! intermediate tree, and has the same values as [`object`](super::object()) returns for the same
//! content as YAML. A reader shares the strings of keys, which repeat in every object.
//!
//! Upstream: kubernetes/apimachinery, pkg/util/json/json.go, ConvertInterfaceNumbers. Go
//! writes `1.0` as `1`, so a number without a fraction is an integer.

mod head;
mod keys;
mod parts;
mod scan;
mod texts;

pub use parts::{ObjectType, ReadParts, SelectParts};
pub use texts::PartTexts;

use cel::Value;
use cel::value::{Key, Map};
use keys::{KeySlot, Keys};
use kubernetes::number;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// Reads values from JSON. Each thread has its own.
#[derive(Debug, Default)]
pub struct JsonReader {
    keys: Keys,
    /// The elements and entries of open containers, so that each list and map is allocated once
    /// in its final size.
    elements: Vec<Value>,
    entries: Vec<(Key, Value)>,
    /// The slots of the keys of these entries.
    places: Vec<KeySlot>,
    /// The parts by which the last object was compared.
    texts: PartTexts,
}

/// Why a string is not valid JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The offset at which it was found.
    pub offset: usize,
    /// The message.
    pub message: String,
    /// Whether the string ends before the value.
    pub is_cut: bool,
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

impl JsonReader {
    /// Reads the first value of a document. Also returns the offset after it.
    ///
    /// # Errors
    /// The string does not begin with a JSON value.
    pub fn read(&mut self, text: &str) -> Result<(Value, usize), JsonError> {
        self.clear();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        match Seed(self).deserialize(&mut deserializer) {
            Ok(value) => {
                let end = deserializer.into_iter::<IgnoredAny>().byte_offset();
                Ok((value, end))
            }
            Err(error) => Err(JsonError::new(text, &error)),
        }
    }

    /// Removes values that an earlier error has left.
    fn clear(&mut self) {
        self.elements.clear();
        self.entries.clear();
        self.places.clear();
    }
}

impl JsonError {
    fn new(text: &str, error: &serde_json::Error) -> Self {
        let message = error.to_string();
        // The message has the offset.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line = match error.line().checked_sub(2) {
            Some(index) => breaks.map(|(at, _)| at + 1).nth(index),
            None => Some(0),
        };
        let line = line.unwrap_or(text.len());
        let offset = (line + error.column().saturating_sub(1)).min(text.len());
        let is_cut = error.is_eof();
        Self {
            offset: if is_cut { text.len() } else { offset },
            message,
            is_cut,
        }
    }
}

struct Seed<'r>(&'r mut JsonReader);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        // As Go converts the number.
        Ok(i64::try_from(value).map_or(Value::Double(value as f64), Value::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::string(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let start = self.0.elements.len();
        while let Some(element) = elements.next_element_seed(Seed(self.0))? {
            self.0.elements.push(element);
        }
        Ok(Value::list(self.0.elements.drain(start..).collect()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let start = self.0.entries.len();
        let mut before = None;
        while let Some((key, place)) = entries.next_key_seed(KeySeed(&mut self.0.keys, before))? {
            let value = entries.next_value_seed(Seed(self.0))?;
            self.0.entries.push((Key::String(key), value));
            self.0.places.push(place);
            before = place;
        }
        let JsonReader {
            keys,
            entries,
            places,
            ..
        } = self.0;
        let are_different = keys.are_different(places.drain(start..));
        let entries = entries.drain(start..);
        Ok(Value::Map(if are_different {
            Map::from_distinct(entries)
        } else {
            entries.collect()
        }))
    }
}

struct KeySeed<'r>(&'r mut Keys, KeySlot);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = (Arc<str>, KeySlot);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = (Arc<str>, KeySlot);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(self.0.get(value, self.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kubernetes::object;
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

    fn read(text: &str) -> Result<(Value, usize), JsonError> {
        JsonReader::default().read(text)
    }

    fn as_yaml(text: &str) -> Value {
        let stream = yaml::parse(text.into());
        assert!(stream.errors().is_empty(), "{text}: {:?}", stream.errors());
        let document = stream.documents().next().unwrap();
        object(document.root().unwrap()).unwrap()
    }

    #[test]
    fn numbers_are_what_they_are_in_yaml() {
        for number in [
            "0",
            "-0",
            "-1",
            "1.0",
            "1.5",
            "1e3",
            "1E400000000000000000000",
            "-0.0",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "123456789012345678901234567890",
            "9007199254740993.0",
            "1e15",
            "1e16",
            "5e-324",
        ] {
            let Ok((value, end)) = read(number) else {
                assert!(number.starts_with("1E4"), "{number}");
                continue;
            };
            assert_eq!(end, number.len());
            let expected = as_yaml(&format!("[{number}]"));
            let expected = &expected.as_list().unwrap()[0];
            assert_eq!(format!("{value:?}"), format!("{expected:?}"), "{number}");
        }
    }

    #[test]
    fn keys_are_shared_and_the_last_of_equal_ones_counts() {
        let mut reader = JsonReader::default();
        let (value, _) = reader
            .read(r#"[{"name":1,"na\u006de":2},{"name":3}]"#)
            .unwrap();
        assert_eq!(value.to_string(), "[{name: 2}, {name: 3}]");
        let key = |index: usize| {
            let map = value.as_list().unwrap()[index].as_map().unwrap();
            match map.entry_at(0) {
                Some((Key::String(key), _)) => Arc::as_ptr(key).cast::<u8>().addr(),
                _ => 0,
            }
        };
        assert_eq!(key(0), key(1));
    }

    #[test]
    fn an_order_of_keys_that_changes_is_read_as_it_is() {
        let mut reader = JsonReader::default();
        let long = "k".repeat(100);
        for text in [
            r#"{"a":1,"b":2,"c":3}"#.to_owned(),
            r#"{"a":1,"c":2,"b":{"a":1,"b":2}}"#.to_owned(),
            r#"{"a":1,"b":2,"a":3,"c":4}"#.to_owned(),
            format!(r#"{{"a":1,"{long}":2,"b":3,"{long}":4}}"#),
            format!(
                r#"{{{}"z":0}}"#,
                (0..40)
                    .map(|it| format!("\"k{it}\":{it},"))
                    .collect::<String>()
            ),
            format!(
                r#"{{{}"k7":0}}"#,
                (0..40)
                    .map(|it| format!("\"k{it}\":{it},"))
                    .collect::<String>()
            ),
        ] {
            let (value, _) = reader.read(&text).unwrap();
            let (alone, _) = read(&text).unwrap();
            let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value.to_string(), alone.to_string());
            let keys = |index: usize| match value.as_map().unwrap().entry_at(index) {
                Some((Key::String(key), _)) => key.to_string(),
                _ => String::new(),
            };
            let expected = expected.as_object().unwrap();
            assert_eq!(value.as_map().unwrap().len(), expected.len(), "{text}");
            for (index, key) in expected.keys().enumerate() {
                assert_eq!(keys(index), *key, "{text}");
            }
        }
        let (value, _) = reader.read(r#"{"a":1,"b":2,"a":3,"c":4}"#).unwrap();
        assert_eq!(value.to_string(), "{a: 3, b: 2, c: 4}");
    }

    #[test]
    fn a_value_ends_where_the_next_begins() {
        let text = r#"{"a": "😀"} {"b": 1}"#;
        let (first, end) = read(text).unwrap();
        assert_eq!(first.to_string(), "{a: 😀}");
        assert_eq!(text.get(end..).unwrap(), r#" {"b": 1}"#);
    }

    #[test]
    fn a_mistake_has_its_place() {
        let at = |text: &str| {
            let error = read(text).unwrap_err();
            format!(
                "{} {error} {:?}",
                error.is_cut,
                text.get(error.offset..).unwrap()
            )
        };
        assert_eq!(at("{\"a\": x}"), "false expected value \"x}\"");
        assert_eq!(
            at("{\"a\": \"😀\",\r\n \"b\" 1}"),
            "false expected `:` \"1}\""
        );
        assert_eq!(at("{\"a\": "), "true EOF while parsing a value \"\"");
        let deep = "[".repeat(10_000);
        assert!(read(&deep).is_err());
    }

    /// Returns JSON that is also YAML, without control characters.
    fn json() -> impl Strategy<Value = serde_json::Value> {
        let text = "[ -~é😀\\n\\t]{0,8}";
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            (-1000i32..1000).prop_map(|number| f64::from(number).into()),
            text.prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 40, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                proptest::collection::btree_map(text, inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn json_gives_what_the_same_text_gives_as_yaml(value in json()) {
            for text in [
                serde_json::to_string(&value).unwrap(),
                serde_json::to_string_pretty(&value).unwrap(),
            ] {
                // A key in YAML has at most 1024 bytes; a `<<` merges.
                let (value, end) = read(&text).unwrap();
                prop_assert_eq!(end, text.len());
                prop_assert_eq!(format!("{value:?}"), format!("{:?}", as_yaml(&text)));
            }
        }
    }
}
