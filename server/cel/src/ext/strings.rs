//! Strings.
//!
//! All positions count code points.
//!
//! Upstream: cel-go, ext/strings.go.

mod cost;
mod implementation;

use crate::cost::calls;
use crate::library::{Function, Library, Overload, Version};

const FIRST: Version = Version::FIRST;

/// The strings library, without `format`.
pub static LIBRARY: Library = Library {
    name: "strings",
    functions: &[
        CHAR_AT,
        INDEX_OF,
        LAST_INDEX_OF,
        LOWER_ASCII,
        REPLACE,
        SPLIT,
        SUBSTRING,
        TRIM,
        UPPER_ASCII,
        QUOTE,
        JOIN,
        REVERSE,
    ],
    macros: &[],
};

/// `charAt`
const CHAR_AT: Function = Function {
    doc: "The character at an index, counted from 0 in code points. At the end of the string it is empty.",
    example: "'hello'.charAt(1) == 'e'",
    overloads: &[Overload::member(
        "string_char_at_int",
        "string, int",
        "string",
        FIRST,
    )],
    implementation: Some(implementation::char_at),
    ..Function::named("charAt")
};

/// `indexOf`
const INDEX_OF: Function = Function {
    doc: "Where the other string is found first, in code points, from an offset on if there is one; -1 if it is not found.",
    example: "'hello'.indexOf('l') == 2",
    overloads: &[
        Overload::member("string_index_of_string", "string, string", "int", FIRST),
        Overload::member(
            "string_index_of_string_int",
            "string, string, int",
            "int",
            FIRST,
        ),
    ],
    implementation: Some(implementation::index_of),
    cost: Some(cost::scans),
    estimate: Some(calls::scans_target),
    ..Function::named("indexOf")
};

/// `lastIndexOf`
const LAST_INDEX_OF: Function = Function {
    doc: "Where the other string is found last, in code points, at an offset or before it if there is one; -1 if it is not found.",
    example: "'hello'.lastIndexOf('l') == 3",
    overloads: &[
        Overload::member(
            "string_last_index_of_string",
            "string, string",
            "int",
            FIRST,
        ),
        Overload::member(
            "string_last_index_of_string_int",
            "string, string, int",
            "int",
            FIRST,
        ),
    ],
    implementation: Some(implementation::last_index_of),
    cost: Some(cost::scans),
    estimate: Some(calls::scans_target),
    ..Function::named("lastIndexOf")
};

/// `lowerAscii`
const LOWER_ASCII: Function = Function {
    doc: "The string with the letters A to Z in lower case. Other letters stay.",
    example: "'TacoCat'.lowerAscii() == 'tacocat'",
    overloads: &[Overload::member(
        "string_lower_ascii",
        "string",
        "string",
        FIRST,
    )],
    implementation: Some(implementation::lower_ascii),
    cost: Some(cost::reads_text),
    estimate: Some(calls::converts_target),
    ..Function::named("lowerAscii")
};

/// `replace`
const REPLACE: Function = Function {
    doc: "The string with each occurrence of one text replaced by another. A limit says how many are replaced; a negative one means all.",
    example: "'a-b-c'.replace('-', '.') == 'a.b.c' && 'a-b-c'.replace('-', '.', 1) == 'a.b-c'",
    overloads: &[
        Overload::member(
            "string_replace_string_string",
            "string, string, string",
            "string",
            FIRST,
        ),
        Overload::member(
            "string_replace_string_string_int",
            "string, string, string, int",
            "string",
            FIRST,
        ),
    ],
    implementation: Some(implementation::replace),
    cost: Some(cost::rewrites_text),
    estimate: Some(calls::replace),
    ..Function::named("replace")
};

/// `split`
const SPLIT: Function = Function {
    doc: "The parts of the string between the separators. A limit says how many parts there can be; a negative one means no limit.",
    example: "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
    overloads: &[
        Overload::member(
            "string_split_string",
            "string, string",
            "list(string)",
            FIRST,
        ),
        Overload::member(
            "string_split_string_int",
            "string, string, int",
            "list(string)",
            FIRST,
        ),
    ],
    implementation: Some(implementation::split),
    cost: Some(cost::rewrites_text),
    estimate: Some(calls::split),
    ..Function::named("split")
};

/// `substring`
const SUBSTRING: Function = Function {
    doc: "The part of the string from an index on, counted from 0 in code points, up to a second index that is not in it, or to the end.",
    example: "'kubernetes'.substring(4) == 'rnetes' && 'kubernetes'.substring(0, 4) == 'kube'",
    overloads: &[
        Overload::member("string_substring_int", "string, int", "string", FIRST),
        Overload::member(
            "string_substring_int_int",
            "string, int, int",
            "string",
            FIRST,
        ),
    ],
    implementation: Some(implementation::substring),
    cost: Some(cost::reads_text),
    estimate: Some(calls::converts_target),
    ..Function::named("substring")
};

/// `trim`
const TRIM: Function = Function {
    doc: "The string without white space at its start and its end.",
    example: "'  a b '.trim() == 'a b'",
    overloads: &[Overload::member("string_trim", "string", "string", FIRST)],
    implementation: Some(implementation::trim),
    cost: Some(cost::reads_text),
    estimate: Some(calls::converts_target),
    ..Function::named("trim")
};

/// `upperAscii`
const UPPER_ASCII: Function = Function {
    doc: "The string with the letters a to z in upper case. Other letters stay.",
    example: "'TacoCat'.upperAscii() == 'TACOCAT'",
    overloads: &[Overload::member(
        "string_upper_ascii",
        "string",
        "string",
        FIRST,
    )],
    implementation: Some(implementation::upper_ascii),
    cost: Some(cost::reads_text),
    estimate: Some(calls::converts_target),
    ..Function::named("upperAscii")
};

/// `strings.quote`
const QUOTE: Function = Function {
    doc: "The string in double quotes, with line breaks, tabs, quotes and backslashes escaped.",
    example: "strings.quote('say \"hi\"') == r'\"say \\\"hi\\\"\"'",
    overloads: &[Overload::global(
        "strings_quote",
        "string",
        "string",
        Version(29),
    )],
    implementation: Some(implementation::quote),
    ..Function::named("strings.quote")
};

/// `join`
const JOIN: Function = Function {
    doc: "The strings of a list as one string, with a separator between them if there is one.",
    example: "['a', 'b'].join('-') == 'a-b'",
    overloads: &[
        Overload::member("list_join", "list(string)", "string", FIRST),
        Overload::member("list_join_string", "list(string), string", "string", FIRST),
    ],
    implementation: Some(implementation::join),
    cost: Some(cost::writes_text),
    estimate: Some(calls::join),
    ..Function::named("join")
};

/// `reverse`
const REVERSE: Function = Function {
    doc: "The string with its code points in reverse order.",
    example: "'abc'.reverse() == 'cba'",
    overloads: &[Overload::member(
        "string_reverse",
        "string",
        "string",
        Version::PLAIN_CEL,
    )],
    implementation: Some(implementation::reverse),
    ..Function::named("reverse")
};
