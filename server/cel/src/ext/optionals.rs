//! Values that may be absent.
//!
//! The evaluator runs `or` and `orValue` itself, since they evaluate their argument only when
//! they need it.
//!
//! Upstream: cel-go, cel/library.go, `optionalLib`.

use crate::library::{Function, Library, Overload, Version};
use crate::syntax::MacroKind;

/// The version that brought the library.
const SINCE: Version = Version(28);

/// The library of optional values.
pub static LIBRARY: Library = Library {
    name: "optionals",
    functions: &[
        OF,
        OF_NON_ZERO_VALUE,
        NONE,
        VALUE,
        HAS_VALUE,
        OR,
        OR_VALUE,
        SELECT,
        OPTIONAL_INDEX,
        INDEX,
        LAST,
        FIRST,
        UNWRAP,
        UNWRAP_OPT,
    ],
    macros: &[(MacroKind::OptMap, SINCE), (MacroKind::OptFlatMap, SINCE)],
};

/// `optional.of`
const OF: Function = Function {
    doc: "An optional that has the value.",
    example: "optional.of(1).value() == 1",
    overloads: &[Overload::global(
        "optional_of",
        "<V>",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("optional.of")
};

/// `optional.ofNonZeroValue`
const OF_NON_ZERO_VALUE: Function = Function {
    doc: "An optional that has the value, or none if the value is zero, empty, false or null.",
    example: "!optional.ofNonZeroValue('').hasValue() && optional.ofNonZeroValue('a').hasValue()",
    overloads: &[Overload::global(
        "optional_ofNonZeroValue",
        "<V>",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("optional.ofNonZeroValue")
};

/// `optional.none`
const NONE: Function = Function {
    doc: "The optional that has no value.",
    example: "!optional.none().hasValue()",
    overloads: &[Overload::global(
        "optional_none",
        "",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("optional.none")
};

/// `value`
const VALUE: Function = Function {
    doc: "The value of the optional. It is an error if there is none.",
    example: "optional.of('a').value() == 'a'",
    overloads: &[Overload::member(
        "optional_value",
        "optional_type(<V>)",
        "<V>",
        SINCE,
    )],
    ..Function::named("value")
};

/// `hasValue`
const HAS_VALUE: Function = Function {
    doc: "True if the optional has a value.",
    example: "{'a': 1}[?'a'].hasValue()",
    overloads: &[Overload::member(
        "optional_hasValue",
        "optional_type(<V>)",
        "bool",
        SINCE,
    )],
    ..Function::named("hasValue")
};

/// `or`
const OR: Function = Function {
    doc: "The optional if it has a value, else the other optional.",
    example: "optional.none().or(optional.of(2)).value() == 2",
    overloads: &[Overload::member(
        "optional_or_optional",
        "optional_type(<V>), optional_type(<V>)",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("or")
};

/// `orValue`
const OR_VALUE: Function = Function {
    doc: "The value of the optional if it has one, else the other value.",
    example: "{'a': 1}[?'b'].orValue(0) == 0",
    overloads: &[Overload::member(
        "optional_orValue_value",
        "optional_type(<V>), <V>",
        "<V>",
        SINCE,
    )],
    ..Function::named("orValue")
};

/// `_?._`
const SELECT: Function = Function {
    doc: "The field as an optional: none if it is not set.",
    example: "{'a': 1}.?a.hasValue() && !{'a': 1}.?b.hasValue()",
    overloads: &[Overload::global(
        "select_optional_field",
        "dyn, string",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("_?._")
};

/// `_[?_]`
const OPTIONAL_INDEX: Function = Function {
    doc: "The element at an index, or the value of a key, as an optional: none if there is no such element.",
    example: "[1, 2][?5].orValue(0) == 0",
    overloads: &[
        Overload::global(
            "list_optindex_optional_int",
            "list(<V>), int",
            "optional_type(<V>)",
            SINCE,
        ),
        Overload::global(
            "optional_list_optindex_optional_int",
            "optional_type(list(<V>)), int",
            "optional_type(<V>)",
            SINCE,
        ),
        Overload::global(
            "map_optindex_optional_value",
            "map(<K>, <V>), <K>",
            "optional_type(<V>)",
            SINCE,
        ),
        Overload::global(
            "optional_map_optindex_optional_value",
            "optional_type(map(<K>, <V>)), <K>",
            "optional_type(<V>)",
            SINCE,
        ),
    ],
    ..Function::named("_[?_]")
};

/// `_[_]`
const INDEX: Function = Function {
    doc: "The element of a list or the value of a map in an optional, as an optional: none if there is no list or map, or no such element.",
    example: "optional.of([1, 2])[0].value() == 1",
    overloads: &[
        Overload::global(
            "optional_list_index_int",
            "optional_type(list(<V>)), int",
            "optional_type(<V>)",
            SINCE,
        ),
        Overload::global(
            "optional_map_index_value",
            "optional_type(map(<K>, <V>)), <K>",
            "optional_type(<V>)",
            SINCE,
        ),
    ],
    ..Function::named("_[_]")
};

/// `last`
const LAST: Function = Function {
    doc: "The last element as an optional: none if the list is empty.",
    example: "[1, 2, 3].last().value() == 3",
    overloads: &[Overload::member(
        "list_last",
        "list(<V>)",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("last")
};

/// `first`
const FIRST: Function = Function {
    doc: "The first element as an optional: none if the list is empty.",
    example: "[1, 2, 3].first().value() == 1",
    overloads: &[Overload::member(
        "list_first",
        "list(<V>)",
        "optional_type(<V>)",
        SINCE,
    )],
    ..Function::named("first")
};

/// `optional.unwrap`
const UNWRAP: Function = Function {
    doc: "The values of those optionals of a list that have one.",
    example: "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    overloads: &[Overload::global(
        "optional_unwrap",
        "list(optional_type(<V>))",
        "list(<V>)",
        SINCE,
    )],
    ..Function::named("optional.unwrap")
};

/// `unwrapOpt`
const UNWRAP_OPT: Function = Function {
    doc: "The values of those optionals of the list that have one.",
    example: "[optional.of(1), optional.none()].unwrapOpt() == [1]",
    overloads: &[Overload::member(
        "optional_unwrapOpt",
        "list(optional_type(<V>))",
        "list(<V>)",
        SINCE,
    )],
    ..Function::named("unwrapOpt")
};
