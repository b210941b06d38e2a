//! Text from values: `format`.
//!
//! cel-go has two, which differ in how they write numbers, maps and what they refuse.
//! Kubernetes has the first; the specification describes the second.
//!
//! Upstream: cel-go, ext/formatting.go and ext/formatting_v2.go.

use crate::library::{Function, Library, Overload, Version};

/// `format` as Kubernetes has it.
pub static LIBRARY: Library = Library {
    name: "strings",
    functions: &[FORMAT],
    macros: &[],
};

/// `format` as the specification has it, for an environment of plain CEL.
pub static PLAIN_CEL: Library = Library {
    name: "strings",
    functions: &[FORMAT_PLAIN],
    macros: &[],
};

const DOC: &str = "Puts the values of a list in the places of a text: `%s` any value, `%d` an integer, `%f` and `%e` a double, `%b` binary, `%x` and `%X` hexadecimal, `%o` octal, `%%` a percent sign. `%.2f` gives two decimals.";
const EXAMPLE: &str = "'%s has %d replicas'.format(['web', 3]) == 'web has 3 replicas'";

/// `format`
const FORMAT: Function = Function {
    doc: DOC,
    example: EXAMPLE,
    overloads: &[Overload::member(
        "string_format",
        "string, list(dyn)",
        "string",
        Version(29),
    )],
    ..Function::named("format")
};

/// `format`
const FORMAT_PLAIN: Function = Function {
    doc: DOC,
    example: EXAMPLE,
    overloads: &[Overload::member(
        "string_format",
        "string, list(dyn)",
        "string",
        Version::FIRST,
    )],
    ..Function::named("format")
};
