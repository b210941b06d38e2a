//! The keys of inputs.
//!
//! The reader, completions, hovers and the JSON Schema of inputs share this table.

use super::object_keys::{API_VERSION, KIND, METADATA, NAMESPACE_OBJECT, OBJECT, OLD_OBJECT};
use super::{authorizer, expect, request};
use text::{Key, ValueType, key_of, keys_below};

/// The keys of an input, those that tests have first.
pub(super) const ROOT: &[Key] = &[
    OBJECT,
    Key::new(
        "expect",
        ValueType::OneOf(&[
            ValueType::Words(expect::DECISIONS),
            ValueType::SomeKeys(expect::KEYS),
        ]),
        "The expected outcome, which makes the input a test: a decision, or a mapping.",
    )
    .not_null(),
    Key::new(
        "request",
        ValueType::Keys(request::KEYS),
        "The operation, the user and other attributes of the request.",
    ),
    Key::new(
        "params",
        ValueType::OneOf(&[
            ValueType::Open(PARAMETER),
            ValueType::NonEmptyList(&ValueType::Open(PARAMETER)),
        ]),
        "The parameter object, or a list of objects: the policy is then evaluated with each of \
         them. `null` means no parameters. Defaults to the parameters that the bindings select.",
    ),
    NAMESPACE_OBJECT,
    OLD_OBJECT,
    Key::new(
        "authorizer",
        ValueType::OneOf(&[
            ValueType::Words(authorizer::WORDS),
            ValueType::List(&ValueType::Keys(authorizer::KEYS)),
        ]),
        "The decisions of the authorizer. The first one that matches is used. `RBAC` uses the \
         Roles, ClusterRoles and bindings of the project.",
    ),
    Key::new(
        "policy",
        ValueType::OneOf(&[
            ValueType::NonEmptyString,
            ValueType::NonEmptyList(&ValueType::NonEmptyString),
        ]),
        "The name of the policy or webhook configuration to evaluate, or a list of names. \
         Defaults to every policy in the file.",
    )
    .not_null(),
    Key::new(
        "name",
        ValueType::String,
        "The name of the input, unique in its file. Defaults to the name of the file or, if the \
         file contains several inputs, to the operation, kind and name of the object.",
    ),
    Key::new(
        "raw",
        ValueType::Bool,
        "`true` uses the objects exactly as written, without the defaults of their kind and the \
         fields that the API server sets.",
    )
    .with_default("false"),
];

/// The first keys of a parameter. A binding determines its kind, so none is required.
const PARAMETER: &[Key] = &[
    Key::new("apiVersion", ValueType::Any, API_VERSION),
    Key::new("kind", ValueType::Any, KIND),
    METADATA,
];

/// Returns the keys of an input below a path of keys.
#[must_use]
pub fn keys(path: &[&str]) -> &'static [Key] {
    keys_below(ROOT, path)
}

/// Returns the values of a key of an input that has a fixed set of them.
#[must_use]
pub fn values(path: &[&str], key: &str) -> &'static [&'static str] {
    let key = key_of(keys(path), key);
    key.map_or(&[], |key| key.value.words())
}
