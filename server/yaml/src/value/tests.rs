//! Plain scalars have the values that Kubernetes reads.

use super::*;

#[track_caller]
fn check(texts: &[&str], expected: Value) {
    for text in texts {
        assert_eq!(resolve(text), expected, "{text}");
    }
}

#[test]
fn booleans_are_those_of_yaml_1_1() {
    check(
        &["y", "Y", "yes", "on", "ON", "true", "True"],
        Value::Bool(true),
    );
    check(
        &["n", "N", "no", "off", "OFF", "false", "False"],
        Value::Bool(false),
    );
    check(&["yEs", "oN", "tRUE", "t", "f", "not", "y es"], Value::Str);
}

#[test]
fn nothing_is_null() {
    check(&["", "~", "null", "Null", "NULL"], Value::Null);
    check(&["nil", "nULL", "~~"], Value::Str);
}

#[test]
fn integers_have_prefixes_and_underscores() {
    check(
        &[
            "8", "010", "0o10", "0O10", "0x8", "0X8", "0b1000", "+8", "8_",
        ],
        Value::Int(8),
    );
    check(
        &["-8", "-010", "-0x8", "-0b1000", "0b-1000"],
        Value::Int(-8),
    );
    check(&["0", "00", "-0", "+0", "0x0"], Value::Int(0));
    check(
        &["_8", "0x", "0b2", "0xg", "8a", "+", "-", "1-2"],
        Value::Str,
    );
}

#[test]
fn integers_end_at_64_bits() {
    check(&["9223372036854775807"], Value::Int(i64::MAX));
    check(&["-9223372036854775808"], Value::Int(i64::MIN));
    check(&["9223372036854775808"], Value::Uint(1 << 63));
    check(
        &["18446744073709551616"],
        Value::Float(18_446_744_073_709_551_616.0),
    );
    check(
        &["+9223372036854775808"],
        Value::Float(9_223_372_036_854_775_808.0),
    );
    check(
        &["-9223372036854775809"],
        Value::Float(-9_223_372_036_854_775_808.0),
    );
}

#[test]
fn a_leading_zero_with_a_digit_that_is_not_octal_is_a_float() {
    check(
        &["08", "8.", "8.0", "0.8e1", "80e-1", "+8.0", "8_.0"],
        Value::Float(8.0),
    );
}

#[test]
fn floats_are_written_as_go_reads_them() {
    check(&[".5", "+.5", "0.5", "5e-1", "5E-1"], Value::Float(0.5));
    check(&[".5_5", "0.5_5"], Value::Float(0.55));
    check(&[".inf", ".Inf", "+.INF"], Value::Float(f64::INFINITY));
    check(&["-.inf"], Value::Float(f64::NEG_INFINITY));
    check(
        &[
            ".", "._5", ".5_", ".5__5", ".e1", "1e", "1e400", "inf", ".iNF",
        ],
        Value::Str,
    );
    assert!(matches!(resolve(".nan"), Value::Float(nan) if nan.is_nan()));
}

#[test]
fn timestamps_and_base_60_stay_strings() {
    check(
        &["2024-01-01", "2024-01-01T10:00:00Z", "10:30", "1:30.5"],
        Value::Str,
    );
}

#[test]
fn tags_change_the_value() {
    assert_eq!(resolve_tagged(CoreTag::Str, "1"), Value::Str);
    assert_eq!(resolve_tagged(CoreTag::Float, "1"), Value::Float(1.0));
    assert_eq!(resolve_tagged(CoreTag::Int, "0x10"), Value::Int(16));
    assert_eq!(resolve_tagged(CoreTag::Bool, "off"), Value::Bool(false));
    assert_eq!(resolve_tagged(CoreTag::Other, "1"), Value::Str);
}

#[test]
fn a_text_must_suit_its_tag() {
    assert!(suits_tag(CoreTag::Int, "1"));
    assert!(!suits_tag(CoreTag::Int, "1.5"));
    assert!(!suits_tag(CoreTag::Bool, "maybe"));
    assert!(suits_tag(CoreTag::Float, "1"));
    assert!(suits_tag(CoreTag::Binary, "YWI=\n"));
    assert!(!suits_tag(CoreTag::Binary, "YWI"));
}

#[test]
fn keys_print_as_in_json() {
    let text = |text| key_text(resolve(text)).into_owned();
    assert_eq!(text("y"), "true");
    assert_eq!(text("010"), "8");
    assert_eq!(text("1.50"), "1.5");
    assert_eq!(text("100000.0"), "100000");
    assert_eq!(text("1e6"), "1e+06");
    assert_eq!(text("1234567.0"), "1.234567e+06");
    assert_eq!(text("0.0001"), "0.0001");
    assert_eq!(text("0.00001"), "1e-05");
    assert_eq!(text("-.inf"), "-.inf");
    assert_eq!(text(".NaN"), ".nan");
}
