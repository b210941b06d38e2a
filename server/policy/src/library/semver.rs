//! Versions.
//!
//! Semantic versions 2.0.0, `1.2.3-rc.1`, and on request what is nearly one, `v1.2`.
use cel::cost::calls;
use cel::library::{Function, Library, Overload, Version};

/// Versions.
pub static SEMVER: Library = Library {
    name: "semver",
    macros: &[],
    functions: &[
        Function {
            doc: "Reads a semantic version, `1.2.3`. With `true`, a leading `v`, missing parts and zeros before a number are mended first.",
            example: "semver('v1.2', true) == semver('1.2.0')",
            overloads: &[
                Overload::global(
                    "string_to_semver",
                    "string",
                    "struct(kubernetes.Semver)",
                    Version(33),
                ),
                Overload::global(
                    "string_bool_to_semver",
                    "string, bool",
                    "struct(kubernetes.Semver)",
                    Version(33),
                ),
            ],
            estimate: Some(calls::reads_argument),
            ..Function::named("semver")
        },
        Function {
            doc: "Whether `semver()` can read a text.",
            example: "isSemver('1.2.3-rc.1') && !isSemver('v1.2')",
            overloads: &[
                Overload::global("is_semver_string", "string", "bool", Version(33)),
                Overload::global("is_semver_string_bool", "string, bool", "bool", Version(33)),
            ],
            estimate: Some(calls::reads_argument),
            ..Function::named("isSemver")
        },
        Function {
            doc: "Whether a version comes after another.",
            example: "semver('1.10.0').isGreaterThan(semver('1.9.0'))",
            overloads: &[Overload::member(
                "semver_is_greater_than",
                "struct(kubernetes.Semver), struct(kubernetes.Semver)",
                "bool",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isGreaterThan")
        },
        Function {
            doc: "Whether a version comes before another. A version with `-rc.1` comes before the one without.",
            example: "semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))",
            overloads: &[Overload::member(
                "semver_is_less_than",
                "struct(kubernetes.Semver), struct(kubernetes.Semver)",
                "bool",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("isLessThan")
        },
        Function {
            doc: "-1, 0 or 1: whether a version comes before another, equals it or comes after it. What follows `+` does not count.",
            example: "semver('1.2.3+a').compareTo(semver('1.2.3')) == 0",
            overloads: &[Overload::member(
                "semver_compare_to",
                "struct(kubernetes.Semver), struct(kubernetes.Semver)",
                "int",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("compareTo")
        },
        Function {
            doc: "The first number of a version.",
            example: "semver('1.2.3').major() == 1",
            overloads: &[Overload::member(
                "semver_major",
                "struct(kubernetes.Semver)",
                "int",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("major")
        },
        Function {
            doc: "The second number of a version.",
            example: "semver('1.2.3').minor() == 2",
            overloads: &[Overload::member(
                "semver_minor",
                "struct(kubernetes.Semver)",
                "int",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("minor")
        },
        Function {
            doc: "The third number of a version.",
            example: "semver('1.2.3').patch() == 3",
            overloads: &[Overload::member(
                "semver_patch",
                "struct(kubernetes.Semver)",
                "int",
                Version(33),
            )],
            estimate: Some(calls::nominal),
            ..Function::named("patch")
        },
    ],
};
