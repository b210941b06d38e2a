//! Equality and concatenation of lists of objects.

use super::{List, ListKind, Repeats};
use crate::value::{Key, Value};

fn ints(numbers: &[i64]) -> Vec<Value> {
    numbers.iter().map(|number| Value::Int(*number)).collect()
}

fn list(numbers: &[i64]) -> Value {
    Value::list(ints(numbers))
}

fn set(numbers: &[i64]) -> Value {
    Value::List(List::with_kind(
        ints(numbers),
        ListKind::Set(Repeats::Overlooked),
    ))
}

fn entries(entries: &[(&str, &str, i64)]) -> Vec<Value> {
    let entry = |(first, second, value): &(&str, &str, i64)| {
        let fields = [
            (Key::String("key1".into()), Value::string(*first)),
            (Key::String("key2".into()), Value::string(*second)),
            (Key::String("value".into()), Value::Int(*value)),
        ];
        Value::Map(fields.into_iter().collect())
    };
    entries.iter().map(entry).collect()
}

fn keyed(all: &[(&str, &str, i64)]) -> Value {
    let keys = ListKind::Keyed(["key1".into(), "key2".into()].into(), Repeats::Overlooked);
    Value::List(List::with_kind(entries(all), keys))
}

fn plus(a: &Value, b: &Value) -> Value {
    let (Value::List(a), Value::List(b)) = (a, b) else {
        panic!("lists");
    };
    Value::List(a.plus(b))
}

fn numbers(value: &Value) -> String {
    value.to_string()
}

#[test]
fn a_list_compares_its_elements_one_by_one() {
    assert_eq!(list(&[1, 2]), list(&[1, 2]));
    assert_ne!(list(&[1, 2]), list(&[2, 1]));
    let atomic = Value::List(List::with_kind(ints(&[1, 2]), ListKind::Atomic));
    assert_ne!(atomic, list(&[2, 1]));
}

#[test]
fn the_left_side_says_how_lists_are_compared() {
    assert_eq!(set(&[1, 2, 3]), list(&[3, 1, 2]));
    assert_ne!(list(&[3, 1, 2]), set(&[1, 2, 3]));
    assert_ne!(set(&[1, 2, 3]), list(&[1, 2]));
    assert_ne!(set(&[1, 2, 3]), list(&[1, 2, 4]));
    assert_eq!(set(&[]), list(&[]));
}

#[test]
fn a_set_takes_what_it_does_not_have() {
    assert_eq!(
        numbers(&plus(&set(&[1, 2, 3]), &list(&[3, 4, 4]))),
        "[1, 2, 3, 4]"
    );
    let chained = plus(&plus(&set(&[1, 2, 3]), &list(&[4])), &list(&[4, 5]));
    assert_eq!(chained, list(&[5, 4, 3, 2, 1]));
    assert_ne!(plus(&set(&[1]), &list(&[4])), plus(&set(&[1]), &list(&[5])));
    assert_eq!(numbers(&plus(&list(&[1]), &set(&[1, 2]))), "[1, 1, 2]");
}

#[test]
fn numbers_of_all_types_are_elements_of_a_set() {
    let doubles = Value::list(vec![Value::Double(2.0), Value::Uint(1)]);
    assert_eq!(set(&[1, 2]), doubles);
}

#[test]
fn elements_with_keys_are_compared_by_their_keys() {
    let x = keyed(&[("a", "b", 1), ("c", "d", 2)]);
    assert_eq!(x, keyed(&[("c", "d", 2), ("a", "b", 1)]));
    assert_ne!(x, keyed(&[("c", "d", 2), ("a", "b", 9)]));
    assert_ne!(x, keyed(&[("c", "d", 2), ("a", "x", 1)]));
    assert_ne!(Value::list(entries(&[("c", "d", 2), ("a", "b", 1)])), x);
}

#[test]
fn elements_of_the_same_keys_are_replaced_where_they_are() {
    let x = keyed(&[("a", "b", 1), ("c", "d", 2)]);
    let merged = plus(&x, &keyed(&[("a", "b", 10), ("e", "f", 3)]));
    let expected = entries(&[("a", "b", 10), ("c", "d", 2), ("e", "f", 3)]);
    assert_eq!(numbers(&merged), numbers(&Value::list(expected.clone())));
    let turned = expected.into_iter().rev().collect();
    assert_eq!(merged, Value::list(turned));
    assert_ne!(merged, x);
}

#[test]
fn a_boundary_between_keys_counts() {
    let merged = plus(&keyed(&[("a b", "c", 1)]), &keyed(&[("a", "b c", 2)]));
    assert_eq!(merged.as_list().map(<[Value]>::len), Some(2));
}

#[test]
fn a_list_of_an_object_asks_its_elements() {
    let held = |of: &[i64]| List::with_kind(vec![set(of)], ListKind::Atomic);
    assert_eq!(held(&[1, 2]).holds(&list(&[2, 1])), Ok(true));
    let plain = |element| List::new(vec![element]);
    assert_eq!(plain(list(&[1, 2])).holds(&set(&[2, 1])), Ok(true));
    assert_eq!(plain(set(&[1, 2])).holds(&list(&[2, 1])), Ok(false));
}

#[test]
fn newer_servers_count_repeated_elements() {
    let counted = |kind: fn(Repeats) -> ListKind, elements: Vec<Value>| {
        let list = |repeats| Value::List(List::with_kind(elements.clone(), kind(repeats)));
        (list(Repeats::Overlooked), list(Repeats::Counted))
    };
    let (old, new) = counted(ListKind::Set, ints(&[1, 2]));
    for other in [&[1, 2], &[2, 1]] {
        assert_eq!((&old, &new), (&list(other), &list(other)));
    }
    assert_eq!(old, list(&[1, 1]));
    assert_ne!(new, list(&[1, 1]));
    assert_ne!(plus(&new, &list(&[3])), list(&[1, 1, 3]));
    let by_key = |repeats| ListKind::Keyed(["key1".into(), "key2".into()].into(), repeats);
    let (a, b) = (("a", "x", 1), ("b", "x", 2));
    let (old, new) = counted(by_key, entries(&[a, b]));
    assert_eq!(new, Value::list(entries(&[b, a])));
    assert_eq!(old, Value::list(entries(&[a, a])));
    assert_ne!(new, Value::list(entries(&[a, a])));
}
