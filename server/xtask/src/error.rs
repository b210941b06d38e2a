//! What stops a chore.
//!
//! A chore ends in one of two ways that its caller must tell apart from success: it could
//! not do its work, or it did and found something wrong. Both end the program with 1; the
//! text says which.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a chore did not succeed.
#[derive(Debug)]
pub(crate) enum Error {
    /// A file, a folder or a program could not be used; the text says what was tried.
    Io {
        /// What was tried, such as "cannot read README.md".
        what: String,
        /// What the system answered.
        source: io::Error,
    },
    /// The chore found something wrong, which it has printed or says here.
    Failed(String),
}

impl Error {
    /// An error of the system while `verb` was done to `path`.
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
