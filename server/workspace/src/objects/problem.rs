//! What is wrong with objects, and where.

use super::position::StreamPosition;
use std::fmt;

/// What is wrong at a place of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectProblem {
    /// Where.
    pub position: StreamPosition,
    /// What.
    pub kind: ObjectProblemKind,
    /// Whether nothing behind it can be relied on: the objects of all later chunks of the
    /// stream do not count.
    pub is_final: bool,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectProblemKind {
    /// The JSON is broken.
    Json(String),
    /// The YAML is broken.
    Yaml(String),
    /// Bytes that are no character.
    NotUtf8,
    /// An encoding with wide characters.
    WideEncoding,
    /// A compressed file.
    Compressed,
    /// A value that is no object.
    NotAnObject,
    /// An object with more bytes than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Aliases stand for too many values.
    TooManyAliases,
    /// A list breaks off.
    Unclosed,
    /// Items without `kind` in a list whose `kind` comes after them, in a stream that cannot
    /// be read twice.
    LateKind,
}

impl fmt::Display for ObjectProblemKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(message) => write!(out, "broken JSON: {message}"),
            Self::Yaml(message) => write!(out, "broken YAML: {message}"),
            Self::NotUtf8 => write!(
                out,
                "not UTF-8: the byte fits no character; save it as UTF-8"
            ),
            Self::WideEncoding => write!(out, "UTF-16 or UTF-32 text; save it as UTF-8"),
            Self::Compressed => write!(
                out,
                "the file is compressed; decompress it first, for example with `gzip -dc FILE | admissible replay … -`"
            ),
            Self::NotAnObject => {
                write!(out, "this is no object; it has no `apiVersion` and `kind`")
            }
            Self::TooLarge { limit } => {
                write!(
                    out,
                    "the object has more than {} MiB",
                    limit / (1024 * 1024)
                )
            }
            Self::TooManyAliases => write!(out, "the aliases stand for too many values"),
            Self::Unclosed => write!(out, "the list breaks off: a `]` is missing"),
            Self::LateKind => write!(
                out,
                "the items have no `kind`, and that of the list comes after them; save the list to a file, which can be read twice"
            ),
        }
    }
}
