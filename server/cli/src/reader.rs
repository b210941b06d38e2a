//! The files that the arguments of a command name one by one.
//!
//! Each may be `-`, and standard input can be read only once.

use crate::problem::{Problem, ProblemLocation};
use crate::report::{Source, shown};
use cel::Value;
use evaluation::run::read_object;
use policy::may_hold_policy;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::TextRange;
use workspace::{Error, Roots, find_files, read_argument, read_text};

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

/// Returns the path of an argument, as displayed.
pub(crate) fn shown_argument(path: &Path) -> String {
    if path == Path::new(STDIN) {
        STDIN_NAME.to_owned()
    } else {
        shown(path)
    }
}

/// Reads the files of a directory that may hold a policy, or the file at the path.
pub(crate) fn read_policies(path: &Path, problems: &mut Vec<Problem>) -> Vec<(PathBuf, TextFile)> {
    let found = find_files(&[path.to_path_buf()], &Arc::default());
    problems.extend(found.problems.iter().map(Problem::of_path));
    let mut texts = Vec::new();
    for path in found.files {
        match Reader::default().read(&path) {
            Ok(text) if may_hold_policy(text.text()) => texts.push((path, text)),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    texts
}

impl Reader {
    /// Reads a file, or standard input.
    pub(crate) fn read(&mut self, path: &Path) -> Result<TextFile, Problem> {
        let is_stdin = path == Path::new(STDIN);
        let name = shown_argument(path);
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
