//! Problems of objects.

use super::position::StreamPosition;
use std::fmt;

/// A problem in a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectProblem {
    /// The position.
    pub position: StreamPosition,
    /// The kind.
    pub kind: ObjectProblemKind,
    /// Whether the rest of the stream is unreliable: the objects of all later chunks are ignored.
    pub is_final: bool,
}

/// The kind of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectProblemKind {
    /// A JSON syntax error.
    Json(String),
    /// A YAML syntax error.
    Yaml(String),
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// An encoding with wide characters.
    WideEncoding,
    /// A compressed file.
    Compressed,
    /// A value that is not an object.
    NotAnObject,
    /// An object that is larger than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Aliases that expand to too many values.
    TooManyAliases,
    /// A list without an end.
    Unclosed,
    /// Items without `kind` in a list whose `kind` comes after them, in a stream that cannot
    /// be read twice.
    LateKind,
}

impl fmt::Display for ObjectProblemKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(message) => write!(out, "invalid JSON: {message}"),
            Self::Yaml(message) => write!(out, "invalid YAML: {message}"),
            Self::NotUtf8 => write!(out, "not UTF-8: invalid byte; save it as UTF-8"),
            Self::WideEncoding => write!(out, "UTF-16 or UTF-32 text; save it as UTF-8"),
            Self::Compressed => write!(
                out,
                "the file is compressed; decompress it first, for example with `gzip -dc FILE | admissible replay … -`"
            ),
            Self::NotAnObject => {
                write!(
                    out,
                    "not a Kubernetes object: `apiVersion` and `kind` are missing"
                )
            }
            Self::TooLarge { limit } => {
                write!(
                    out,
                    "the object is larger than {} MiB",
                    limit / (1024 * 1024)
                )
            }
            Self::TooManyAliases => write!(out, "aliases expand to too many values"),
            Self::Unclosed => write!(out, "the list is incomplete: missing `]`"),
            Self::LateKind => write!(
                out,
                "the items have no `kind`, and the `kind` of the list comes after them; save the list to a file and read that"
            ),
        }
    }
}
