//! The overloads that a call can refer to.

use super::{checked, env};
use crate::check::{OverloadSet, Reference};
use crate::env::DeclaredOverload;

fn ids(text: &str) -> Vec<&'static str> {
    let (checked, env) = (checked(text), env());
    let root = checked.expansion().root();
    checked
        .overloads(root, &env)
        .map(DeclaredOverload::id)
        .collect()
}

#[test]
fn static_types_leave_one() {
    assert_eq!(ids("1 + 2"), ["add_int64"]);
    assert_eq!(ids("list + []"), ["add_list"]);
    assert_eq!(ids("s.size()"), ["string_size"]);
    assert_eq!(ids("size(s)"), ["size_string"]);
    assert_eq!(ids("n == 1"), ["equals"]);
    assert_eq!(ids("b && b"), ["logical_and"]);
    assert_eq!(ids("optional.none()"), ["optional_none"]);
    assert_eq!(ids("map.?a"), ["select_optional_field"]);
}

#[test]
fn dynamic_types_leave_all_that_fit() {
    assert_eq!(ids("object + 1"), ["add_int64"]);
    assert_eq!(
        ids("object.size()"),
        ["bytes_size", "list_size", "map_size", "string_size"]
    );
    assert_eq!(ids("object.matches('a')"), ["matches_string"]);
    assert_eq!(ids("at + object"), ["add_timestamp_duration"]);
}

#[test]
fn what_is_no_call_has_none() {
    assert!(ids("n").is_empty());
    assert!(ids("1 + 'a'").is_empty());
}

#[test]
fn a_set_keeps_the_order_of_the_declaration() {
    let mut set = OverloadSet::default();
    assert!(set.is_empty() && set.single().is_none());
    set.insert(5);
    assert_eq!(set.single(), Some(5));
    set.insert(2);
    set.insert(200);
    assert_eq!(set.iter().collect::<Vec<_>>(), [2, 5]);
    assert_eq!((set.len(), set.single()), (2, None));
    assert!(set.contains(2) && !set.contains(200));
}

#[test]
fn no_function_has_more_overloads_than_a_reference_can_hold() {
    for function in env().functions() {
        assert!(function.overloads.len() <= crate::env::MAX_OVERLOADS);
    }
}

#[test]
fn a_reference_names_the_function() {
    let checked = checked("sets.contains(list, list)");
    let reference = checked.reference(checked.expansion().root()).unwrap();
    assert!(matches!(
        reference,
        Reference::Function {
            name: "sets.contains",
            ..
        }
    ));
}
