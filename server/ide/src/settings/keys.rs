//! The keys of `admissible.toml`.
//!
//! The reader, which is in a layer above, completions, hovers and the JSON Schema of the file share
//! this table. The keys below `rules` are the codes of the table of rules.

use super::{Level, WIDTHS};
use text::{Key, ValueType};

/// The keys of the configuration file, the most frequent first.
pub const CONFIG_KEYS: &[Key] = &[
    Key::new(
        "kubernetes",
        ValueType::NonEmptyString,
        "The Kubernetes versions that the policies are for: one, such as `1.33`, or the oldest and \
         the newest, such as `1.30..1.36`. Features that one of them lacks are reported.",
    ),
    Key::new(
        "exclude",
        ValueType::List(&ValueType::String),
        "Patterns of files to exclude, as in `.gitignore`, relative to the configuration file.",
    ),
    Key::new(
        "schemas",
        ValueType::List(&ValueType::NonEmptyString),
        "Files, directories and patterns with the schemas of more kinds: \
         CustomResourceDefinitions and OpenAPI v3 documents. Relative to the configuration file.",
    ),
    Key::new(
        "rules",
        ValueType::Map(&ValueType::Words(&Level::NAMES)),
        "The level of each rule, by code. With `on`, a rule uses its default severities.",
    ),
    Key::new(
        "format",
        ValueType::Keys(FORMAT),
        "The style in which expressions are formatted.",
    ),
];

const FORMAT: &[Key] = &[Key::new(
    "line-width",
    ValueType::Integer {
        min: *WIDTHS.start(),
        max: *WIDTHS.end(),
    },
    "The width of a line in the file, in characters.",
)
.with_default("100")];
