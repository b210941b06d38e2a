//! Values and results as text.

use super::*;
use cel::Type;
use std::sync::Arc;

#[test]
fn values_are_written_as_cel_has_them() {
    let map: Map = [
        (
            Key::String("a\n".into()),
            Value::list(vec![Value::Null, Value::Uint(1)]),
        ),
        (Key::Int(2), Value::bytes(*b"x\"\xff")),
    ]
    .into_iter()
    .collect();
    assert_eq!(
        to_cel(&Value::Map(map)),
        r#"{"a\n": [null, 1u], 2: b"x\"\xff"}"#
    );
    assert_eq!(to_cel(&Value::Double(1.0)), "1.0");
    assert_eq!(to_cel(&Value::Double(-1e300)), "-1e+300");
    let ty = Value::Type(Arc::new(Type::list(Type::Duration)));
    assert_eq!(to_cel(&ty), "list(google.protobuf.Duration)");
    assert_eq!(to_cel(&Value::some(Value::Bool(true))), "optional.of(true)");
    assert_eq!(to_cel(&Value::Optional(None)), "optional.none()");
}

#[test]
fn long_values_are_cut() {
    let value = Value::list(vec![Value::string("😀".repeat(100)); 100]);
    let shown = to_cel(&value);
    assert_eq!(shown.chars().count(), Detail::Cut.characters());
    assert!(shown.ends_with('…'));
    let full = |value: &Value| TextBudget::new(Detail::Full).write(value);
    assert_eq!(full(&value).chars().count(), 104 * 100);
    let mut shared = Value::list(vec![value]);
    for _ in 0..60 {
        shared = Value::list(vec![shared.clone(), shared]);
    }
    let shown = full(&shared);
    assert!(shown.len() < 10 * 1024 * 1024 && shown.ends_with("… (truncated)"));
    let mut room = TextBudget::new(Detail::Cut);
    let all: usize = (0..10_000)
        .map(|_| room.write(&shared).chars().count())
        .sum();
    assert!(all <= Detail::Cut.total() + 10_000 * LEAST);
    assert_eq!(one_line("a\n  b", 10), "a b");
    assert_eq!(one_line("abcdef", 4), "abc…");
    assert_eq!(one_line(" a b ", 10), "a b");
}

#[test]
fn what_is_cut_has_a_size() {
    let sized = |value: &Value, limit| {
        ResultText::from_value(value, &mut TextBudget::new(Detail::Cut)).sized(limit)
    };
    let numbers = Value::list(vec![Value::Int(1); 30]);
    assert_eq!(sized(&numbers, 30), "[1, 1, 1, 1, 1,… (30 elements)");
    assert_eq!(
        sized(&Value::string("😀".repeat(40)), 25).chars().count(),
        25
    );
    assert_eq!(sized(&Value::Int(7), 1), "7");
    assert_eq!(sized(&Value::list(vec![Value::Int(1)]), 30), "[1]");
}
