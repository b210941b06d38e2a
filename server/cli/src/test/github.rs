//! `--format github`: failures as workflow commands, which GitHub Actions shows next to the
//! expectation.

use super::case::{Case, Status};
use super::failure::Differing;
use super::summary::Summary;
use super::{Run, coverage};
use crate::arguments::Test;
use crate::problem::{Problem, ProblemLocation};
use crate::terminal::printable;
use std::io::{self, Write};
use text::clean::{for_command, for_command_property};

/// Writes a run.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(run: &Run, options: &Test, out: &mut dyn Write) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for suite in run.tested() {
        for case in &suite.cases {
            write_case(case, &mut out)?;
        }
    }
    let of_suites = run.suites.iter().flat_map(|suite| &suite.problems);
    for problem in of_suites.chain(&run.problems) {
        let line = line_of(problem);
        write_error(&problem.path, line, "problem", &problem.message, &mut out)?;
    }
    if run.is_uncovered(options)
        && let Some(least) = options.fail_uncovered
    {
        let percent = coverage::of_all(run).percent();
        let message = format!("Coverage is {percent:.1}%, below {least}%");
        writeln!(out, "::error title=coverage::{}", for_command(&message))?;
    }
    let line = Summary::new(run).line(options.filter.as_deref());
    writeln!(out, "{}", printable(&line))?;
    out.flush()
}

fn write_case(case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let name = case.full_name();
    match &case.status {
        Status::Passed(_) => Ok(()),
        Status::Broken(reason) => write_error(&case.path, None, &name, reason, out),
        Status::Failed(failure) => failure.differences.iter().try_for_each(|differing| {
            let location = differing.place.as_ref();
            let line =
                location.map(|(source, range)| u64::from(source.lines.line(range.start())) + 1);
            write_error(&differing.path, line, &name, &message(differing), out)
        }),
    }
}

/// Returns the message of a difference with the expected and the actual value.
fn message(differing: &Differing) -> String {
    let message = &differing.message;
    if let Some(diff) = differing.diff() {
        return format!("{message}\n{diff}");
    }
    let (expected, found) = differing.difference.expected_and_found();
    let found = found.as_deref().unwrap_or("nothing");
    format!("{message}\nexpected: {expected}\nactual: {found}")
}

/// Returns the line of a problem, from 1.
fn line_of(problem: &Problem) -> Option<u64> {
    match problem.place.as_ref()? {
        ProblemLocation::Text(source, range) => {
            Some(u64::from(source.lines.line(range.start())) + 1)
        }
        ProblemLocation::Stream(at) => Some(at.line),
    }
}

fn write_error(
    path: &str,
    line: Option<u64>,
    title: &str,
    message: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (path, title) = (for_command_property(path), for_command_property(title));
    let line = line.map_or_else(String::new, |line| format!(",line={line}"));
    let message = for_command(message);
    writeln!(out, "::error file={path}{line},title={title}::{message}")
}
