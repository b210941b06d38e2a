//! The errors of a chore.
//!
//! A task fails in one of two ways: it could not run, or it ran and found errors. Both exit with
//! code 1; the message shows which.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a chore failed.
#[derive(Debug)]
pub(crate) enum Error {
    /// A file, a directory or a program could not be used.
    Io {
        /// The failed operation, such as "cannot read README.md".
        what: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The task found errors, which are already printed or in this message.
    Failed(String),
}

impl Error {
    /// Returns an error of the system while `verb` was done to `path`.
    pub(crate) fn io(verb: &str, path: &Path, source: io::Error) -> Self {
        Self::Io {
            what: format!("cannot {verb} {}", path.display()),
            source,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { what, source } => write!(f, "{what}: {source}"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Failed(_) => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Self::Io {
            what: "cannot print".into(),
            source,
        }
    }
}

impl From<String> for Error {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}
