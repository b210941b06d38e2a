//! The files of an evaluation.

use super::Problem;
use crate::arguments::Eval;
use crate::report::{Source, shown};
use cel::Value;
use ide::SourceFile;
use ide::evaluate::{read_object, syntax_error};
use policy::{Kind, PolicyDocument};
use std::io;
use std::path::Path;
use std::sync::Arc;
use text::{LineIndex, TextRange};
use workspace::{read_file, read_text};

/// The argument that stands for standard input.
const STDIN: &str = "-";

/// What standard input is called.
const STDIN_NAME: &str = "<stdin>";

/// Reads files, and standard input once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    stdin_is_read: bool,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct Text {
    /// The path, as it is shown.
    pub(super) path: String,
    /// The text.
    pub(super) text: Arc<str>,
}

impl Text {
    /// The text with its lines.
    pub(super) fn source(&self) -> Source {
        Source {
            text: Arc::clone(&self.text),
            lines: LineIndex::new(&self.text),
        }
    }
}

impl Texts {
    /// Reads a file, or standard input.
    pub(super) fn read(&mut self, path: &Path) -> Result<Text, Problem> {
        let is_stdin = path == Path::new(STDIN);
        let name = match is_stdin {
            true => STDIN_NAME.to_owned(),
            false => shown(path),
        };
        let problem = |message| Problem {
            path: name.clone(),
            message,
            place: None,
        };
        if is_stdin && std::mem::replace(&mut self.stdin_is_read, true) {
            let message = "standard input can be read once; name a file for the other";
            return Err(problem(message.to_owned()));
        }
        let text = match is_stdin {
            true => read_text(io::stdin().lock()),
            false => read_file(path),
        };
        match text {
            Ok(text) => Ok(Text {
                path: name,
                text: text.into(),
            }),
            Err(error) => Err(problem(error.to_string())),
        }
    }

    /// Reads the object in a file.
    pub(super) fn object(&mut self, path: &Path) -> Result<Value, Problem> {
        let text = self.read(path)?;
        read_object(&text.text).map_err(|error| Problem {
            path: text.path.clone(),
            message: error.kind.to_string(),
            place: Some((text.source(), error.range)),
        })
    }
}

/// The problem of objects that make no request.
pub(super) fn request_problem(options: &Eval, message: &str) -> Problem {
    let path = options.object.as_deref().or(options.old_object.as_deref());
    Problem {
        path: path.map_or_else(String::new, shown),
        message: message.to_owned(),
        place: None,
    }
}

/// Whether a document can be evaluated.
pub(super) fn is_evaluated(document: &PolicyDocument) -> bool {
    document.kind() == Kind::ValidatingAdmissionPolicy
}

/// Whether the file has a policy that can be evaluated.
///
/// # Errors
/// Why not, and where.
pub(super) fn check_policies(file: &SourceFile) -> Result<(), (TextRange, String)> {
    if let Some(error) = syntax_error(file) {
        return Err((error.range, error.kind.to_string()));
    }
    if file.policies().iter().any(|it| is_evaluated(it)) {
        return Ok(());
    }
    let place = |document: &PolicyDocument| {
        let root = document.root();
        root.get("kind").unwrap_or(root).range()
    };
    let mutating = |document: &&Arc<PolicyDocument>| document.kind().is_policy();
    if let Some(document) = file.policies().iter().find(mutating) {
        let message = "a MutatingAdmissionPolicy cannot be evaluated yet; only a ValidatingAdmissionPolicy can";
        return Err((place(document), message.to_owned()));
    }
    Err((
        file.policies()
            .first()
            .map_or_else(TextRange::default, |it| place(it)),
        "there is no ValidatingAdmissionPolicy in the file".to_owned(),
    ))
}
