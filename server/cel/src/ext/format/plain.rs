//! `format` as specified: the same on every machine, with no quotes around the elements of lists
//! and maps.
//!
//! Upstream: cel-go, ext/formatting_v2.go, `stringFormatterV2`.

use super::{FormatErrorKind, container, integer};
use crate::format_string::{Clause, Verb};
use crate::library::Context;
use crate::value::{Value, number};

/// The default number of digits of `%f` and `%e`.
const DEFAULT_PRECISION: usize = 6;

/// Returns a value for a clause, or why it has none.
pub(super) fn format(
    context: &Context<'_>,
    clause: Clause,
    value: &Value,
) -> Result<String, FormatErrorKind> {
    let precision = clause.precision.unwrap_or(DEFAULT_PRECISION);
    let refused = |what: &str| {
        Err(FormatErrorKind::Value(format!(
            "{what}, was given {}",
            type_name(value)
        )))
    };
    match clause.verb {
        Verb::String => string(context, value),
        Verb::Decimal => match value {
            Value::Int(_) | Value::Uint(_) => Ok(value.to_string()),
            Value::Double(number) => Ok(decimal(*number)),
            _ => refused("decimal clause can only be used on ints, uints, and doubles"),
        },
        Verb::Fixed => match double(value) {
            Some(number) => Ok(named(number, |number| number::fixed(number, precision))),
            None => refused("fixed-point clause can only be used on ints, uints, and doubles"),
        },
        Verb::Scientific => match double(value) {
            Some(number) => Ok(named(number, |number| {
                number::scientific(number, precision)
            })),
            None => refused("scientific clause can only be used on ints, uints, and doubles"),
        },
        Verb::Binary => match integer::binary(value) {
            Some(text) => Ok(text),
            None => refused("only ints, uints, and bools can be formatted as binary"),
        },
        Verb::Hexadecimal { capitals } => match integer::hexadecimal(value, capitals) {
            Some(text) => Ok(text),
            None => refused("only ints, uints, bytes, and strings can be formatted as hex"),
        },
        Verb::Octal => match integer::octal(value) {
            Some(text) => Ok(text),
            None => refused("octal clause can only be used on ints and uints"),
        },
    }
}

fn type_name(value: &Value) -> String {
    value.ty().runtime_name().to_owned()
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        Value::Int(number) => Some(*number as f64),
        Value::Uint(number) => Some(*number as f64),
        _ => None,
    }
}

fn named(number: f64, digits: impl Fn(f64) -> String) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        let word = if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        };
        word.to_owned()
    } else {
        digits(number)
    }
}

/// Returns a number with the decimals that it needs.
fn decimal(number: f64) -> String {
    named(number, |number| number.to_string())
}

fn string(context: &Context<'_>, value: &Value) -> Result<String, FormatErrorKind> {
    Ok(match value {
        Value::Null => "null".to_owned(),
        Value::Double(number) => decimal(*number),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Duration(span) => format!("{}s", span.seconds()),
        Value::Timestamp(time) => time.in_utc().to_string(),
        Value::List(elements) => container::list(context, elements, string)?,
        Value::Map(entries) => container::map(context, entries, ": ", string)?,
        Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::String(_) | Value::Type(_) => {
            value.to_string()
        }
        Value::Optional(_) | Value::Opaque(_) => {
            return Err(FormatErrorKind::Value(format!(
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, \
                 lists, types, durations, and timestamps, was given {}",
                type_name(value)
            )));
        }
    })
}
