//! What can be wrong in an input, and what to do about it.

use admission::Operation;
use std::fmt;
use text::TextRange;

/// A mistake in an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The place in the file.
    pub range: TextRange,
    /// What is wrong, and what to do.
    pub kind: InputErrorKind,
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputErrorKind {
    /// The YAML is wrong.
    Syntax(String),
    /// Something is missing, or more than it can be.
    Structure(StructureError),
    /// Nobody knows the key.
    UnknownKey {
        /// The key.
        key: String,
        /// What is probably meant.
        hint: Hint,
    },
    /// A key is there twice.
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// The value of a key has another type.
    WrongType {
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: ExpectedType,
    },
    /// A list where there is one object.
    ListOfObjects {
        /// The key.
        key: &'static str,
    },
    /// The value of a key is no object.
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
    /// A word that a key does not take.
    UnknownWord {
        /// The key.
        key: &'static str,
        /// The word.
        word: String,
        /// The words that it takes.
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
    /// Another input of the file has the name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// The operation does not fit the objects.
    Operation(Operation, Mismatch),
    /// A key is written outside of `request` and inside.
    Twice {
        /// The key.
        key: &'static str,
    },
    /// An expectation that goes with no answer to the decision beside it.
    NeverHolds {
        /// The key.
        key: &'static str,
        /// What is decided.
        decision: &'static str,
    },
}

/// What is missing in an input, or more than it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureError {
    /// There is nothing in the file.
    Empty,
    /// The document is a list.
    List,
    /// The document is a manifest of a list of objects.
    ListManifest,
    /// The document is no mapping.
    NoMapping,
    /// Aliases stand for too much.
    TooLarge,
    /// `params` without an object.
    EmptyParams,
    /// `policy` without a name.
    EmptyPolicies,
    /// `expect` without an expectation.
    EmptyExpect,
    /// There is nothing that something is done with.
    NoRequest,
    /// An answer of the authorizer without `decision`.
    NoAnswer,
}

/// What is probably meant by a key that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Another key.
    Nearest(&'static str),
    /// The same key, below another one.
    Below(&'static str),
    /// One of these.
    Known(&'static [&'static str]),
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedType {
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
    /// A code of HTTP.
    StatusCode,
    /// Strings.
    Strings,
    /// Keys with values.
    Mapping,
    /// Keys with strings.
    StringMap,
    /// A list of mappings.
    Mappings,
    /// A word or a mapping.
    Expectation,
}

/// How an operation does not fit the objects.
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
            Self::Syntax(message) => out.write_str(message),
            Self::UnknownKey { key, hint } => write!(out, "There is no key `{key}` here. {hint}"),
            Self::DuplicateKey { key } => write!(
                out,
                "The key `{key}` is there twice, and only the last one counts. Remove one."
            ),
            Self::WrongType { key, expected } => write!(out, "`{key}` takes {expected}."),
            Self::ListOfObjects { key } => write!(
                out,
                "`{key}` is one object, not a list. Give each a document of its own, separated \
                 by `---`."
            ),
            Self::NoObject { key } => write!(
                out,
                "`{key}` is no object. Write `apiVersion`, `kind` and `metadata` below it."
            ),
            Self::Unnamed { key, field } => {
                write!(out, "`{key}` has no `{field}`, so nothing says what it is.")
            }
            Self::NoNamespace { kind } => write!(
                out,
                "`namespaceObject` is a Namespace, not a {kind}. It is the namespace in which \
                 the object is."
            ),
            Self::UnknownWord { key, word, known } => unknown_word(out, key, word, known),
            Self::UnknownPolicy { name, file, known } => unknown_policy(out, name, file, known),
            Self::DuplicateName { name } => write!(
                out,
                "Another input of this file has the name `{name}` already. Write another name."
            ),
            Self::Operation(it, mismatch) => write!(out, "{} {mismatch}", it.as_str()),
            Self::Twice { key } => write!(
                out,
                "`{key}` is also below `request`. Write it in one of the places."
            ),
            Self::NeverHolds { key, decision } => never_holds(out, key, decision),
            Self::Structure(error) => error.fmt(out),
        }
    }
}

impl fmt::Display for StructureError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Empty => {
                "The file holds no input. Write `object:` and below it a manifest, or `request:`."
            }
            Self::List => {
                "An input is no list. Give each input a document of its own, separated by `---`."
            }
            Self::ListManifest => {
                "An input has one object. Give each object of the list a document of its own, \
                 separated by `---`."
            }
            Self::NoMapping => "An input has keys such as `object`, `request` and `expect`.",
            Self::TooLarge => "The aliases stand for too many values.",
            Self::EmptyParams => {
                "`params` has no object. Write one, or leave `params` out to take those of the \
                 bindings."
            }
            Self::EmptyPolicies => {
                "`policy` has no name. Write one, or leave `policy` out to mean every policy of \
                 the file."
            }
            Self::EmptyExpect => {
                "This is a test that expects nothing. Write `decision: allow` or another \
                 expectation, or leave `expect` out."
            }
            Self::NoRequest => {
                "There is no object. Write `object`, `oldObject` or both: a creation has the \
                 first, a deletion the second."
            }
            Self::NoAnswer => {
                "The answer has no `decision`. Write `allow`, `deny`, `noOpinion` or `error`."
            }
        })
    }
}

fn unknown_word(
    out: &mut fmt::Formatter<'_>,
    key: &str,
    word: &str,
    known: &[&str],
) -> fmt::Result {
    write!(out, "`{key}` does not take `{word}`. ")?;
    let same = known.iter().find(|it| it.eq_ignore_ascii_case(word));
    match same.copied().or(text::nearest(word, known.iter().copied())) {
        Some(near) => write!(out, "Did you mean `{near}`?"),
        None => write!(out, "Write {}.", list(known, "or")),
    }
}

fn unknown_policy(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    file: &str,
    known: &[String],
) -> fmt::Result {
    write!(out, "There is no policy `{name}` in {file}.")?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match text::nearest(name, known.iter().copied()) {
        Some(near) => write!(out, " Did you mean `{near}`?"),
        None if known.is_empty() => Ok(()),
        None => write!(out, " It has {}.", list(&known, "and")),
    }
}

fn never_holds(out: &mut fmt::Formatter<'_>, key: &str, decision: &str) -> fmt::Result {
    write!(
        out,
        "There is never `{key}` where the decision is `{decision}`, so the test fails. Change \
         one of them."
    )
}

impl fmt::Display for Hint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nearest(key) => write!(out, "Did you mean `{key}`?"),
            Self::Below(key) => write!(out, "It belongs below `{key}`."),
            Self::Known(keys) => write!(out, "It takes {}.", list(keys, "and")),
        }
    }
}

impl fmt::Display for ExpectedType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::String => "a text. Put what YAML reads as something else in quotes",
            Self::Bool => "`true` or `false`",
            Self::StatusCode => "a code of HTTP such as 403",
            Self::Strings => "a list of texts such as `[a, b]`",
            Self::Mapping => "keys with values",
            Self::StringMap => "keys with texts. Put what YAML reads as something else in quotes",
            Self::Mappings => "a list, each item with keys and values",
            Self::Expectation => "a decision such as `allow`, or keys such as `decision`",
        })
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Object => "has no `object`: what is deleted is the `oldObject`. Rename it.",
            Self::OldObject => "has no `oldObject`. Remove it, or write another operation.",
            Self::NoObject => "needs `object`: the object as it will be.",
            Self::NoOldObject => "needs `oldObject`: the object as it is before.",
            Self::NoSubresource => "needs `subResource` below `request`, such as `exec`.",
            Self::Options => "has its options as its `object`. Write one of them.",
        })
    }
}

/// `a, b and c`.
fn list(words: &[&str], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}
