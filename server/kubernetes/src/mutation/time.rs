//! Go's errors for times.
//!
//! Upstream: Go, time/format.go, parse; kubernetes/apimachinery, pkg/apis/meta/v1/time.go and
//! micro_time.go, UnmarshalJSON.

use crate::quote::quote;

/// The parts of a time: the separator before them, their layout, their least and their greatest
/// value, and their names in errors.
const PARTS: [(&str, &str, usize, usize, &str); 6] = [
    ("", "2006", 0, 9999, "year"),
    ("-", "01", 1, 12, "month"),
    ("-", "02", 0, 99, "day"),
    ("T", "15", 0, 23, "hour"),
    (":", "04", 0, 59, "minute"),
    (":", "05", 0, 59, "second"),
];

/// Limit: the digits of microseconds.
const MICROS: usize = 6;

/// An error in a string.
enum Fault<'t> {
    /// The rest does not match a part of the layout.
    Unread(&'t str, &'static str),
    /// Other words.
    Words(String),
}

/// Returns Go's error for a string that is not a time of a type, `Time` or `MicroTime`.
pub(super) fn error(text: &str, type_name: &str) -> Option<String> {
    let is_micro = type_name.ends_with("MicroTime");
    let fraction = if is_micro { ".000000" } else { "" };
    let layout = format!("2006-01-02T15:04:05{fraction}Z07:00");
    let start = format!("parsing time {}", quote(text));
    match parse(text, is_micro).err()? {
        Fault::Words(words) => Some(format!("{start}: {words}")),
        Fault::Unread(rest, part) => {
            let (layout, rest, part) = (quote(&layout), quote(rest), quote(part));
            Some(format!(
                "{start} as {layout}: cannot parse {rest} as {part}"
            ))
        }
    }
}

fn parse(text: &str, is_micro: bool) -> Result<(), Fault<'_>> {
    let mut rest = text;
    let mut numbers = [0; 6];
    for ((before, part, least, greatest, name), number) in PARTS.into_iter().zip(&mut numbers) {
        rest = rest
            .strip_prefix(before)
            .ok_or(Fault::Unread(rest, before))?;
        let digits = digits(rest).min(part.len());
        // Only an hour can have one digit.
        if digits < part.len() && (part != "15" || digits == 0) {
            return Err(Fault::Unread(rest, part));
        }
        let (read, after) = rest.split_at_checked(digits).unwrap_or_default();
        *number = read.parse().unwrap_or_default();
        if !(least..=greatest).contains(number) {
            return Err(Fault::Words(format!("{name} out of range")));
        }
        rest = after;
    }
    let fraction = rest.strip_prefix(['.', ',']);
    match fraction.map_or(0, digits) {
        count if is_micro && count < MICROS => return Err(Fault::Unread(rest, ".000000")),
        0 => {}
        count => {
            let count = if is_micro { MICROS } else { count };
            rest = rest.get(count + 1..).unwrap_or_default();
        }
    }
    rest = zone(rest)?;
    if !rest.is_empty() {
        return Err(Fault::Words(format!("extra text: {}", quote(rest))));
    }
    let [year, month, day, ..] = numbers;
    if day == 0 || day > days(year, month) {
        return Err(Fault::Words("day out of range".to_owned()));
    }
    Ok(())
}

/// Reads `Z` or an offset such as `+01:00`. Returns what follows.
fn zone(text: &str) -> Result<&str, Fault<'_>> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Ok(rest);
    }
    let unread = || Fault::Unread(text, "Z07:00");
    let (offset, rest) = text.split_at_checked(6).ok_or_else(unread)?;
    let (hours, minutes) = offset.split_once(':').ok_or_else(unread)?;
    let (sign, hours) = hours.split_at_checked(1).ok_or_else(unread)?;
    if [hours, minutes]
        .iter()
        .any(|it| it.len() != 2 || digits(it) != 2)
    {
        return Err(unread());
    }
    for (number, greatest, name) in [(hours, 24, "hour"), (minutes, 60, "minute")] {
        if number.parse::<u8>().is_ok_and(|number| number > greatest) {
            return Err(Fault::Words(format!(
                "time zone offset {name} out of range"
            )));
        }
    }
    if ["+", "-"].contains(&sign) {
        Ok(rest)
    } else {
        Err(unread())
    }
}

/// Returns the number of digits at the start.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn days(year: usize, month: usize) -> usize {
    let every = |number| usize::is_multiple_of(year, number);
    let is_leap = every(4) && (!every(100) || every(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_no_error() {
        for text in [
            "2024-02-29T00:00:00Z",
            "2024-02-28T1:02:03.5+01:00",
            "2023-12-31T23:59:59,123456789-23:59",
        ] {
            assert_eq!(error(text, "Time"), None, "{text}");
        }
        assert_eq!(error("2024-02-29T00:00:00.000000Z", "MicroTime"), None);
    }

    #[test]
    fn errors_are_those_of_go() {
        for (text, expected) in [
            ("", r#"cannot parse "" as "2006""#),
            ("24-01-01", r#"cannot parse "24-01-01" as "2006""#),
            ("2024/01/01", r#"cannot parse "/01/01" as "-""#),
            ("2024-1-01", r#"cannot parse "1-01" as "01""#),
            ("2024-01-01", r#"cannot parse "" as "T""#),
            ("2024-01-01T00:00:00", r#"cannot parse "" as "Z07:00""#),
            (
                "2024-01-01T00:00:00+0100",
                r#"cannot parse "+0100" as "Z07:00""#,
            ),
        ] {
            let expected =
                format!(r#"parsing time "{text}" as "2006-01-02T15:04:05Z07:00": {expected}"#);
            assert_eq!(error(text, "Time"), Some(expected));
        }
        for (text, expected) in [
            ("2024-13-01T00:00:00Z", "month out of range"),
            ("2024-01-01T24:00:00Z", "hour out of range"),
            ("2023-02-29T00:00:00Z", "day out of range"),
            (
                "2023-02-28T00:00:00+25:00",
                "time zone offset hour out of range",
            ),
            ("2023-02-28T00:00:00Zx", r#"extra text: "x""#),
        ] {
            let expected = format!(r#"parsing time "{text}": {expected}"#);
            assert_eq!(error(text, "Time"), Some(expected));
        }
        let expected = r#"parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000""#;
        assert_eq!(
            error("2024-01-01T00:00:00Z", "MicroTime").as_deref(),
            Some(expected)
        );
    }
}
