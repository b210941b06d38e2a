//! `admissible check`: from paths to findings.

mod analysis;
mod progress;

use crate::arguments::{Check, CheckFormat};
use crate::exit::Exit;
use crate::report::{self, PathProblem, Report, shown};
use crate::terminal::Terminal;
use analysis::Outcome;
use progress::Progress;
use rayon::prelude::{IntoParallelRefIterator as _, ParallelIterator as _};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::{Configs, find_files};

/// The argument that stands for standard input.
const STDIN: &str = "-";

/// What standard input is called when nobody says what it is.
const STDIN_NAME: &str = "<stdin>";

/// Runs the command.
///
/// # Errors
/// When the output cannot be written.
pub(crate) fn run(options: &Check, terminal: &Terminal) -> io::Result<Exit> {
    let report = check(options);
    let exit = exit(&report, options);
    // Problems go to standard error as well where standard output is for a program.
    report::human::write_problems(&report, terminal)?;
    match options.format {
        CheckFormat::Human => report::human::write(&report, options.quiet, terminal)?,
        CheckFormat::Json => report::json::write(&report, &mut terminal.stdout())?,
        CheckFormat::Sarif => report::sarif::write(&report, exit, &mut terminal.stdout())?,
        CheckFormat::Github => {
            report::github::write(&report, options.quiet, &mut terminal.stdout())?;
        }
    }
    Ok(exit)
}

fn exit(report: &Report, options: &Check) -> Exit {
    let fails = |severity| options.fail_level.fails(severity);
    if report.is_incomplete() {
        Exit::Failed
    } else if report
        .findings()
        .any(|(.., finding)| fails(finding.severity))
    {
        Exit::Findings
    } else {
        Exit::Clean
    }
}

fn check(options: &Check) -> Report {
    let configs = Arc::new(Configs::default());
    let (stdin, paths): (Vec<&PathBuf>, Vec<&PathBuf>) = options
        .paths
        .iter()
        .partition(|path| path.as_path() == Path::new(STDIN));
    let paths: Vec<PathBuf> = paths.into_iter().cloned().collect();
    let found = find_files(&paths, &configs);

    let mut report = Report::default();
    for problem in found.problems {
        report.problems.push(PathProblem {
            path: shown(&problem.path),
            message: problem.error.to_string(),
        });
    }
    let mut outcomes = Vec::new();
    if !stdin.is_empty() {
        let name = options.stdin_filename.as_deref();
        outcomes.push(analysis::of_stdin(name, &configs));
    }
    let progress = Progress::new(found.files.len(), options.quiet);
    let checked = found.files.par_iter().map(|file| {
        let outcome = analysis::of_file(file, &configs);
        progress.advance();
        outcome
    });
    // Collecting keeps the order of the files, whichever is ready first.
    outcomes.extend(checked.collect::<Vec<Outcome>>());
    progress.finish();
    for outcome in outcomes {
        match outcome {
            Outcome::Checked(file) => report.files.push(file),
            Outcome::Problem(problem) => report.problems.push(problem),
        }
    }
    report.configs = configs.with_problems();
    report
}
