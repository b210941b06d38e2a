//! Durations, timestamps and numbers, as Go reads and writes them.

use super::{Duration, Timestamp, TimestampError, Value, number, quoted};

#[test]
fn a_value_is_three_words() {
    assert!(size_of::<Value>() <= 24);
}

#[test]
fn durations() {
    for (text, written) in [
        ("0", Some("0s")),
        ("1h30m", Some("1h30m0s")),
        ("-1.5s", Some("-1.5s")),
        (".5s", Some("500ms")),
        ("1us", Some("1µs")),
        ("100ns", Some("100ns")),
        ("2562047h47m16.854775807s", Some("2562047h47m16.854775807s")),
        ("-9223372036854775808ns", Some("-2562047h47m16.854775808s")),
        ("9223372036854775808ns", None),
        ("1", None),
        ("", None),
        ("-", None),
        ("1d", None),
        (".s", None),
        ("1h 1m", None),
    ] {
        let found = Duration::parse(text).map(|span| span.to_string());
        assert_eq!(found.as_deref(), written, "{text}");
    }
}

#[test]
fn timestamps() {
    for (text, written) in [
        ("2024-02-29T12:00:00Z", Ok("2024-02-29T12:00:00Z")),
        ("2024-01-01T1:02:03,50Z", Ok("2024-01-01T01:02:03.5Z")),
        ("2024-01-01T00:00:00+00:00", Ok("2024-01-01T00:00:00Z")),
        ("2024-01-01T00:00:00-24:60", Ok("2024-01-01T00:00:00-25:00")),
        ("2023-02-29T12:00:00Z", Err(TimestampError::Syntax)),
        ("2024-01-01T24:00:00Z", Err(TimestampError::Syntax)),
        ("2024-01-01t00:00:00z", Err(TimestampError::Syntax)),
        ("2024-01-01T00:00:00.Z", Err(TimestampError::Syntax)),
        ("0001-01-01T00:00:00+00:01", Err(TimestampError::Range)),
        ("9999-12-31T23:59:59-00:01", Err(TimestampError::Range)),
    ] {
        let found = Timestamp::parse(text).map(|time| time.to_string());
        assert_eq!(found.as_deref().map_err(|error| *error), written, "{text}");
    }
}

#[test]
fn doubles() {
    for (text, read) in [
        ("1.", Some(1.0)),
        (".5", Some(0.5)),
        ("-inf", Some(f64::NEG_INFINITY)),
        ("0x1.8p3", Some(12.0)),
        ("0X.8P-1074", Some(0.0)),
        ("0x1p-1074", Some(5e-324)),
        ("1_0.5", Some(10.5)),
        ("1__0", None),
        ("_1", None),
        ("+nan", None),
        ("1e309", None),
        ("0x1p1024", None),
        ("0x1", None),
        (" 1", None),
        ("infin", None),
    ] {
        assert_eq!(number::parse_double(text), read, "{text}");
    }
}

#[test]
fn quotes() {
    let text = "a\"\\\u{7}\u{200b}é\u{301}\u{1f600}\u{e0001}";
    let expected = "\"a\\\"\\\\\\a\\u200bé\u{301}\u{1f600}\\U000e0001\"";
    assert_eq!(quoted(text), expected);
}

/// Of two shortest forms at the same distance, the one with an even last digit is chosen.
#[test]
fn the_shortest_digits_are_even() {
    for (number, written) in [
        (3_602_879_701_896_397.0 / 4.0, "9.007199254740992e+14"),
        (3_602_879_701_896_399.0 / 4.0, "9.007199254740998e+14"),
        (-1e15 - 0.25, "-1.0000000000000002e+15"),
        (1e15 + 0.75, "1.0000000000000008e+15"),
        (0.1 + 0.2, "0.30000000000000004"),
        (5e-324, "5e-324"),
        (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
        (9_007_199_254_740_992.0, "9.007199254740992e+15"),
        (0.000_01, "1e-05"),
        (123_456.5, "123456.5"),
    ] {
        assert_eq!(number::shortest(number), written);
        assert_eq!(written.parse(), Ok(number));
    }
}
