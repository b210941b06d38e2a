//! `--fix` and `--diff`: apply fixes to the files, or show the changes.

use super::{Stdin, check};
use crate::arguments::Check;
use crate::exit::Exit;
use crate::report::diff::unified;
use crate::report::summary::{Summary, counted};
use crate::report::{FileReport, PathProblem, Report};
use crate::terminal::{Terminal, printable};
use std::collections::HashMap;
use std::io::{self, Write as _};
use workspace::replace_file;

/// Writes the fixed files, and returns the report of what remains: a fix in one file can resolve
/// findings in another one.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn apply(report: Report, options: &Check, stdin: &Stdin) -> io::Result<Report> {
    let (mut fixed, mut problems, mut text) = (0, Vec::new(), None);
    for file in &report.files {
        let Some((change, source)) = file.fixed.as_ref().zip(file.source.as_ref()) else {
            continue;
        };
        match &change.real_path {
            None => text = Some(change.result.text.clone()),
            Some(path) => match replace_file(path, &source.text, &change.result.text) {
                Ok(()) => {}
                Err(error) => {
                    problems.push(PathProblem {
                        path: file.path.clone(),
                        message: error.to_string(),
                    });
                    continue;
                }
            },
        }
        fixed += change.result.count;
    }
    let stdin = Stdin(text.map(Ok).or_else(|| stdin.0.clone()));
    if let Some(Ok(text)) = &stdin.0 {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    }
    let mut remaining = match fixed {
        0 => report,
        _ => with_pipes_of(report, check(options, &stdin, None)?),
    };
    remaining.problems.extend(problems);
    remaining.fixed = Some(fixed);
    Ok(remaining)
}

/// Returns the second report, with the first results for files that cannot be read twice.
fn with_pipes_of(first: Report, mut second: Report) -> Report {
    let is_pipe = |file: &FileReport| std::fs::metadata(&file.path).is_ok_and(|it| !it.is_file());
    let pipes = first.files.into_iter().filter(is_pipe);
    let mut pipes: HashMap<String, FileReport> =
        pipes.map(|file| (file.path.clone(), file)).collect();
    for file in &mut second.files {
        if let Some(first) = pipes.remove(&file.path) {
            *file = first;
        }
    }
    second
}

/// Writes the changes made by fixes, their number, and the number of those that need `--unsafe`.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_diff(
    report: &Report,
    is_unsafe: bool,
    terminal: &Terminal,
) -> io::Result<Exit> {
    let (mut fixed, mut files) = (0, 0);
    let mut out = terminal.stdout();
    for file in &report.files {
        let Some((change, source)) = file.fixed.as_ref().zip(file.source.as_ref()) else {
            continue;
        };
        let diff = unified(&file.path, &source.text, &change.result.text);
        write!(out, "{}", printable(&diff))?;
        fixed += change.result.count;
        files += 1;
    }
    out.flush()?;
    let line = match fixed {
        0 => "Nothing to fix".to_owned(),
        _ => format!(
            "Would fix {} in {}",
            counted(fixed, "finding", "findings"),
            counted(files, "file", "files")
        ),
    };
    let others = Summary::new(report).unsafe_fixes(is_unsafe);
    writeln!(terminal.stderr(), "{line}{others}")?;
    Ok(match fixed {
        _ if report.is_incomplete() => Exit::Failed,
        0 => Exit::Clean,
        _ => Exit::Findings,
    })
}
