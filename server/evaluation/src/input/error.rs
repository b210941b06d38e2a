//! Errors in inputs, with what to write instead.

use admission::Operation;
use std::fmt;
use text::{Key, TextRange, sentence};

/// An error in an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The position in the file.
    pub range: TextRange,
    /// The kind of the error.
    pub kind: InputErrorKind,
}

/// The kind of an error in an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputErrorKind {
    /// A YAML syntax error.
    Syntax(String),
    /// The structure of the document is wrong.
    Structure(StructureError),
    /// The key is unknown.
    UnknownKey {
        /// The key.
        key: String,
        /// The likely intended key.
        hint: Hint,
    },
    /// A key occurs twice.
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// The value of a key has another type.
    WrongType {
        /// The key.
        key: &'static str,
        /// The expected type.
        expected: ExpectedType,
    },
    /// A list instead of a single object.
    ListOfObjects {
        /// The key.
        key: &'static str,
    },
    /// The value of a key is not an object.
    NoObject {
        /// The key.
        key: &'static str,
    },
    /// An object without `apiVersion` or `kind`.
    Unnamed {
        /// The key of the object.
        key: &'static str,
        /// The field that it lacks.
        field: &'static str,
    },
    /// `namespaceObject` is of another kind.
    NoNamespace {
        /// The kind.
        kind: String,
    },
    /// An invalid value.
    UnknownWord {
        /// The key.
        key: &'static str,
        /// The word.
        word: String,
        /// The valid values.
        known: &'static [&'static str],
    },
    /// No policy has the name.
    UnknownPolicy {
        /// The name.
        name: String,
        /// The name of the file in which the policy should be.
        file: String,
        /// The policies that it has.
        known: Vec<String>,
    },
    /// An error at a comment that names inputs.
    Comment(CommentError),
    /// The file cannot be read.
    Unreadable {
        /// The reason.
        error: String,
    },
    /// Another input of the file has the name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// The operation does not match the objects.
    Operation(Operation, Mismatch),
    /// A key is set both outside and inside `request`.
    Twice {
        /// The key.
        key: &'static str,
    },
    /// An expectation that can never match with the given decision.
    NeverHolds {
        /// The key.
        key: &'static str,
        /// The decision.
        decision: &'static str,
    },
}

impl InputErrorKind {
    /// Returns the wrong word, and the one that is probably meant.
    #[must_use]
    pub fn correction(&self) -> Option<(&str, &str)> {
        match self {
            Self::UnknownKey {
                key,
                hint: Hint::Nearest(nearest),
            } => Some((key, nearest)),
            Self::UnknownWord { word, known, .. } => Some((word, nearest(word, known)?)),
            Self::UnknownPolicy { name, known, .. } => {
                let known = known.iter().map(String::as_str);
                Some((name, text::nearest(name, known)?))
            }
            _ => None,
        }
    }
}

/// An error at a comment that names inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommentError {
    /// The comment does not name a file.
    NoPath,
    /// The file cannot be read.
    Unreadable {
        /// The path in the comment.
        path: String,
        /// The reason.
        error: String,
    },
    /// The folder has no files that could be inputs.
    EmptyFolder {
        /// The path in the comment.
        path: String,
    },
    /// The file has an error.
    InFile {
        /// The name of the file.
        file: String,
        /// The error.
        error: Box<InputErrorKind>,
    },
}

/// An error in the structure of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureError {
    /// The file is empty.
    Empty,
    /// The document is a list.
    List,
    /// The document is a manifest of a list of objects.
    ListManifest,
    /// The document is not a mapping.
    NoMapping,
    /// Aliases expand to too many values.
    TooLarge,
    /// `params` without an object.
    EmptyParams,
    /// `policy` without a name.
    EmptyPolicies,
    /// `expect` without an expectation.
    EmptyExpect,
    /// There is no object.
    NoRequest,
    /// An answer of the authorizer without `decision`.
    NoAnswer,
}

/// The likely intended key for an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Another key.
    Nearest(&'static str),
    /// The same key, below another one.
    Below(&'static str),
    /// One of these.
    Known(&'static [Key]),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedType {
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
    /// An HTTP status code.
    StatusCode,
    /// Strings.
    Strings,
    /// Keys with values.
    Mapping,
    /// Keys with strings.
    StringMap,
    /// A word or a mapping.
    Expectation,
    /// A word or a list of mappings.
    Authorizer,
}

/// Why an operation does not match the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// There is an `object`.
    Object,
    /// There is an `oldObject`.
    OldObject,
    /// There is no `object`.
    NoObject,
    /// There is no `oldObject`.
    NoOldObject,
    /// There is no `subResource`.
    NoSubresource,
    /// There are `object` and `options`, which are the same here.
    Options,
}

impl fmt::Display for InputErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(message) => out.write_str(&sentence(message)),
            Self::UnknownKey { key, hint } => write!(out, "Unknown key `{key}`. {hint}"),
            Self::DuplicateKey { key } => write!(
                out,
                "Duplicate key `{key}`: only the last value is used. Remove one."
            ),
            Self::WrongType { key, expected } => write!(out, "`{key}` must be {expected}."),
            Self::ListOfObjects { key } => write!(
                out,
                "`{key}` must be a single object, not a list. Write one document per object, \
                 separated by `---`."
            ),
            Self::NoObject { key } => write!(
                out,
                "`{key}` is not an object. Write `apiVersion`, `kind` and `metadata` under it."
            ),
            Self::Unnamed { key, field } => {
                write!(out, "`{key}` has no `{field}`, so its type is unknown.")
            }
            Self::NoNamespace { kind } => no_namespace(out, kind),
            Self::UnknownWord { key, word, known } => unknown_word(out, key, word, known),
            Self::UnknownPolicy { name, file, known } => unknown_policy(out, name, file, known),
            Self::Comment(error) => error.fmt(out),
            Self::Unreadable { error } => write!(out, "The file cannot be read: {error}."),
            Self::DuplicateName { name } => write!(
                out,
                "Another input in this file is already named `{name}`. Choose a different name."
            ),
            Self::Operation(it, mismatch) => write!(out, "{} {mismatch}", it.as_str()),
            Self::Twice { key } => write!(
                out,
                "`{key}` is also set under `request`. Set it in only one place."
            ),
            Self::NeverHolds { key, decision } => never_holds(out, key, decision),
            Self::Structure(error) => error.fmt(out),
        }
    }
}

impl fmt::Display for CommentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPath => out
                .write_str("The comment does not name a file. Write a path relative to this file."),
            Self::Unreadable { path, error } => write!(
                out,
                "`{path}` cannot be read: {error}. The path is relative to this file."
            ),
            Self::EmptyFolder { path } => {
                write!(out, "The folder `{path}` has no YAML or JSON files.")
            }
            Self::InFile { file, error } => write!(out, "Error in `{file}`: {error}"),
        }
    }
}

impl fmt::Display for StructureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Empty => {
                "The file contains no input. Write a manifest under `object`, or write `request`."
            }
            Self::List => {
                "An input must be a mapping, not a list. Write one document per input, separated \
                 by `---`."
            }
            Self::ListManifest => {
                "An input has a single object, not a list. Write one document per object, \
                 separated by `---`."
            }
            Self::NoMapping => {
                "An input must be a mapping with keys such as `object`, `request` \
                 and `expect`."
            }
            Self::TooLarge => "The aliases expand to too many values.",
            Self::EmptyParams => {
                "`params` has no object. Add one, or remove `params` to use the parameters that \
                 the bindings select."
            }
            Self::EmptyPolicies => {
                "`policy` has no name. Add one, or remove `policy` to select every policy in the \
                 file."
            }
            Self::EmptyExpect => {
                "`expect` is empty. Write `decision: allow` or another expectation, or remove \
                 `expect`."
            }
            Self::NoRequest => {
                "The input has no object. Write `object` for CREATE, `oldObject` for DELETE, or \
                 both for UPDATE."
            }
            Self::NoAnswer => {
                "`decision` is missing. Write `allow`, `deny`, `noOpinion` or `error`."
            }
        })
    }
}

/// Returns the word that is probably meant.
fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let same = known.iter().find(|it| it.eq_ignore_ascii_case(word));
    same.copied()
        .or_else(|| text::nearest(word, known.iter().copied()))
}

fn unknown_word(
    out: &mut fmt::Formatter<'_>,
    key: &str,
    word: &str,
    known: &[&str],
) -> fmt::Result {
    write!(out, "`{word}` is not a valid value of `{key}`. ")?;
    match nearest(word, known) {
        Some(near) => write!(out, "Did you mean `{near}`?"),
        None => write!(out, "Expected {}.", text::listed_names(known, "or")),
    }
}

fn no_namespace(out: &mut fmt::Formatter<'_>, kind: &str) -> fmt::Result {
    write!(
        out,
        "`namespaceObject` must be a Namespace, not a {kind}. It is the namespace of the object."
    )
}

fn unknown_policy(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    file: &str,
    known: &[String],
) -> fmt::Result {
    write!(out, "Policy `{name}` not found in {file}.")?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match text::nearest(name, known.iter().copied()) {
        Some(near) => write!(out, " Did you mean `{near}`?"),
        None if known.is_empty() => Ok(()),
        None => write!(out, " The file has {}.", text::listed_names(&known, "and")),
    }
}

fn never_holds(out: &mut fmt::Formatter<'_>, key: &str, decision: &str) -> fmt::Result {
    write!(
        out,
        "`{key}` can never match when `decision` is `{decision}`. Change one of them."
    )
}

impl fmt::Display for Hint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(key) => write!(out, "Did you mean `{key}`?"),
            Self::Below(key) => write!(out, "It belongs under `{key}`."),
            Self::Known(keys) => {
                let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
                write!(out, "Expected {}.", text::listed_names(&names, "or"))
            }
        }
    }
}

impl fmt::Display for ExpectedType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::String => "a string. Quote values that YAML would parse as another type",
            Self::Bool => "`true` or `false`",
            Self::StatusCode => "an HTTP status code such as 403",
            Self::Strings => "a list of strings such as `[a, b]`",
            Self::Mapping => "a mapping",
            Self::StringMap => {
                "a mapping with string values. Quote values that YAML would parse \
                 as another type"
            }
            Self::Authorizer => "a list of decisions, or `RBAC`",
            Self::Expectation => {
                "a decision such as `allow`, or a mapping with keys such as \
                 `decision`"
            }
        })
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Object => "has no `object`. Rename it to `oldObject`.",
            Self::OldObject => "has no `oldObject`. Remove it, or change the operation.",
            Self::NoObject => "requires `object`, the new object.",
            Self::NoOldObject => "requires `oldObject`, the existing object.",
            Self::NoSubresource => "requires `subResource` under `request`, such as `exec`.",
            Self::Options => {
                "uses its options as `object`. Write only one of `object` and \
                 `options`."
            }
        })
    }
}
