//! Numbers as Go reads and writes them.
//!
//! Upstream: Go, strconv/atof.go, strconv/ftoa.go, fmt/format.go.

mod hexadecimal;

use std::borrow::Cow;

/// Parses a `bool` from one of the spellings that Go accepts.
#[must_use]
pub(crate) fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// Returns an `int` from decimal digits with or without a sign.
#[must_use]
pub fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Returns a `uint` from decimal digits.
#[must_use]
pub fn parse_uint(text: &str) -> Option<u64> {
    if text.starts_with('+') {
        return None;
    }
    text.parse().ok()
}

/// Parses a `double` from a decimal or hexadecimal number, an infinity or `nan`. Underscores can be
/// between digits. `None` also if the number is too large.
#[must_use]
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = if negative { -1.0 } else { 1.0 };
    let is = |word: &str| unsigned.eq_ignore_ascii_case(word);
    if is("inf") || is("infinity") {
        return Some(sign * f64::INFINITY);
    }
    if text.eq_ignore_ascii_case("nan") {
        return Some(f64::NAN);
    }
    let plain = without_underscores(unsigned)?;
    if let Some(digits) = plain
        .strip_prefix("0x")
        .or_else(|| plain.strip_prefix("0X"))
    {
        return hexadecimal::parse(digits).map(|number| sign * number);
    }
    // Spellings that only Rust accepts are excluded; anything with a digit or a point is a number.
    if !plain.starts_with(|first: char| first == '.' || first.is_ascii_digit()) {
        return None;
    }
    let number: f64 = plain.parse().ok()?;
    number.is_finite().then_some(sign * number)
}

/// Returns the number without its underscores. `None` if one is not between two digits, or
/// between the prefix and a digit.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('_') {
        return Some(Cow::Borrowed(text));
    }
    let mut first = text.bytes();
    let base = if first.next() == Some(b'0') {
        first.next().map(|base| base.to_ascii_lowercase())
    } else {
        None
    };
    let prefixed = matches!(base, Some(b'x' | b'b' | b'o'));
    let hexadecimal = base == Some(b'x');
    let skip = if prefixed { 2 } else { 0 };
    // A prefix counts as a digit.
    let (mut after_digit, mut after_underscore) = (prefixed, false);
    for byte in text.bytes().skip(skip) {
        let digit = byte.is_ascii_digit() || hexadecimal && byte.is_ascii_hexdigit();
        if byte == b'_' && !after_digit || after_underscore && !digit {
            return None;
        }
        after_underscore = byte == b'_';
        after_digit = digit;
    }
    (!after_underscore).then(|| Cow::Owned(text.replace('_', "")))
}

/// Returns a number with the fewest digits that read back as the same number, as `%v` and `%g` of
/// Go: `1.5`, `100000`, `1e+06`, `NaN`, `+Inf`.
#[must_use]
pub fn shortest(number: f64) -> String {
    if let Some(word) = not_finite(number) {
        return word.to_owned();
    }
    let shortest = format!("{number:e}");
    if (-4..SHORTEST_LIMIT).contains(&parts(&shortest).1) {
        let plain = number.to_string();
        let even = format!("{number:.*}", decimals(&plain));
        return to_even(number, plain, even);
    }
    let even = format!("{number:.*e}", decimals(parts(&shortest).0));
    let shortest = to_even(number, shortest, even);
    let (digits, exponent) = parts(&shortest);
    with_exponent(digits, exponent)
}

/// Returns the digits and the exponent of a number in scientific notation.
fn parts(text: &str) -> (&str, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (digits, exponent.parse().unwrap_or(0))
}

/// Returns the number of digits after the point.
fn decimals(digits: &str) -> usize {
    digits.split_once('.').map_or(0, |(_, after)| after.len())
}

/// Returns the shortest digits of a number. If it is halfway between two candidates, Rust chooses
/// the larger one and Go the one with an even last digit, to which `even` is rounded.
///
/// Upstream: Go, strconv/ftoaryu.go, `ryuFtoaShortest`.
fn to_even(number: f64, shortest: String, even: String) -> String {
    if even.parse() == Ok(number) {
        even
    } else {
        shortest
    }
}

/// The precision from which an exponent is written.
const SHORTEST_LIMIT: i32 = 6;

/// No number has more decimals than this.
const MAX_DECIMALS: usize = 1100;

/// Returns a number with that many decimals, as `%.2f` of Go.
#[must_use]
pub fn fixed(number: f64, decimals: usize) -> String {
    match not_finite(number) {
        Some(word) => word.to_owned(),
        None => {
            let known = decimals.min(MAX_DECIMALS);
            let mut text = format!("{number:.known$}");
            text.extend(std::iter::repeat_n('0', decimals - known));
            text
        }
    }
}

/// Returns a number with an exponent and that many decimals, as `%.2e` of Go.
#[must_use]
pub fn scientific(number: f64, decimals: usize) -> String {
    if let Some(word) = not_finite(number) {
        return word.to_owned();
    }
    let known = decimals.min(MAX_DECIMALS);
    let text = format!("{number:.known$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let zeros = "0".repeat(decimals - known);
    with_exponent(&format!("{digits}{zeros}"), exponent.parse().unwrap_or(0))
}

fn with_exponent(digits: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

fn not_finite(number: f64) -> Option<&'static str> {
    if number.is_nan() {
        Some("NaN")
    } else if number.is_infinite() {
        Some(if number > 0.0 { "+Inf" } else { "-Inf" })
    } else {
        None
    }
}
