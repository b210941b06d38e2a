//! Kubernetes' functions of lists.
//!
//! They look at the elements of a list as a whole: order, sum, least, greatest, place.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Kubernetes' functions of lists.
pub static LISTS: Library = Library {
    name: "lists",
    macros: &[],
    functions: &[
        Function {
            doc: "Whether every element is at most as large as the next.",
            example: "[1, 2, 2].isSorted()",
            overloads: &[
                Overload::member("list_int_is_sorted_bool", "list(int)", "bool", Version(24)),
                Overload::member(
                    "list_uint_is_sorted_bool",
                    "list(uint)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_double_is_sorted_bool",
                    "list(double)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_bool_is_sorted_bool",
                    "list(bool)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_duration_is_sorted_bool",
                    "list(google.protobuf.Duration)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_timestamp_is_sorted_bool",
                    "list(google.protobuf.Timestamp)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_string_is_sorted_bool",
                    "list(string)",
                    "bool",
                    Version(24),
                ),
                Overload::member(
                    "list_bytes_is_sorted_bool",
                    "list(bytes)",
                    "bool",
                    Version(24),
                ),
            ],
            estimate: Some(calls::scans_target),
            ..Function::named("isSorted")
        },
        Function {
            doc: "The sum of the elements. 0 if there are none.",
            example: "[1, 2, 3].sum() == 6",
            overloads: &[
                Overload::member("list_int_sum_int", "list(int)", "int", Version(24)),
                Overload::member("list_uint_sum_uint", "list(uint)", "uint", Version(24)),
                Overload::member(
                    "list_double_sum_double",
                    "list(double)",
                    "double",
                    Version(24),
                ),
                Overload::member(
                    "list_duration_sum_duration",
                    "list(google.protobuf.Duration)",
                    "google.protobuf.Duration",
                    Version(24),
                ),
            ],
            estimate: Some(calls::scans_target),
            ..Function::named("sum")
        },
        Function {
            doc: "The greatest element. An empty list is an error.",
            example: "[2, 3, 1].max() == 3",
            overloads: &[
                Overload::member("list_int_max_int", "list(int)", "int", Version(24)),
                Overload::member("list_uint_max_uint", "list(uint)", "uint", Version(24)),
                Overload::member(
                    "list_double_max_double",
                    "list(double)",
                    "double",
                    Version(24),
                ),
                Overload::member("list_bool_max_bool", "list(bool)", "bool", Version(24)),
                Overload::member(
                    "list_duration_max_duration",
                    "list(google.protobuf.Duration)",
                    "google.protobuf.Duration",
                    Version(24),
                ),
                Overload::member(
                    "list_timestamp_max_timestamp",
                    "list(google.protobuf.Timestamp)",
                    "google.protobuf.Timestamp",
                    Version(24),
                ),
                Overload::member(
                    "list_string_max_string",
                    "list(string)",
                    "string",
                    Version(24),
                ),
                Overload::member("list_bytes_max_bytes", "list(bytes)", "bytes", Version(24)),
            ],
            estimate: Some(calls::scans_target),
            ..Function::named("max")
        },
        Function {
            doc: "The least element. An empty list is an error.",
            example: "[2, 3, 1].min() == 1",
            overloads: &[
                Overload::member("list_int_min_int", "list(int)", "int", Version(24)),
                Overload::member("list_uint_min_uint", "list(uint)", "uint", Version(24)),
                Overload::member(
                    "list_double_min_double",
                    "list(double)",
                    "double",
                    Version(24),
                ),
                Overload::member("list_bool_min_bool", "list(bool)", "bool", Version(24)),
                Overload::member(
                    "list_duration_min_duration",
                    "list(google.protobuf.Duration)",
                    "google.protobuf.Duration",
                    Version(24),
                ),
                Overload::member(
                    "list_timestamp_min_timestamp",
                    "list(google.protobuf.Timestamp)",
                    "google.protobuf.Timestamp",
                    Version(24),
                ),
                Overload::member(
                    "list_string_min_string",
                    "list(string)",
                    "string",
                    Version(24),
                ),
                Overload::member("list_bytes_min_bytes", "list(bytes)", "bytes", Version(24)),
            ],
            estimate: Some(calls::scans_target),
            ..Function::named("min")
        },
        Function {
            doc: "The place of the first element that equals a value, counted from 0. -1 if none does.",
            example: "['a', 'b', 'b'].indexOf('b') == 1",
            overloads: &[Overload::member(
                "list_a_index_of_int",
                "list(<A>), <A>",
                "int",
                Version(24),
            )],
            estimate: Some(calls::scans_target),
            ..Function::named("indexOf")
        },
        Function {
            doc: "The place of the last element that equals a value, counted from 0. -1 if none does.",
            example: "['a', 'b', 'b'].lastIndexOf('b') == 2",
            overloads: &[Overload::member(
                "list_a_last_index_of_int",
                "list(<A>), <A>",
                "int",
                Version(24),
            )],
            estimate: Some(calls::scans_target),
            ..Function::named("lastIndexOf")
        },
    ],
};
