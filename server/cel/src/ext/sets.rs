//! Lists as sets.
//!
//! Upstream: cel-go, ext/sets.go.

use crate::cost::calls;
use crate::library::{Function, Library, Overload, Version};

/// The version that brought the library.
const SINCE: Version = Version(29);

/// The sets library.
pub static LIBRARY: Library = Library {
    name: "sets",
    functions: &[CONTAINS, EQUIVALENT, INTERSECTS],
    macros: &[],
};

/// `sets.contains`
const CONTAINS: Function = Function {
    doc: "True if the first list has every element of the second. Order and repetition do not count.",
    example: "sets.contains([1, 2, 3], [3, 1])",
    overloads: &[Overload::global(
        "list_sets_contains_list",
        "list(<T>), list(<T>)",
        "bool",
        SINCE,
    )],
    estimate: Some(calls::compares_sets),
    ..Function::named("sets.contains")
};

/// `sets.equivalent`
const EQUIVALENT: Function = Function {
    doc: "True if each list has every element of the other. Order and repetition do not count.",
    example: "sets.equivalent([1, 2], [2, 1, 1])",
    overloads: &[Overload::global(
        "list_sets_equivalent_list",
        "list(<T>), list(<T>)",
        "bool",
        SINCE,
    )],
    estimate: Some(calls::compares_sets_twice),
    ..Function::named("sets.equivalent")
};

/// `sets.intersects`
const INTERSECTS: Function = Function {
    doc: "True if the lists have at least one element in common.",
    example: "sets.intersects([1, 2], [2, 3])",
    overloads: &[Overload::global(
        "list_sets_intersects_list",
        "list(<T>), list(<T>)",
        "bool",
        SINCE,
    )],
    estimate: Some(calls::compares_sets),
    ..Function::named("sets.intersects")
};
