//! Arithmetic.
//!
//! A result that its type cannot hold is an error.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `_+_`
pub(super) const ADD: Function = Function {
    doc: "Adds numbers or times, and joins strings, bytes or lists.",
    example: "1 + 2 == 3 && 'a' + 'b' == 'ab' && [1] + [2] == [1, 2]",
    overloads: &[
        Overload::global("add_bytes", "bytes, bytes", "bytes", FIRST),
        Overload::global("add_double", "double, double", "double", FIRST),
        Overload::global(
            "add_duration_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "google.protobuf.Duration",
            FIRST,
        ),
        Overload::global(
            "add_duration_timestamp",
            "google.protobuf.Duration, google.protobuf.Timestamp",
            "google.protobuf.Timestamp",
            FIRST,
        ),
        Overload::global(
            "add_timestamp_duration",
            "google.protobuf.Timestamp, google.protobuf.Duration",
            "google.protobuf.Timestamp",
            FIRST,
        ),
        Overload::global("add_int64", "int, int", "int", FIRST),
        Overload::global("add_list", "list(<A>), list(<A>)", "list(<A>)", FIRST),
        Overload::global("add_string", "string, string", "string", FIRST),
        Overload::global("add_uint64", "uint, uint", "uint", FIRST),
    ],
    ..Function::named("_+_")
};

/// `_/_`
pub(super) const DIVIDE: Function = Function {
    doc: "Divides numbers. Integers are cut towards zero, and an integer cannot be divided by zero.",
    example: "7 / 2 == 3 && 7.0 / 2.0 == 3.5",
    overloads: &[
        Overload::global("divide_double", "double, double", "double", FIRST),
        Overload::global("divide_int64", "int, int", "int", FIRST),
        Overload::global("divide_uint64", "uint, uint", "uint", FIRST),
    ],
    ..Function::named("_/_")
};

/// `_%_`
pub(super) const MODULO: Function = Function {
    doc: "The rest of a division of integers. It has the sign of the first number.",
    example: "7 % 3 == 1 && -7 % 3 == -1",
    overloads: &[
        Overload::global("modulo_int64", "int, int", "int", FIRST),
        Overload::global("modulo_uint64", "uint, uint", "uint", FIRST),
    ],
    ..Function::named("_%_")
};

/// `_*_`
pub(super) const MULTIPLY: Function = Function {
    doc: "Multiplies numbers.",
    example: "6 * 7 == 42",
    overloads: &[
        Overload::global("multiply_double", "double, double", "double", FIRST),
        Overload::global("multiply_int64", "int, int", "int", FIRST),
        Overload::global("multiply_uint64", "uint, uint", "uint", FIRST),
    ],
    ..Function::named("_*_")
};

/// `-_`
pub(super) const NEGATE: Function = Function {
    doc: "The number with the other sign.",
    example: "-(1 - 3) == 2",
    overloads: &[
        Overload::global("negate_double", "double", "double", FIRST),
        Overload::global("negate_int64", "int", "int", FIRST),
    ],
    ..Function::named("-_")
};

/// `_-_`
pub(super) const SUBTRACT: Function = Function {
    doc: "Subtracts numbers or times.",
    example: "5 - 3 == 2 && duration('1h') - duration('1m') == duration('59m')",
    overloads: &[
        Overload::global("subtract_double", "double, double", "double", FIRST),
        Overload::global(
            "subtract_duration_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "google.protobuf.Duration",
            FIRST,
        ),
        Overload::global("subtract_int64", "int, int", "int", FIRST),
        Overload::global(
            "subtract_timestamp_duration",
            "google.protobuf.Timestamp, google.protobuf.Duration",
            "google.protobuf.Timestamp",
            FIRST,
        ),
        Overload::global(
            "subtract_timestamp_timestamp",
            "google.protobuf.Timestamp, google.protobuf.Timestamp",
            "google.protobuf.Duration",
            FIRST,
        ),
        Overload::global("subtract_uint64", "uint, uint", "uint", FIRST),
    ],
    ..Function::named("_-_")
};
