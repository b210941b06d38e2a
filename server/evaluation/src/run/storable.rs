//! Objects that are too large to be stored, for people and programs that read a result.
//!
//! Values share their parts, so a mutation of a few hundred bytes can create an object of megabytes.

use super::result_text::shortened;
use admission::is_larger;
use cel::Value;

/// Limit: the bytes and values of an object that is shown whole. A cluster stores at most 1.5 MiB.
const MAX_OBJECT: usize = 3 << 19;

/// Limit: the characters of a string in a larger object.
const MAX_STRING: usize = 1_000;

/// Returns an object without the parts that are too long to be stored.
pub(super) fn storable(object: Value) -> Value {
    if is_larger(&object, MAX_OBJECT) {
        return cut(&object, &mut { MAX_OBJECT });
    }
    object
}

fn cut(value: &Value, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::String(text) => {
            let text = shortened(text, MAX_STRING);
            *left = left.saturating_sub(text.len());
            Value::string(text)
        }
        Value::List(list) => {
            let mut elements = Vec::new();
            for element in list.iter() {
                if *left > 0 {
                    elements.push(cut(element, left));
                }
            }
            Value::list(elements)
        }
        Value::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.iter() {
                if *left > 0 {
                    entries.push((key.clone(), cut(value, left)));
                }
            }
            Value::Map(entries.into_iter().collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cel::value::Key;

    #[test]
    fn an_object_is_shown_whole_unless_it_is_too_large_to_be_stored() {
        let object = |length: usize| {
            let fields = [(Key::String("a".into()), Value::string("x".repeat(length)))];
            Value::Map(fields.into_iter().collect())
        };
        let length = |object: &Value| object.as_map()?.get_str("a")?.as_str().map(str::len);
        assert_eq!(length(&storable(object(1 << 20))), Some(1 << 20));
        let cut = length(&storable(object(2 << 20))).unwrap();
        assert!(cut < 2 * MAX_STRING, "{cut}");
        let mut shared = object(1 << 10);
        for _ in 0..60 {
            shared = Value::list(vec![shared.clone(), shared]);
        }
        assert!(!is_larger(&storable(shared), 2 * MAX_OBJECT));
    }
}
