//! Order.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// The version from which numbers of different types are compared.
const MIXED: Version = Version(28);

/// `_<_`
pub(super) const LESS: Function = Function {
    doc: "True if the first value is less than the second. Strings are compared by code point, bytes by byte, false is less than true.",
    example: "1 < 2 && 'a' < 'b' && duration('1s') < duration('1m')",
    overloads: &[
        Overload::global("less_bool", "bool, bool", "bool", FIRST),
        Overload::global("less_int64", "int, int", "bool", FIRST),
        Overload::global("less_int64_double", "int, double", "bool", MIXED),
        Overload::global("less_int64_uint64", "int, uint", "bool", MIXED),
        Overload::global("less_uint64", "uint, uint", "bool", FIRST),
        Overload::global("less_uint64_double", "uint, double", "bool", MIXED),
        Overload::global("less_uint64_int64", "uint, int", "bool", MIXED),
        Overload::global("less_double", "double, double", "bool", FIRST),
        Overload::global("less_double_int64", "double, int", "bool", MIXED),
        Overload::global("less_double_uint64", "double, uint", "bool", MIXED),
        Overload::global("less_string", "string, string", "bool", FIRST),
        Overload::global("less_bytes", "bytes, bytes", "bool", FIRST),
        Overload::global(
            "less_timestamp",
            "google.protobuf.Timestamp, google.protobuf.Timestamp",
            "bool",
            FIRST,
        ),
        Overload::global(
            "less_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "bool",
            FIRST,
        ),
    ],
    ..Function::named("_<_")
};

/// `_<=_`
pub(super) const LESS_EQUALS: Function = Function {
    doc: "True if the first value is less than the second or equal to it.",
    example: "1 <= 1 && 1 <= 1.5",
    overloads: &[
        Overload::global("less_equals_bool", "bool, bool", "bool", FIRST),
        Overload::global("less_equals_int64", "int, int", "bool", FIRST),
        Overload::global("less_equals_int64_double", "int, double", "bool", MIXED),
        Overload::global("less_equals_int64_uint64", "int, uint", "bool", MIXED),
        Overload::global("less_equals_uint64", "uint, uint", "bool", FIRST),
        Overload::global("less_equals_uint64_double", "uint, double", "bool", MIXED),
        Overload::global("less_equals_uint64_int64", "uint, int", "bool", MIXED),
        Overload::global("less_equals_double", "double, double", "bool", FIRST),
        Overload::global("less_equals_double_int64", "double, int", "bool", MIXED),
        Overload::global("less_equals_double_uint64", "double, uint", "bool", MIXED),
        Overload::global("less_equals_string", "string, string", "bool", FIRST),
        Overload::global("less_equals_bytes", "bytes, bytes", "bool", FIRST),
        Overload::global(
            "less_equals_timestamp",
            "google.protobuf.Timestamp, google.protobuf.Timestamp",
            "bool",
            FIRST,
        ),
        Overload::global(
            "less_equals_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "bool",
            FIRST,
        ),
    ],
    ..Function::named("_<=_")
};

/// `_>_`
pub(super) const GREATER: Function = Function {
    doc: "True if the first value is greater than the second.",
    example: "2 > 1 && timestamp('2024-01-02T00:00:00Z') > timestamp('2024-01-01T00:00:00Z')",
    overloads: &[
        Overload::global("greater_bool", "bool, bool", "bool", FIRST),
        Overload::global("greater_int64", "int, int", "bool", FIRST),
        Overload::global("greater_int64_double", "int, double", "bool", MIXED),
        Overload::global("greater_int64_uint64", "int, uint", "bool", MIXED),
        Overload::global("greater_uint64", "uint, uint", "bool", FIRST),
        Overload::global("greater_uint64_double", "uint, double", "bool", MIXED),
        Overload::global("greater_uint64_int64", "uint, int", "bool", MIXED),
        Overload::global("greater_double", "double, double", "bool", FIRST),
        Overload::global("greater_double_int64", "double, int", "bool", MIXED),
        Overload::global("greater_double_uint64", "double, uint", "bool", MIXED),
        Overload::global("greater_string", "string, string", "bool", FIRST),
        Overload::global("greater_bytes", "bytes, bytes", "bool", FIRST),
        Overload::global(
            "greater_timestamp",
            "google.protobuf.Timestamp, google.protobuf.Timestamp",
            "bool",
            FIRST,
        ),
        Overload::global(
            "greater_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "bool",
            FIRST,
        ),
    ],
    ..Function::named("_>_")
};

/// `_>=_`
pub(super) const GREATER_EQUALS: Function = Function {
    doc: "True if the first value is greater than the second or equal to it.",
    example: "2 >= 2",
    overloads: &[
        Overload::global("greater_equals_bool", "bool, bool", "bool", FIRST),
        Overload::global("greater_equals_int64", "int, int", "bool", FIRST),
        Overload::global("greater_equals_int64_double", "int, double", "bool", MIXED),
        Overload::global("greater_equals_int64_uint64", "int, uint", "bool", MIXED),
        Overload::global("greater_equals_uint64", "uint, uint", "bool", FIRST),
        Overload::global(
            "greater_equals_uint64_double",
            "uint, double",
            "bool",
            MIXED,
        ),
        Overload::global("greater_equals_uint64_int64", "uint, int", "bool", MIXED),
        Overload::global("greater_equals_double", "double, double", "bool", FIRST),
        Overload::global("greater_equals_double_int64", "double, int", "bool", MIXED),
        Overload::global(
            "greater_equals_double_uint64",
            "double, uint",
            "bool",
            MIXED,
        ),
        Overload::global("greater_equals_string", "string, string", "bool", FIRST),
        Overload::global("greater_equals_bytes", "bytes, bytes", "bool", FIRST),
        Overload::global(
            "greater_equals_timestamp",
            "google.protobuf.Timestamp, google.protobuf.Timestamp",
            "bool",
            FIRST,
        ),
        Overload::global(
            "greater_equals_duration",
            "google.protobuf.Duration, google.protobuf.Duration",
            "bool",
            FIRST,
        ),
    ],
    ..Function::named("_>=_")
};
