//! What can go wrong with files.
//!
//! A file that cannot be used never stops a run: its error is kept beside its path and the
//! rest goes on. The texts name what is wrong and what to do, without the path, which every
//! report shows in its own way.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a path cannot be used.
#[derive(Debug)]
pub enum Error {
    /// There is no such file or directory.
    NotFound,
    /// A symbolic link leads to nothing.
    BrokenLink {
        /// Where the link points.
        target: PathBuf,
    },
    /// A pattern that names no file.
    NoMatch,
    /// A pattern that cannot be read.
    BadPattern {
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system refuses.
    Unreadable(io::Error),
    /// More bytes than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A NUL byte, which no YAML has.
    Binary {
        /// The offset of the first one, in bytes.
        offset: usize,
    },
    /// A byte order mark of UTF-16 or UTF-32.
    WideEncoding,
    /// Bytes that are not UTF-8.
    NotUtf8 {
        /// The offset of the first one, in bytes.
        offset: usize,
        /// Its line, beginning at 1.
        line: usize,
    },
}

/// A path and why it cannot be used.
#[derive(Debug)]
pub struct Problem {
    /// The path, as it was given or found.
    pub path: PathBuf,
    /// The reason.
    pub error: Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFound => write!(f, "no such file or directory"),
            Error::BrokenLink { target } => write!(
                f,
                "the link leads to `{}`, which does not exist",
                target.display()
            ),
            Error::NoMatch => write!(
                f,
                "no file matches the pattern; hidden and ignored files are not searched"
            ),
            Error::BadPattern { reason } => write!(f, "the pattern is not valid: {reason}"),
            Error::Unreadable(source) => write!(f, "cannot read: {source}"),
            Error::TooLarge { limit } => write!(
                f,
                "larger than {} MiB; split it, or exclude it in `admissible.toml`",
                limit / (1024 * 1024)
            ),
            Error::Binary { offset } => {
                write!(f, "not a text file: it has a NUL byte at offset {offset}")
            }
            Error::WideEncoding => write!(f, "UTF-16 or UTF-32 text; save it as UTF-8"),
            Error::NotUtf8 { offset, line } => write!(
                f,
                "not UTF-8: the byte at offset {offset} (line {line}) fits no character; save it as UTF-8"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let Error::Unreadable(source) = self else {
            return None;
        };
        Some(source)
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::NotFound {
            return Error::NotFound;
        }
        Error::Unreadable(source)
    }
}
