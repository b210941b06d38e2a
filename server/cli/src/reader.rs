//! The files that the arguments of a command name one by one.
//!
//! Each may be `-`, and standard input can be read only once.

use crate::problem::{Problem, ProblemLocation};
use crate::report::{Source, shown};
use cel::Value;
use evaluation::run::read_object;
use std::io;
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use workspace::{Error, Roots, read_argument, read_text};

/// The argument for standard input.
pub(crate) const STDIN: &str = "-";

/// The path shown for standard input.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// Returns the text of a file that no argument names.
///
/// # Errors
/// If it is outside the project, or cannot be read.
pub(crate) fn read_near(path: &Path) -> Result<String, Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    Roots::from_working_directory().read_near(folder, path)
}

/// Reads files, and standard input once.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    stdin_is_read: bool,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct TextFile {
    /// The path, as displayed.
    pub(crate) path: String,
    /// The content.
    pub(crate) source: Arc<Source>,
}

impl TextFile {
    /// Reads a file that no argument names.
    pub(crate) fn from_path(path: &Path) -> Result<Self, Error> {
        Ok(Self::new(shown(path), read_near(path)?))
    }

    /// Returns the file with this displayed path and content.
    pub(crate) fn new(path: String, text: impl Into<Arc<str>>) -> Self {
        let source = Arc::new(Source::new(text.into()));
        Self { path, source }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &Arc<str> {
        &self.source.text
    }

    /// Returns a problem at a range in it.
    pub(crate) fn problem(&self, range: TextRange, message: impl Into<String>) -> Problem {
        Problem {
            path: self.path.clone(),
            message: message.into(),
            place: Some(ProblemLocation::Text(Arc::clone(&self.source), range)),
        }
    }
}

impl Reader {
    /// Reads a file, or standard input.
    pub(crate) fn read(&mut self, path: &Path) -> Result<TextFile, Problem> {
        let is_stdin = path == Path::new(STDIN);
        let name = if is_stdin {
            STDIN_NAME.to_owned()
        } else {
            shown(path)
        };
        if is_stdin && std::mem::replace(&mut self.stdin_is_read, true) {
            let message =
                "standard input can be read only once; name a file for the other argument";
            return Err(Problem::new(&name, message));
        }
        if !is_stdin && path.is_dir() {
            let message = "this is a directory; name a file";
            return Err(Problem::new(&name, message));
        }
        let text = if is_stdin {
            read_text(io::stdin().lock())
        } else {
            read_argument(path)
        };
        match text {
            Ok(text) => Ok(TextFile::new(name, text)),
            Err(error) => Err(Problem::new(&name, error.to_string())),
        }
    }

    /// Reads the object in a file.
    pub(crate) fn object(&mut self, path: &Path) -> Result<Value, Problem> {
        let text = self.read(path)?;
        let error =
            |error: evaluation::run::ObjectError| text.problem(error.range, error.kind.to_string());
        read_object(text.text()).map_err(error)
    }
}
