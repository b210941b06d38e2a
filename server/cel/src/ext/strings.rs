//! Strings.
//!
//! All positions count code points.
//!
//! Upstream: cel-go, ext/strings.go.

mod implementation;

use crate::cost::{actual, calls};
use crate::library::{Function, Library, Overload, Since, overloads};

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
    doc: "Returns the character at an index, counted from 0 in code points. At the end of the string, returns the empty string.",
    example: "'hello'.charAt(1) == 'e'",
    overloads: overloads![
        member "string_char_at_int": "string, int" -> "string";
    ],
    implementation: Some(implementation::char_at),
    ..Function::named("charAt")
};

/// `indexOf`
const INDEX_OF: Function = Function {
    doc: "Returns the index in code points of the first occurrence of the other string, optionally starting at an offset; -1 if it does not occur.",
    example: "'hello'.indexOf('l') == 2",
    overloads: overloads![
        member "string_index_of_string": "string, string" -> "int";
        member "string_index_of_string_int": "string, string, int" -> "int";
    ],
    implementation: Some(implementation::index_of),
    cost: Some(actual::traverses),
    estimate: Some(calls::scans_target),
    ..Function::named("indexOf")
};

/// `lastIndexOf`
const LAST_INDEX_OF: Function = Function {
    doc: "Returns the index in code points of the last occurrence of the other string, optionally at or before an offset; -1 if it does not occur.",
    example: "'hello'.lastIndexOf('l') == 3",
    overloads: overloads![
        member "string_last_index_of_string": "string, string" -> "int";
        member "string_last_index_of_string_int": "string, string, int" -> "int";
    ],
    implementation: Some(implementation::last_index_of),
    cost: Some(actual::traverses),
    estimate: Some(calls::scans_target),
    ..Function::named("lastIndexOf")
};

/// `lowerAscii`
const LOWER_ASCII: Function = Function {
    doc: "Returns the string with the letters A to Z in lowercase. Other characters are unchanged.",
    example: "'TacoCat'.lowerAscii() == 'tacocat'",
    overloads: overloads![
        member "string_lower_ascii": "string" -> "string";
    ],
    implementation: Some(implementation::lower_ascii),
    cost: Some(actual::reads_first),
    estimate: Some(calls::converts_target),
    ..Function::named("lowerAscii")
};

/// `replace`
const REPLACE: Function = Function {
    doc: "Returns the string with each occurrence of one string replaced by another. The limit is the maximum number of replacements; a negative limit replaces all.",
    example: "'a-b-c'.replace('-', '.') == 'a.b.c' && 'a-b-c'.replace('-', '.', 1) == 'a.b-c'",
    overloads: overloads![
        member "string_replace_string_string": "string, string, string" -> "string";
        member "string_replace_string_string_int": "string, string, string, int" -> "string";
    ],
    implementation: Some(implementation::replace),
    cost: Some(actual::reads_first_twice),
    estimate: Some(calls::replace),
    ..Function::named("replace")
};

/// `split`
const SPLIT: Function = Function {
    doc: "Returns the parts of the string between the separators. The limit is the maximum number of parts; a negative limit returns all.",
    example: "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']",
    overloads: overloads![
        member "string_split_string": "string, string" -> "list(string)";
        member "string_split_string_int": "string, string, int" -> "list(string)";
    ],
    implementation: Some(implementation::split),
    cost: Some(actual::reads_first_twice),
    estimate: Some(calls::split),
    ..Function::named("split")
};

/// `substring`
const SUBSTRING: Function = Function {
    doc: "Returns the part of the string from the start index, counted from 0 in code points, up to but not including the end index, or to the end of the string.",
    example: "'kubernetes'.substring(4) == 'rnetes' && 'kubernetes'.substring(0, 4) == 'kube'",
    overloads: overloads![
        member "string_substring_int": "string, int" -> "string";
        member "string_substring_int_int": "string, int, int" -> "string";
    ],
    implementation: Some(implementation::substring),
    cost: Some(actual::reads_first),
    estimate: Some(calls::converts_target),
    ..Function::named("substring")
};

/// `trim`
const TRIM: Function = Function {
    doc: "Returns the string without leading and trailing whitespace.",
    example: "'  a b '.trim() == 'a b'",
    overloads: overloads![
        member "string_trim": "string" -> "string";
    ],
    implementation: Some(implementation::trim),
    cost: Some(actual::reads_first),
    estimate: Some(calls::converts_target),
    ..Function::named("trim")
};

/// `upperAscii`
const UPPER_ASCII: Function = Function {
    doc: "Returns the string with the letters a to z in uppercase. Other characters are unchanged.",
    example: "'TacoCat'.upperAscii() == 'TACOCAT'",
    overloads: overloads![
        member "string_upper_ascii": "string" -> "string";
    ],
    implementation: Some(implementation::upper_ascii),
    cost: Some(actual::reads_first),
    estimate: Some(calls::converts_target),
    ..Function::named("upperAscii")
};

/// `strings.quote`
const QUOTE: Function = Function {
    doc: "Returns the string in double quotes, with line breaks, tabs, quotes and backslashes escaped.",
    example: "strings.quote('say \"hi\"') == r'\"say \\\"hi\\\"\"'",
    overloads: overloads![
        global "strings_quote" since 29: "string" -> "string";
    ],
    implementation: Some(implementation::quote),
    ..Function::named("strings.quote")
};

/// `join`
const JOIN: Function = Function {
    doc: "Returns the strings of the list joined into one, with an optional separator between them.",
    example: "['a', 'b'].join('-') == 'a-b'",
    overloads: overloads![
        member "list_join": "list(string)" -> "string";
        member "list_join_string": "list(string), string" -> "string";
    ],
    implementation: Some(implementation::join),
    cost: Some(actual::writes_result),
    estimate: Some(calls::join),
    ..Function::named("join")
};

/// `reverse`
const REVERSE: Function = Function {
    doc: "Returns the string with its code points in reverse order.",
    example: "'abc'.reverse() == 'cba'",
    overloads: &[Overload {
        since: Since::PLAIN_CEL,
        ..Overload::member("string_reverse", "string", "string")
    }],
    implementation: Some(implementation::reverse),
    ..Function::named("reverse")
};
