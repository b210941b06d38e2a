//! Values as JSON has them.
//!
//! Upstream: cel-go, common/types, `ConvertToNative` to `structpb.Value`.

use super::Object;
use cel::value::{Key, Map, Value};

/// Limit: larger integers lose digits in JavaScript, so they become texts.
const MAX_EXACT: i64 = (1 << 53) - 1;

/// A value as it stands in a JSON document.
///
/// # Errors
/// JSON has no such value. The error is in the words of the server.
pub(super) fn json(value: &Value) -> Result<Value, String> {
    Ok(match value {
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Double(_) => value.clone(),
        Value::Int(number) if (-MAX_EXACT..=MAX_EXACT).contains(number) => value.clone(),
        Value::Int(number) => Value::string(number.to_string()),
        Value::Uint(number) => match i64::try_from(*number) {
            Ok(number) if number <= MAX_EXACT => Value::Int(number),
            _ => Value::string(number.to_string()),
        },
        Value::Bytes(bytes) => Value::string(base64(bytes)),
        Value::Timestamp(time) => Value::string(time.to_string()),
        Value::Duration(span) => Value::string(format!("{}s", span.seconds())),
        Value::Optional(inner) => match inner {
            Some(inner) => json(inner)?,
            None => Value::Null,
        },
        Value::List(elements) => {
            let elements = elements.iter().map(json);
            Value::list(elements.collect::<Result<_, _>>()?)
        }
        Value::Map(entries) => Value::Map(json_map(entries)?),
        Value::Type(_) | Value::Opaque(_) => {
            let object = value.downcast::<Object>().ok_or_else(|| unfit(value))?;
            json(&object.to_map())?
        }
    })
}

fn json_map(entries: &Map) -> Result<Map, String> {
    let mut map = Map::default();
    for (key, value) in entries.iter() {
        let key = match key {
            Key::String(key) => key.to_string(),
            Key::Bool(key) => key.to_string(),
            Key::Int(key) => key.to_string(),
            Key::Uint(key) => key.to_string(),
            Key::Other(key) => return Err(unfit(key)),
        };
        map.set_str(&key, json(value)?);
    }
    Ok(map)
}

fn unfit(value: &Value) -> String {
    let ty = value.ty();
    let ty = ty.runtime_name();
    format!(
        "JSONPath valueExpression evaluated to a type that could not marshal to JSON: type conversion error from '{ty}' to '*structpb.Value'"
    )
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut bits = 0;
        for place in 0..3 {
            bits = bits << 8 | u32::from(chunk.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            let index = (bits >> (18 - 6 * place) & 63) as usize;
            let digit = ALPHABET.get(index).copied().unwrap_or(b'=');
            let is_padding = place > chunk.len();
            text.push(if is_padding { '=' } else { char::from(digit) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_text() {
        let texts = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
