//! Finding text by regular expressions.
//!
//! The language itself has only `matches`.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Finding text by regular expressions.
pub static REGEX: Library = Library {
    name: "regex",
    macros: &[],
    functions: &[
        Function {
            doc: "The first part of a string that matches a regular expression. Empty if none does.",
            example: "'abc 123'.find('[0-9]+') == '123'",
            overloads: &[Overload::member(
                "string_find_string",
                "string, string",
                "string",
                Version(24),
            )],
            estimate: Some(calls::find),
            ..Function::named("find")
        },
        Function {
            doc: "All parts of a string that match a regular expression, up to a number of them if one is given.",
            example: "'1 22 333'.findAll('[0-9]+', 2) == ['1', '22']",
            overloads: &[
                Overload::member(
                    "string_find_all_string",
                    "string, string",
                    "list(string)",
                    Version(24),
                ),
                Overload::member(
                    "string_find_all_string_int",
                    "string, string, int",
                    "list(string)",
                    Version(24),
                ),
            ],
            estimate: Some(calls::find),
            ..Function::named("findAll")
        },
    ],
};
