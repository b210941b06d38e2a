//! Strings.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `contains`
pub(super) const CONTAINS: Function = Function {
    doc: "True if the string has the other string in it.",
    example: "'kubernetes'.contains('bern')",
    overloads: &[Overload::member(
        "contains_string",
        "string, string",
        "bool",
        FIRST,
    )],
    ..Function::named("contains")
};

/// `endsWith`
pub(super) const ENDS_WITH: Function = Function {
    doc: "True if the string ends with the other string.",
    example: "'image:latest'.endsWith(':latest')",
    overloads: &[Overload::member(
        "ends_with_string",
        "string, string",
        "bool",
        FIRST,
    )],
    ..Function::named("endsWith")
};

/// `startsWith`
pub(super) const STARTS_WITH: Function = Function {
    doc: "True if the string starts with the other string.",
    example: "'team-a'.startsWith('team-')",
    overloads: &[Overload::member(
        "starts_with_string",
        "string, string",
        "bool",
        FIRST,
    )],
    ..Function::named("startsWith")
};
