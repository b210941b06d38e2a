//! Lists and maps: index, `in`, size.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `_[_]`
pub(super) const INDEX: Function = Function {
    doc: "The element of a list at an index, counted from 0, or the value of a key of a map. It is an error if there is none.",
    example: "[1, 2, 3][1] == 2 && {'a': 1}['a'] == 1",
    overloads: &[
        Overload::global("index_list", "list(<A>), int", "<A>", FIRST),
        Overload::global("index_map", "map(<A>, <B>), <A>", "<B>", FIRST),
    ],
    ..Function::named("_[_]")
};

/// `@in`
pub(super) const IN: Function = Function {
    doc: "True if the list has an element that is equal to the value, or the map has the key.",
    example: "2 in [1, 2, 3] && 'a' in {'a': 1}",
    overloads: &[
        Overload::global("in_list", "<A>, list(<A>)", "bool", FIRST),
        Overload::global("in_map", "<A>, map(<A>, <B>)", "bool", FIRST),
    ],
    ..Function::named("@in")
};

/// `size`
pub(super) const SIZE: Function = Function {
    doc: "The number of elements of a list, of entries of a map, of code points of a string, or of bytes.",
    example: "size([1, 2]) == 2 && 'été'.size() == 3",
    overloads: &[
        Overload::global("size_bytes", "bytes", "int", FIRST),
        Overload::member("bytes_size", "bytes", "int", FIRST),
        Overload::global("size_list", "list(<A>)", "int", FIRST),
        Overload::member("list_size", "list(<A>)", "int", FIRST),
        Overload::global("size_map", "map(<A>, <B>)", "int", FIRST),
        Overload::member("map_size", "map(<A>, <B>)", "int", FIRST),
        Overload::global("size_string", "string", "int", FIRST),
        Overload::member("string_size", "string", "int", FIRST),
    ],
    ..Function::named("size")
};
