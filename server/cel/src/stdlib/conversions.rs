//! Conversions between types.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `type`
pub(super) const TYPE: Function = Function {
    doc: "The type of a value, to compare it with a name such as `int` or `string`.",
    example: "type(1) == int && type('a') == string",
    overloads: &[Overload::global("type", "<A>", "type(<A>)", FIRST)],
    ..Function::named("type")
};

/// `bool`
pub(super) const BOOL: Function = Function {
    doc: "Reads a bool from a string: `'1'`, `'t'`, `'true'`, `'TRUE'`, `'True'` are true; `'0'`, `'f'`, `'false'`, `'FALSE'`, `'False'` are false.",
    example: "bool('true')",
    overloads: &[
        Overload::global("bool_to_bool", "bool", "bool", FIRST),
        Overload::global("string_to_bool", "string", "bool", FIRST),
    ],
    ..Function::named("bool")
};

/// `bytes`
pub(super) const BYTES: Function = Function {
    doc: "The bytes of a string in UTF-8.",
    example: "bytes('abc') == b'abc'",
    overloads: &[
        Overload::global("bytes_to_bytes", "bytes", "bytes", FIRST),
        Overload::global("string_to_bytes", "string", "bytes", FIRST),
    ],
    ..Function::named("bytes")
};

/// `double`
pub(super) const DOUBLE: Function = Function {
    doc: "The number as a double. A string is read.",
    example: "double('1.5') == 1.5 && double(2) == 2.0",
    overloads: &[
        Overload::global("double_to_double", "double", "double", FIRST),
        Overload::global("int64_to_double", "int", "double", FIRST),
        Overload::global("string_to_double", "string", "double", FIRST),
        Overload::global("uint64_to_double", "uint", "double", FIRST),
    ],
    ..Function::named("double")
};

/// `duration`
pub(super) const DURATION: Function = Function {
    doc: "Reads a span of time, such as `'1h30m'`, `'500ms'` or `'-2s'`. An int is a number of nanoseconds.",
    example: "duration('1h30m') == duration('90m')",
    overloads: &[
        Overload::global(
            "duration_to_duration",
            "google.protobuf.Duration",
            "google.protobuf.Duration",
            FIRST,
        ),
        Overload::global(
            "int64_to_duration",
            "int",
            "google.protobuf.Duration",
            FIRST,
        ),
        Overload::global(
            "string_to_duration",
            "string",
            "google.protobuf.Duration",
            FIRST,
        ),
    ],
    ..Function::named("duration")
};

/// `dyn`
pub(super) const DYN: Function = Function {
    doc: "The same value, of which the type is decided only when the expression runs.",
    example: "dyn(1) != 'a'",
    overloads: &[Overload::global("to_dyn", "<A>", "dyn", FIRST)],
    ..Function::named("dyn")
};

/// `int`
pub(super) const INT: Function = Function {
    doc: "The number as an int. A double is cut towards zero, a string is read, a timestamp gives the seconds since 1970, a duration its nanoseconds.",
    example: "int('42') == 42 && int(1.9) == 1 && int(timestamp('1970-01-01T00:01:00Z')) == 60",
    overloads: &[
        Overload::global("int64_to_int64", "int", "int", FIRST),
        Overload::global("double_to_int64", "double", "int", FIRST),
        Overload::global(
            "duration_to_int64",
            "google.protobuf.Duration",
            "int",
            FIRST,
        ),
        Overload::global("string_to_int64", "string", "int", FIRST),
        Overload::global(
            "timestamp_to_int64",
            "google.protobuf.Timestamp",
            "int",
            FIRST,
        ),
        Overload::global("uint64_to_int64", "uint", "int", FIRST),
    ],
    ..Function::named("int")
};

/// `string`
pub(super) const STRING: Function = Function {
    doc: "The value as text.",
    example: "string(1.5) == '1.5' && string(duration('1m')) == '60s'",
    overloads: &[
        Overload::global("string_to_string", "string", "string", FIRST),
        Overload::global("bool_to_string", "bool", "string", FIRST),
        Overload::global("bytes_to_string", "bytes", "string", FIRST),
        Overload::global("double_to_string", "double", "string", FIRST),
        Overload::global(
            "duration_to_string",
            "google.protobuf.Duration",
            "string",
            FIRST,
        ),
        Overload::global("int64_to_string", "int", "string", FIRST),
        Overload::global(
            "timestamp_to_string",
            "google.protobuf.Timestamp",
            "string",
            FIRST,
        ),
        Overload::global("uint64_to_string", "uint", "string", FIRST),
    ],
    ..Function::named("string")
};

/// `timestamp`
pub(super) const TIMESTAMP: Function = Function {
    doc: "Reads a point in time as RFC 3339 writes it, `'2024-05-01T12:00:00Z'`. An int is the seconds since 1970.",
    example: "timestamp('1970-01-01T00:00:05Z') == timestamp(5)",
    overloads: &[
        Overload::global(
            "timestamp_to_timestamp",
            "google.protobuf.Timestamp",
            "google.protobuf.Timestamp",
            FIRST,
        ),
        Overload::global(
            "int64_to_timestamp",
            "int",
            "google.protobuf.Timestamp",
            FIRST,
        ),
        Overload::global(
            "string_to_timestamp",
            "string",
            "google.protobuf.Timestamp",
            FIRST,
        ),
    ],
    ..Function::named("timestamp")
};

/// `uint`
pub(super) const UINT: Function = Function {
    doc: "The number as a uint. A double is cut towards zero, a string is read.",
    example: "uint(3) == 3u && uint('7') == 7u",
    overloads: &[
        Overload::global("uint64_to_uint64", "uint", "uint", FIRST),
        Overload::global("double_to_uint64", "double", "uint", FIRST),
        Overload::global("int64_to_uint64", "int", "uint", FIRST),
        Overload::global("string_to_uint64", "string", "uint", FIRST),
    ],
    ..Function::named("uint")
};
