//! Why a command could not do its work.
//!
//! A mistake in a file is shown at its place, whichever command finds it.

use crate::report::Source;
use crate::report::columns::Columns;
use crate::report::human::write_place;
use crate::report::json::JsonRange;
use crate::terminal::{Terminal, printable};
use annotate_snippets::{Group, Level, Renderer};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use text::TextRange;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The path, as it is shown.
    pub(crate) path: String,
    /// What is wrong, and what to do.
    pub(crate) message: String,
    /// Where, in which text.
    pub(crate) place: Option<(Source, TextRange)>,
}

impl Problem {
    /// A problem of a whole file.
    pub(crate) fn of_file(path: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            message: message.into(),
            place: None,
        }
    }

    /// The problem for programs.
    pub(crate) fn json(&self) -> Value {
        let place = self.place.as_ref();
        let range = place.map(|(source, at)| JsonRange::from(Columns::new(source).places(*at)));
        json!({ "path": self.path, "message": self.message, "range": range })
    }
}

/// Writes problems to standard error.
///
/// # Errors
/// When the output cannot be written.
pub(crate) fn write(problems: &[Problem], terminal: &Terminal) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    let mut out = terminal.stderr();
    for problem in problems {
        match &problem.place {
            Some((source, range)) => write_place(
                &problem.path,
                source,
                *range,
                &problem.message,
                &renderer,
                &mut out,
            )?,
            None => {
                let text = match problem.path.as_str() {
                    "" => problem.message.clone(),
                    path => format!("{path}: {}", problem.message),
                };
                let title = Level::ERROR.primary_title(printable(&text).into_owned());
                writeln!(out, "{}", renderer.render(&[Group::with_title(title)]))?;
            }
        }
    }
    Ok(())
}
