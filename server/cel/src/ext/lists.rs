//! Lists.
//!
//! Upstream: cel-go, ext/lists.go.

mod cost;
mod implementation;
mod order;

use crate::cost::calls;
use crate::library::{Function, Library, Macro, Overload, Since};
use crate::syntax::MacroKind;

/// The version that brought the library.
const SINCE: Since = Since(34);

/// The lists library.
pub static LIBRARY: Library = Library {
    name: "lists",
    functions: &[SLICE, FLATTEN, SORT, SORT_BY_KEYS, RANGE, REVERSE, DISTINCT],
    macros: &[Macro::new(MacroKind::SortBy, 1, SINCE)],
};

/// `slice`
const SLICE: Function = Function {
    doc: "Returns the elements from the start index, counted from 0, up to but not including the end index.",
    example: "[1, 2, 3, 4].slice(1, 3) == [2, 3]",
    overloads: &[Overload::member(
        "list_slice",
        "list(<T>), int, int",
        "list(<T>)",
        SINCE,
    )],
    implementation: Some(implementation::slice),
    cost: Some(cost::output),
    estimate: Some(calls::slice),
    ..Function::named("slice")
};

/// `flatten`
const FLATTEN: Function = Function {
    doc: "Returns a list in which nested lists are replaced by their elements, up to the given depth; 1 by default.",
    example: "[[1, 2], [3]].flatten() == [1, 2, 3] && [[[1, 2]], [[3]]].flatten(2) == [1, 2, 3]",
    overloads: &[
        Overload::member("list_flatten", "list(list(<T>))", "list(<T>)", SINCE),
        Overload::member("list_flatten_int", "list(dyn), int", "list(dyn)", SINCE),
    ],
    implementation: Some(implementation::flatten),
    cost: Some(cost::flatten),
    estimate: Some(calls::flatten),
    ..Function::named("flatten")
};

/// `sort`
const SORT: Function = Function {
    doc: "Returns the list sorted in ascending order.",
    example: "[3, 1, 2].sort() == [1, 2, 3]",
    overloads: &[
        Overload::member("list_int_sort", "list(int)", "list(int)", SINCE),
        Overload::member("list_uint_sort", "list(uint)", "list(uint)", SINCE),
        Overload::member("list_double_sort", "list(double)", "list(double)", SINCE),
        Overload::member("list_bool_sort", "list(bool)", "list(bool)", SINCE),
        Overload::member(
            "list_google.protobuf.Duration_sort",
            "list(google.protobuf.Duration)",
            "list(google.protobuf.Duration)",
            SINCE,
        ),
        Overload::member(
            "list_google.protobuf.Timestamp_sort",
            "list(google.protobuf.Timestamp)",
            "list(google.protobuf.Timestamp)",
            SINCE,
        ),
        Overload::member("list_string_sort", "list(string)", "list(string)", SINCE),
        Overload::member("list_bytes_sort", "list(bytes)", "list(bytes)", SINCE),
    ],
    implementation: Some(implementation::sort),
    cost: Some(cost::sort),
    estimate: Some(calls::sort),
    ..Function::named("sort")
};

/// `@sortByAssociatedKeys`
const SORT_BY_KEYS: Function = Function {
    overloads: &[
        Overload::member(
            "list_int_sortByAssociatedKeys",
            "list(<T>), list(int)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_uint_sortByAssociatedKeys",
            "list(<T>), list(uint)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_double_sortByAssociatedKeys",
            "list(<T>), list(double)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_bool_sortByAssociatedKeys",
            "list(<T>), list(bool)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_google.protobuf.Duration_sortByAssociatedKeys",
            "list(<T>), list(google.protobuf.Duration)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_google.protobuf.Timestamp_sortByAssociatedKeys",
            "list(<T>), list(google.protobuf.Timestamp)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_string_sortByAssociatedKeys",
            "list(<T>), list(string)",
            "list(<T>)",
            SINCE,
        ),
        Overload::member(
            "list_bytes_sortByAssociatedKeys",
            "list(<T>), list(bytes)",
            "list(<T>)",
            SINCE,
        ),
    ],
    implementation: Some(implementation::sort_by_keys),
    cost: Some(cost::sort_by_keys),
    estimate: Some(calls::sort_by),
    ..Function::named("@sortByAssociatedKeys")
};

/// `lists.range`
const RANGE: Function = Function {
    doc: "Returns a list of the integers from 0 up to but not including the given number.",
    example: "lists.range(3) == [0, 1, 2]",
    overloads: &[Overload::global("lists_range", "int", "list(int)", SINCE)],
    implementation: Some(implementation::range),
    cost: Some(cost::output),
    estimate: Some(calls::range),
    ..Function::named("lists.range")
};

/// `reverse`
const REVERSE: Function = Function {
    doc: "Returns the elements in reverse order.",
    example: "[1, 2, 3].reverse() == [3, 2, 1]",
    overloads: &[Overload::member(
        "list_reverse",
        "list(<T>)",
        "list(<T>)",
        SINCE,
    )],
    implementation: Some(implementation::reverse),
    cost: Some(cost::output),
    estimate: Some(calls::reverse),
    ..Function::named("reverse")
};

/// `distinct`
const DISTINCT: Function = Function {
    doc: "Returns the list without duplicates; the first of equal elements is kept.",
    example: "[1, 2, 2, 1].distinct() == [1, 2]",
    overloads: &[Overload::member(
        "list_distinct",
        "list(<T>)",
        "list(<T>)",
        SINCE,
    )],
    implementation: Some(implementation::distinct),
    cost: Some(cost::distinct),
    estimate: Some(calls::distinct),
    ..Function::named("distinct")
};
