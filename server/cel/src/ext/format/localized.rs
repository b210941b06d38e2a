//! `format` in Kubernetes: numbers as an English reader expects them, and values in lists and maps
//! as CEL would write them.
//!
//! Upstream: cel-go, ext/formatting.go, `stringFormatter`.

use super::{FormatErrorKind, container, integer};
use crate::format_string::{Clause, Verb};
use crate::library::Context;
use crate::value::{Value, number, quoted};

/// The default number of digits of `%f` and `%e`, including numbers in lists.
const DEFAULT_PRECISION: usize = 6;
/// Upstream stores the precision in this many bits, and the width in twice as many.
const PRECISIONS: usize = 1 << 8;
const WIDTHS: usize = 1 << 16;

/// Returns a value for a clause, or why it has none.
pub(super) fn format(
    context: &Context<'_>,
    clause: Clause,
    value: &Value,
) -> Result<String, FormatErrorKind> {
    let precision = clause.precision.unwrap_or(DEFAULT_PRECISION);
    let text = match (clause.verb, value) {
        (Verb::String, _) => return string(context, value),
        (Verb::Decimal, Value::Int(_) | Value::Uint(_)) => Some(value.to_string()),
        (Verb::Decimal, _) => None,
        (Verb::Fixed, _) => double(value).map(|number| fixed(number, precision % PRECISIONS)),
        (Verb::Scientific, _) => double(value).map(|number| scientific(number, precision % WIDTHS)),
        (Verb::Binary, _) => integer::binary(value),
        (Verb::Hexadecimal { capitals }, _) => integer::hexadecimal(value, capitals),
        (Verb::Octal, _) => integer::octal(value),
    };
    text.ok_or_else(|| refused(clause.verb, value))
}

fn refused(verb: Verb, value: &Value) -> FormatErrorKind {
    let (what, given) = (verb.complaint(), type_name(value));
    FormatErrorKind::Value(format!("{what}, was given {given}"))
}

fn type_name(value: &Value) -> String {
    value.ty().runtime_name().to_owned()
}

/// Returns a double, or a string that names one which has no digits.
fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        Value::String(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// Returns `-1,234.50`
fn fixed(number: f64, precision: usize) -> String {
    if let Some(word) = not_finite(number) {
        return word.to_owned();
    }
    let digits = number::fixed(number.abs(), precision);
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 2);
    if number < 0.0 {
        text.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Returns `1.234500×10⁰³`. Upstream, the precision is used as the width.
fn scientific(number: f64, width: usize) -> String {
    let text = match not_finite(number) {
        Some(word) => word.to_owned(),
        None => {
            let digits = number::scientific(number.abs(), DEFAULT_PRECISION);
            let (digits, exponent) = digits.split_once('e').unwrap_or((&digits, ""));
            let exponent: String = exponent.chars().filter_map(superscript).collect();
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{digits}×10{exponent}")
        }
    };
    let missing = width.saturating_sub(text.chars().count());
    let mut padded = " ".repeat(missing);
    padded.push_str(&text);
    padded
}

fn superscript(digit: char) -> Option<char> {
    Some(match digit {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => return None,
    })
}

fn not_finite(number: f64) -> Option<&'static str> {
    if number.is_nan() {
        Some("NaN")
    } else if number.is_infinite() {
        Some(if number > 0.0 { "∞" } else { "-∞" })
    } else {
        None
    }
}

fn string(context: &Context<'_>, value: &Value) -> Result<String, FormatErrorKind> {
    match value {
        Value::List(elements) => container::list(context, elements, nested),
        Value::Map(entries) => container::map(context, entries, ":", nested),
        Value::Null => Ok("null".to_owned()),
        Value::Double(number) => Ok(number::shortest(*number)),
        Value::Duration(span) => Ok(format!("{}s", span.seconds())),
        Value::Timestamp(time) => Ok(time.to_string()),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(FormatErrorKind::Value(
                "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" \
                 to string"
                    .to_owned(),
            )),
        },
        Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::String(_) | Value::Type(_) => {
            Ok(value.to_string())
        }
        Value::Optional(_) | Value::Opaque(_) => Err(refused(Verb::String, value)),
    }
}

/// Returns a value in a list or a map.
fn nested(context: &Context<'_>, value: &Value) -> Result<String, FormatErrorKind> {
    match value {
        Value::Optional(_) | Value::Opaque(_) => Err(FormatErrorKind::Value(format!(
            "no formatting function for {}",
            type_name(value)
        ))),
        Value::Double(number) => {
            let text = number::fixed(*number, DEFAULT_PRECISION);
            Ok(if number.is_finite() {
                text
            } else {
                quoted(&text)
            })
        }
        Value::Duration(_) => Ok(format!("duration({})", quoted(&string(context, value)?))),
        Value::Timestamp(_) => Ok(format!("timestamp({})", quoted(&string(context, value)?))),
        Value::String(text) => Ok(quoted(text)),
        Value::Bytes(_) => Ok(format!("b{}", quoted(&string(context, value)?))),
        _ => string(context, value),
    }
}
