//! `admissible check`: from paths to findings.

mod analysis;
mod inputs;
mod project;

use crate::arguments::{Check, CheckFormat};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::{self, PathProblem, Report, shown};
use crate::terminal::Terminal;
use analysis::{Outcome, Read};
use inputs::Inputs;
use project::{CheckContext, Projects, SourceBudget};
use rayon::prelude::{
    IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::{ConfigCache, InputFinder, Roots, find_files};

/// The argument for standard input.
const STDIN: &str = "-";

/// The path of standard input without `--stdin-filename`.
const STDIN_NAME: &str = "<stdin>";

/// The progress bar.
const PROGRESS: &str = "Checking {bar:30} {pos}/{len} files";

/// The stack of an analysis thread, in bytes.
///
/// Limit: the parsers bound their nesting for stacks of 2 MiB; this leaves room for builds
/// without optimization.
const STACK: usize = 8 * 1024 * 1024;

/// Runs the command.
///
/// # Errors
/// If the output cannot be written, or the operating system provides no threads.
pub(crate) fn run(options: &Check, terminal: &Terminal) -> io::Result<Exit> {
    let report = check(options)?;
    let exit = exit(&report, options);
    // Problems also go to standard error if standard output is for a program.
    report::human::write_problems(&report, terminal)?;
    match write(&report, exit, options, terminal) {
        // A closed pipe does not change the result of the run.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(exit),
    }
}

fn write(report: &Report, exit: Exit, options: &Check, terminal: &Terminal) -> io::Result<()> {
    match options.format {
        CheckFormat::Human => report::human::write(report, options.quiet, terminal),
        CheckFormat::Json => report::json::write(report, &mut terminal.json()),
        CheckFormat::Sarif => report::sarif::write(report, exit, &mut terminal.json()),
        CheckFormat::Github => report::github::write(report, options.quiet, &mut terminal.stdout()),
    }
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

fn check(options: &Check) -> io::Result<Report> {
    let pool = pool()?;
    let configs = Arc::new(ConfigCache::within(Roots::from_working_directory()));
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
    for outcome in judged(options, &stdin, &found.files, &configs, &pool) {
        match outcome {
            Outcome::Checked(file) => report.files.push(file),
            Outcome::Problem(problem) => report.problems.push(problem),
        }
    }
    report
        .problems
        .sort_by(|left, right| left.path.cmp(&right.path));
    report.configs = configs.with_problems();
    Ok(report)
}

/// The outcome of standard input and of each file, in order.
fn judged(
    options: &Check,
    stdin: &[&PathBuf],
    files: &[PathBuf],
    configs: &Arc<ConfigCache>,
    pool: &ThreadPool,
) -> Vec<Outcome> {
    let context = CheckContext {
        configs,
        target: options.kubernetes,
    };
    let source_budget = SourceBudget::default();
    let from_stdin = (!stdin.is_empty()).then(|| {
        let name = options.stdin_filename.as_deref();
        pool.install(|| analysis::read_stdin(name, &context))
    });
    let count = files.len() + usize::from(from_stdin.is_some());
    let progress = Progress::new(Some(count as u64), PROGRESS, options.quiet);
    let all = files.par_iter().map(|file| {
        let read = analysis::read(file, &context, &source_budget);
        if !matches!(read, Read::Waiting(..)) {
            progress.advance(1);
        }
        read
    });
    // Collecting keeps the order of the files, whichever is ready first.
    let mut read: Vec<Read> = from_stdin.into_iter().collect();
    read.extend(pool.install(|| all.collect::<Vec<Read>>()));
    let projects = Projects::new(&read, files, &context, &options.paths);
    let inputs = Inputs::new(&read, files, configs);
    let from_files = read.iter_mut().skip(count - files.len());
    for (read, file) in from_files.zip(files) {
        read.wait_for_policies(file, &context, &inputs);
    }
    let outcomes = pool.install(|| judge_all(read, &projects, &inputs, &progress));
    progress.finish();
    outcomes
}

/// Checks the files that wait for others.
fn judge_all(
    read: Vec<Read>,
    projects: &Projects,
    inputs: &Inputs<'_>,
    progress: &Progress,
) -> Vec<Outcome> {
    let judge = |finder: &mut InputFinder<'_>, read| match read {
        Read::Done(outcome, _) => outcome,
        Read::Input(waiting, _) => analysis::judge(*waiting, projects, inputs, finder),
        Read::Waiting(waiting, _) => {
            let outcome = analysis::judge(*waiting, projects, inputs, finder);
            progress.advance(1);
            outcome
        }
    };
    let read = read.into_par_iter();
    read.map_init(InputFinder::from_working_directory, judge)
        .collect()
}

/// A thread for each core.
fn pool() -> io::Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .stack_size(STACK)
        .build()
        .map_err(io::Error::other)
}
