//! The values of constants.

use super::{parse, right};
use crate::syntax::{ExprKind, Literal};

#[track_caller]
fn value(text: &str) -> Literal {
    let ast = right(text);
    match ast.kind(ast.root()) {
        ExprKind::Literal(literal) => literal.clone(),
        other => panic!("{text} is {other:?}"),
    }
}

#[test]
fn integers() {
    for (text, expected) in [
        ("0", 0),
        ("-0", 0),
        ("- 1", -1),
        ("007", 7),
        ("0x1F", 31),
        ("-0x10", -16),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
        ("-0x8000000000000000", i64::MIN),
    ] {
        assert_eq!(value(text), Literal::Int(expected), "{text}");
    }
    for text in [
        "9223372036854775808",
        "--9223372036854775808",
        "0x8000000000000000",
    ] {
        assert!(!parse(text).is_ok(), "{text}");
    }
}

#[test]
fn unsigned_integers() {
    for (text, expected) in [
        ("0u", 0),
        ("7U", 7),
        ("0xFFu", 255),
        ("18446744073709551615u", u64::MAX),
        ("0xffffffffffffffffU", u64::MAX),
    ] {
        assert_eq!(value(text), Literal::Uint(expected), "{text}");
    }
}

#[test]
fn floating_point_numbers() {
    for (text, expected) in [
        ("1.0", 1.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        ("1e-400", 0.0),
        ("1.7976931348623157e308", f64::MAX),
    ] {
        assert_eq!(value(text), Literal::Double(expected), "{text}");
    }
    assert!(!parse("1.99e90000009").is_ok());
}

#[test]
fn a_number_ends_where_cel_go_ends_it() {
    // `1.e5` selects the field `e5` of 1.
    let ast = right("1.e5");
    assert!(matches!(ast.kind(ast.root()), ExprKind::Select { .. }));
    for text in ["1..5", "0X1", "1e", "1.5u", "0x"] {
        assert!(!parse(text).is_ok(), "{text}");
    }
}

#[test]
fn texts() {
    for (text, expected) in [
        ("''", ""),
        ("\"\"", ""),
        ("'a\"b'", "a\"b"),
        (
            r"'\a\b\f\n\r\t\v\\\'\x22\`\?'",
            "\u{7}\u{8}\u{c}\n\r\t\u{b}\\'\"`?",
        ),
        (r"'\x41\X42\u0043\U00000044\105'", "ABCDE"),
        (r"'\x80\377'", "\u{80}\u{ff}"),
        (r"r'\n\'", r"\n\"),
        (r#"R"\d""#, r"\d"),
        ("'''a'b''c'''", "a'b''c"),
        ("\"\"\"a\r\nb\rc\"\"\"", "a\nb\nc"),
        ("r'''a\r\nb\\'''", "a\nb\\"),
        (r"'''a\''''", "a'"),
        ("'😀'", "😀"),
        (r"'\U0001F600'", "😀"),
    ] {
        assert_eq!(value(text), Literal::String(expected.into()), "{text}");
    }
}

#[test]
fn bytes() {
    let cases: [(&str, &[u8]); 7] = [
        ("b''", b""),
        ("b'abc'", b"abc"),
        ("B\"é\"", &[0xc3, 0xa9]),
        (r"b'\xff\000\377'", &[0xff, 0, 0xff]),
        (r"br'\xff'", br"\xff"),
        (r"bR'\'", b"\\"),
        ("b'''a\r\nb'''", b"a\nb"),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), Literal::Bytes(expected.into()), "{text}");
    }
    for text in [r"b'\u0041'", r"b'\U00000041'", "rb'a'"] {
        assert!(!parse(text).is_ok(), "{text}");
    }
}

#[test]
fn constants() {
    assert_eq!(value("null"), Literal::Null);
    assert_eq!(value("true"), Literal::Bool(true));
    assert_eq!(value("false"), Literal::Bool(false));
}
