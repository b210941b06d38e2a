//! Why a command could not run.
//!
//! An error in a file is shown at its position, regardless of the command that finds it. A dump of
//! objects may be too large to keep in memory: then only the position is known.

use crate::report::human::write_place;
use crate::report::json::JsonRange;
use crate::report::{Source, shown, shown_from_here};
use crate::terminal::{Terminal, printable, printable_name};
use annotate_snippets::{Group, Level, Renderer};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use workspace::{ConfigCache, FoundInputs, StreamPosition};

/// Why a command could not run.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The path as displayed.
    pub(crate) path: String,
    /// The message: the problem, and how to solve it.
    pub(crate) message: String,
    /// Where.
    pub(crate) place: Option<ProblemLocation>,
}

/// The location of a problem.
#[derive(Debug)]
pub(crate) enum ProblemLocation {
    /// In a file that is in memory.
    Text(Arc<Source>, TextRange),
    /// In a stream of objects.
    Stream(StreamPosition),
}

impl Problem {
    /// Returns a problem with a whole file.
    pub(crate) fn new(path: &str, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            message: message.into(),
            place: None,
        }
    }

    /// Returns the problem with a path that a search cannot use.
    pub(crate) fn of_path(problem: &workspace::Problem) -> Self {
        Self::new(&shown(&problem.path), problem.error.to_string())
    }

    /// Returns the errors in configuration files.
    pub(crate) fn of_configs(configs: &ConfigCache) -> Vec<Self> {
        let configs = configs.with_problems();
        let problems = configs.iter().flat_map(|config| {
            let path = config.path().map(shown_from_here).unwrap_or_default();
            let source = Arc::new(Source::new(config.text().into()));
            let problems = config.problems().iter();
            problems.map(move |problem| Problem {
                path: path.clone(),
                message: problem.message.clone(),
                place: Some(ProblemLocation::Text(Arc::clone(&source), problem.range)),
            })
        });
        problems.collect()
    }

    /// Returns the problems of inputs, with paths as displayed. Those of one file share its
    /// content: there may be thousands.
    pub(crate) fn of_inputs(found: &FoundInputs, shown: fn(&Path) -> String) -> Vec<Self> {
        let mut sources: HashMap<&Path, Arc<Source>> = HashMap::new();
        let problems = found.problems.iter().map(|problem| {
            let source = problem.text.as_ref().map(|text| {
                let source = sources
                    .entry(&problem.path)
                    .or_insert_with(|| Arc::new(Source::new(Arc::clone(text))));
                Arc::clone(source)
            });
            Self {
                path: shown(&problem.path),
                message: problem.error.kind.to_string(),
                place: source.map(|source| ProblemLocation::Text(source, problem.error.range)),
            }
        });
        problems.collect()
    }

    /// Returns the problem as JSON.
    pub(crate) fn json(&self) -> Value {
        let location = self.place.as_ref();
        let range = location.map(|location| match location {
            ProblemLocation::Text(source, at) => JsonRange::from(source.region(*at)),
            ProblemLocation::Stream(at) => JsonRange::from(*at),
        });
        json!({ "path": self.path, "message": self.message, "range": range })
    }
}

/// Writes problems to standard error.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(problems: &[Problem], terminal: &Terminal) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    let mut out = terminal.stderr();
    for problem in problems {
        let Problem {
            path,
            message,
            place,
        } = problem;
        let path = &*printable_name(path);
        let text = match place {
            Some(ProblemLocation::Text(source, range)) => {
                write_place(path, source, *range, message, &renderer, &mut out)?;
                continue;
            }
            Some(ProblemLocation::Stream(at)) => {
                format!("{path}:{}:{}: {message}", at.line, at.column)
            }
            None if path.is_empty() => message.clone(),
            None => format!("{path}: {message}"),
        };
        write_line(Level::ERROR, &text, &renderer, &mut out)?;
    }
    Ok(())
}

/// Writes an error or a warning without a location to standard error.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_message(
    level: Level<'static>,
    text: &str,
    terminal: &Terminal,
) -> io::Result<()> {
    let renderer = Renderer::styled().term_width(terminal.width);
    write_line(level, text, &renderer, &mut terminal.stderr())
}

fn write_line(
    level: Level<'static>,
    text: &str,
    renderer: &Renderer,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = level.primary_title(printable(text).into_owned());
    writeln!(out, "{}", renderer.render(&[Group::with_title(title)]))
}
