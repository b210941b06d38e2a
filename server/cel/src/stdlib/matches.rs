//! Regular expressions.

use crate::library::{Function, Overload, Version};

const FIRST: Version = Version::FIRST;

/// `matches`
pub(super) const MATCHES: Function = Function {
    doc: "True if the regular expression matches anywhere in the string. `^` and `$` tie it to the start and the end. The syntax is RE2, as in Go.",
    example: "'pod-17'.matches('^pod-[0-9]+$')",
    overloads: &[
        Overload::global("matches", "string, string", "bool", FIRST),
        Overload::member("matches_string", "string, string", "bool", FIRST),
    ],
    ..Function::named("matches")
};
