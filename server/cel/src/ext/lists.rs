//! Lists.
//!
//! Upstream: cel-go, ext/lists.go.

mod cost;
mod implementation;
mod order;

use crate::cost::calls;
use crate::library::{Function, Library, Macro, Since, overloads};
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
    overloads: overloads![
        member "list_slice" since 34: "list(<T>), int, int" -> "list(<T>)";
    ],
    implementation: Some(implementation::slice),
    cost: Some(cost::output),
    estimate: Some(calls::slice),
    ..Function::named("slice")
};

/// `flatten`
const FLATTEN: Function = Function {
    doc: "Returns a list in which nested lists are replaced by their elements, up to the given depth; 1 by default.",
    example: "[[1, 2], [3]].flatten() == [1, 2, 3] && [[[1, 2]], [[3]]].flatten(2) == [1, 2, 3]",
    overloads: overloads![
        member "list_flatten" since 34: "list(list(<T>))" -> "list(<T>)";
        member "list_flatten_int" since 34: "list(dyn), int" -> "list(dyn)";
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
    overloads: overloads![
        member "list_int_sort" since 34: "list(int)" -> "list(int)";
        member "list_uint_sort" since 34: "list(uint)" -> "list(uint)";
        member "list_double_sort" since 34: "list(double)" -> "list(double)";
        member "list_bool_sort" since 34: "list(bool)" -> "list(bool)";
        member "list_google.protobuf.Duration_sort" since 34:
            "list(google.protobuf.Duration)" -> "list(google.protobuf.Duration)";
        member "list_google.protobuf.Timestamp_sort" since 34:
            "list(google.protobuf.Timestamp)" -> "list(google.protobuf.Timestamp)";
        member "list_string_sort" since 34: "list(string)" -> "list(string)";
        member "list_bytes_sort" since 34: "list(bytes)" -> "list(bytes)";
    ],
    implementation: Some(implementation::sort),
    cost: Some(cost::sort),
    estimate: Some(calls::sort),
    ..Function::named("sort")
};

/// `@sortByAssociatedKeys`
const SORT_BY_KEYS: Function = Function {
    overloads: overloads![
        member "list_int_sortByAssociatedKeys" since 34: "list(<T>), list(int)" -> "list(<T>)";
        member "list_uint_sortByAssociatedKeys" since 34: "list(<T>), list(uint)" -> "list(<T>)";
        member "list_double_sortByAssociatedKeys" since 34:
            "list(<T>), list(double)" -> "list(<T>)";
        member "list_bool_sortByAssociatedKeys" since 34: "list(<T>), list(bool)" -> "list(<T>)";
        member "list_google.protobuf.Duration_sortByAssociatedKeys" since 34:
            "list(<T>), list(google.protobuf.Duration)" -> "list(<T>)";
        member "list_google.protobuf.Timestamp_sortByAssociatedKeys" since 34:
            "list(<T>), list(google.protobuf.Timestamp)" -> "list(<T>)";
        member "list_string_sortByAssociatedKeys" since 34:
            "list(<T>), list(string)" -> "list(<T>)";
        member "list_bytes_sortByAssociatedKeys" since 34: "list(<T>), list(bytes)" -> "list(<T>)";
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
    overloads: overloads![
        global "lists_range" since 34: "int" -> "list(int)";
    ],
    implementation: Some(implementation::range),
    cost: Some(cost::output),
    estimate: Some(calls::range),
    ..Function::named("lists.range")
};

/// `reverse`
const REVERSE: Function = Function {
    doc: "Returns the elements in reverse order.",
    example: "[1, 2, 3].reverse() == [3, 2, 1]",
    overloads: overloads![
        member "list_reverse" since 34: "list(<T>)" -> "list(<T>)";
    ],
    implementation: Some(implementation::reverse),
    cost: Some(cost::output),
    estimate: Some(calls::reverse),
    ..Function::named("reverse")
};

/// `distinct`
const DISTINCT: Function = Function {
    doc: "Returns the list without duplicates; the first of equal elements is kept.",
    example: "[1, 2, 2, 1].distinct() == [1, 2]",
    overloads: overloads![
        member "list_distinct" since 34: "list(<T>)" -> "list(<T>)";
    ],
    implementation: Some(implementation::distinct),
    cost: Some(cost::distinct),
    estimate: Some(calls::distinct),
    ..Function::named("distinct")
};
