//! The values of scalars in Kubernetes.
//!
//! Kubernetes reads YAML 1.1 with a few differences: `y` and `off` are booleans, `010` is eight,
//! `1_000` is a thousand, a timestamp is a string. A policy with `name: n` is rejected because of
//! these rules, so they are matched exactly.
//!
//! Upstream: go.yaml.in/yaml/v2, resolve.go.

use crate::tree::CoreTag;
use std::borrow::Cow;

/// The value of a scalar, as Kubernetes reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Empty, `~`, `null`, `Null` or `NULL`.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// An integer that fits 64 bits with a sign.
    Int(i64),
    /// An integer above that, which fits 64 bits without a sign. Greater ones are floats.
    Uint(u64),
    /// A number with a fraction or an exponent, or too big for an integer; infinite and
    /// NaN too, which JSON cannot hold.
    Float(f64),
    /// A string: the string of the scalar.
    Str,
}

impl Value {
    /// Returns the 64-bit integer that a number is in JSON: `1.0` and `1e3` are integers as well.
    #[must_use]
    pub fn as_integer(self) -> Option<i64> {
        match self {
            Self::Int(int) => Some(int),
            Self::Float(float) => {
                // The limits are exact: 2^63 is a double.
                let limit = 9_223_372_036_854_775_808.0;
                let fits = float.fract() == 0.0 && -limit <= float && float < limit;
                fits.then_some(float as i64)
            }
            Self::Null | Self::Bool(_) | Self::Uint(_) | Self::Str => None,
        }
    }
}

/// Returns the value of a plain scalar without a tag.
pub(crate) fn resolve(text: &str) -> Value {
    let Some(&first) = text.as_bytes().first() else {
        return Value::Null;
    };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => named(text),
        b'.' => named_float(text).unwrap_or_else(|| dotted_float(text)),
        b'+' | b'-' | b'0'..=b'9' => {
            named_float(text).unwrap_or_else(|| number(&text.replace('_', "")))
        }
        _ => Value::Str,
    }
}

/// Returns the value of a scalar with a tag. A scalar that does not match its tag is read as a
/// string; see [`suits_tag`].
pub(crate) fn resolve_tagged(tag: CoreTag, text: &str) -> Value {
    match tag {
        CoreTag::Str
        | CoreTag::Binary
        | CoreTag::Timestamp
        | CoreTag::Merge
        | CoreTag::Bare
        | CoreTag::Other => Value::Str,
        CoreTag::Bool | CoreTag::Int | CoreTag::Null => {
            let value = resolve(text);
            if has_tag(value, tag) {
                value
            } else {
                Value::Str
            }
        }
        CoreTag::Float => match resolve(text) {
            // As Go converts an int64.
            Value::Int(int) => Value::Float(int as f64),
            Value::Float(float) => Value::Float(float),
            Value::Null | Value::Bool(_) | Value::Uint(_) | Value::Str => Value::Str,
        },
    }
}

/// Returns whether `text` can be read under `tag`. If not, Kubernetes rejects the whole file.
pub(crate) fn suits_tag(tag: CoreTag, text: &str) -> bool {
    match tag {
        CoreTag::Str | CoreTag::Timestamp | CoreTag::Merge | CoreTag::Bare | CoreTag::Other => true,
        CoreTag::Binary => text::decode_base64(text).is_some(),
        CoreTag::Bool | CoreTag::Int | CoreTag::Null => has_tag(resolve(text), tag),
        CoreTag::Float => matches!(resolve(text), Value::Int(_) | Value::Float(_)),
    }
}

fn has_tag(value: Value, tag: CoreTag) -> bool {
    match value {
        Value::Null => tag == CoreTag::Null,
        Value::Bool(_) => tag == CoreTag::Bool,
        Value::Int(_) | Value::Uint(_) => tag == CoreTag::Int,
        Value::Float(_) => tag == CoreTag::Float,
        Value::Str => tag == CoreTag::Str,
    }
}

fn named(text: &str) -> Value {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Value::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Value::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Value::Null,
        _ => Value::Str,
    }
}

fn named_float(text: &str) -> Option<Value> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Value::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Value::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Value::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// Returns a number that begins with a dot: underscores only between digits.
fn dotted_float(text: &str) -> Value {
    let bytes = text.as_bytes();
    let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
    let misplaced = bytes.iter().enumerate().any(|(at, byte)| {
        *byte == b'_'
            && !(digit(at.checked_sub(1).and_then(|before| bytes.get(before)))
                && digit(bytes.get(at + 1)))
    });
    if misplaced {
        return Value::Str;
    }
    float(&text.replace('_', ""))
}

/// Returns a number whose underscores are removed.
fn number(plain: &str) -> Value {
    let (negative, digits) = match plain.as_bytes().first() {
        Some(b'-') => (true, plain.get(1..).unwrap_or("")),
        Some(b'+') => (false, plain.get(1..).unwrap_or("")),
        _ => (false, plain),
    };
    if let Some(int) = prefixed(digits).and_then(|(radix, digits)| magnitude(digits, radix)) {
        let signed = plain.len() > digits.len();
        if let Some(value) = integer(int, negative, signed) {
            return value;
        }
    }
    match float(plain) {
        Value::Str => late_binary(plain),
        other => other,
    }
}

/// Returns the radix of a number by its prefix, and its digits.
///
/// Upstream: Go, strconv, ParseUint with base 0.
fn prefixed(digits: &str) -> Option<(u32, &str)> {
    let bytes = digits.as_bytes();
    let radix = match (bytes.first()?, bytes.get(1), bytes.len()) {
        (b'0', Some(b'b' | b'B'), 3..) => 2,
        (b'0', Some(b'o' | b'O'), 3..) => 8,
        (b'0', Some(b'x' | b'X'), 3..) => 16,
        (b'0', None, _) => return Some((10, digits)),
        (b'0', Some(_), _) => return Some((8, digits.get(1..)?)),
        _ => return Some((10, digits)),
    };
    Some((radix, digits.get(2..)?))
}

fn magnitude(digits: &str, radix: u32) -> Option<u64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    plain.then(|| u64::from_str_radix(digits, radix).ok())?
}

/// Returns an integer with its sign, if it fits. Others are read as floats.
fn integer(magnitude: u64, negative: bool, signed: bool) -> Option<Value> {
    if negative {
        return 0i64.checked_sub_unsigned(magnitude).map(Value::Int);
    }
    match i64::try_from(magnitude) {
        Ok(int) => Some(Value::Int(int)),
        Err(_) if !signed => Some(Value::Uint(magnitude)),
        Err(_) => None,
    }
}

/// Returns a binary number with a sign after the prefix, which the reader tries last.
fn late_binary(plain: &str) -> Value {
    let parsed = plain
        .strip_prefix("0b")
        .and_then(|digits| i64::from_str_radix(digits, 2).ok());
    parsed.map_or(Value::Str, Value::Int)
}

fn float(text: &str) -> Value {
    if !is_float(text) {
        return Value::Str;
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Value::Float(float),
        _ => Value::Str,
    }
}

/// Returns whether `text` is written as a float: digits, one dot, an exponent.
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    mantissa_fits
        && exponent.is_none_or(|exponent| {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !exponent.is_empty() && digits(exponent)
        })
}

/// Returns the text of a value that is not a string as a key in JSON.
pub(crate) fn key_text(value: Value) -> Cow<'static, str> {
    match value {
        Value::Null => Cow::Borrowed("null"),
        Value::Bool(true) => Cow::Borrowed("true"),
        Value::Bool(false) => Cow::Borrowed("false"),
        Value::Int(int) => Cow::Owned(int.to_string()),
        Value::Uint(uint) => Cow::Owned(uint.to_string()),
        Value::Float(float) => Cow::Owned(float_key(float)),
        Value::Str => Cow::Borrowed(""),
    }
}

/// Returns whether [`key_text`] can return `key`. Few keys are like that, so that most need not be
/// resolved.
#[inline]
pub(crate) fn may_be_key_of_value(key: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'$';
    !key.as_bytes().first().is_some_and(is_letter) || matches!(key, "null" | "true" | "false")
}

/// Returns the shortest decimal of the nearest 32-bit float, with an exponent when it is below
/// -4 or above 5.
///
/// Upstream: Go, strconv.FormatFloat(value, 'g', -1, 32).
fn float_key(float: f64) -> String {
    // As Go formats it.
    let narrow = float as f32;
    if narrow.is_nan() {
        return ".nan".to_owned();
    }
    if narrow.is_infinite() {
        return if narrow > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{narrow:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(exponent) if (-4..6).contains(&exponent) => narrow.to_string(),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
        }
        Err(_) => scientific,
    }
}

#[cfg(test)]
mod tests;
