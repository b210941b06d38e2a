//! Errors of files.
//!
//! A file that cannot be used never stops a run: its error is kept with its path and the rest
//! continues. A message states what is wrong and what to do, without the path, which each report
//! shows differently.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reason why a path cannot be used.
#[derive(Debug)]
pub enum Error {
    /// There is no such file or directory.
    NotFound,
    /// A symbolic link to a missing file.
    BrokenLink {
        /// The target of the link.
        target: PathBuf,
    },
    /// A pattern that matches no file.
    NoMatch,
    /// An invalid pattern.
    BadPattern {
        /// The message of the pattern parser.
        reason: String,
    },
    /// An error of the operating system.
    Unreadable(io::Error),
    /// An error of the operating system.
    Unwritable(io::Error),
    /// A text that differs from the one read before.
    Changed,
    /// A pipe, a device or a socket.
    NotRegular,
    /// A file outside the folders that a project may read.
    Outside,
    /// An address of a store that cannot be read.
    Store {
        /// The message of the client.
        reason: String,
    },
    /// An address that needs a feature of the program.
    NotBuilt {
        /// The feature of Cargo.
        feature: &'static str,
    },
    /// More bytes than the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A NUL byte, which YAML does not allow.
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
        /// Its line, starting at 1.
        line: usize,
    },
}

/// A path that cannot be used, with the reason.
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
                "the link points to `{}`, which does not exist",
                target.display()
            ),
            Error::NoMatch => write!(
                f,
                "no file matches the pattern; hidden and ignored files are not searched"
            ),
            Error::BadPattern { reason } => write!(f, "invalid pattern: {reason}"),
            Error::Unreadable(source) => write!(f, "cannot read: {source}"),
            Error::Unwritable(source) => write!(f, "cannot write: {source}"),
            Error::Changed => f.write_str("not written: the file has changed in the meantime"),
            Error::NotRegular => f.write_str("not a regular file"),
            Error::Outside => f.write_str(
                "outside the project; a file can refer to files in its repository, in the \
                 directory of its `admissible.toml` and in the open folders",
            ),
            Error::Store { reason } => write!(f, "cannot read from the store: {reason}"),
            Error::NotBuilt { feature } => write!(
                f,
                "this program was built without the feature `{feature}`; build it with \
                 `cargo build --release --features {feature}`"
            ),
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
                "not UTF-8: invalid byte at offset {offset} (line {line}); save it as UTF-8"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let (Error::Unreadable(source) | Error::Unwritable(source)) = self else {
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
