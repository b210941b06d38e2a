//! `admissible check`: from paths to findings.

mod analysis;
mod fix;
mod inputs;
mod project;
mod read;

use crate::arguments::{Check, CheckFormat};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::reader::{STDIN, STDIN_NAME};
use crate::report::{self, PathProblem, Report, shown};
use crate::terminal::Terminal;
use ide::Safety;
use inputs::Inputs;
use project::{Projects, SourceBudget};
use rayon::prelude::{
    IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use read::{CheckContext, Outcome, Read};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::{ConfigCache, InputFinder, Roots, find_files, read_text};

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
    let stdin = Stdin::read(options);
    let report = check(options, &stdin, options.fix.safety())?;
    if options.fix.diff {
        let exit = fix::write_diff(&report, options.fix.is_unsafe, terminal)?;
        report::human::write_problems(&report, terminal)?;
        return Ok(exit);
    }
    let report = if options.fix.fix {
        fix::apply(report, options, &stdin)?
    } else {
        report
    };
    let exit = exit(&report, options);
    // Problems are also written to standard error if standard output is for a program.
    report::human::write_problems(&report, terminal)?;
    match write(&report, exit, options, terminal) {
        // A closed pipe does not change the result of the run.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(exit),
    }
}

fn write(report: &Report, exit: Exit, options: &Check, terminal: &Terminal) -> io::Result<()> {
    // The fixed text of standard input is on standard output.
    let is_stdout_taken = options.fix.fix && Stdin::is_named(options);
    let mut out: Box<dyn Write> = match options.format {
        _ if is_stdout_taken => Box::new(terminal.stderr()),
        CheckFormat::Human | CheckFormat::Github => Box::new(terminal.stdout()),
        CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Gitlab => Box::new(terminal.json()),
    };
    match options.format {
        CheckFormat::Human => report::human::write(report, options, terminal, &mut out),
        CheckFormat::Json => report::json::write(report, &mut out),
        CheckFormat::Sarif => report::sarif::write(report, exit, &mut out),
        CheckFormat::Github => {
            report::github::write(report, options.quiet, &mut out)?;
            report::step_summary::append(report)
        }
        CheckFormat::Gitlab => report::gitlab::write(report, &mut out),
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

fn check(options: &Check, stdin: &Stdin, safety: Option<Safety>) -> io::Result<Report> {
    let pool = pool()?;
    let configs = Arc::new(ConfigCache::within(Roots::from_working_directory()));
    let paths = options.paths.iter().filter(|path| !is_stdin(path));
    let paths: Vec<PathBuf> = paths.cloned().collect();
    let found = find_files(&paths, &configs);

    let mut report = Report::default();
    for problem in found.problems {
        report.problems.push(PathProblem {
            path: shown(&problem.path),
            message: problem.error.to_string(),
        });
    }
    let context = CheckContext {
        configs: &configs,
        target: options.kubernetes,
        safety,
    };
    for outcome in outcomes(options, stdin, &found.files, &context, &pool) {
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

/// Returns the outcome of standard input and of each file, in order.
fn outcomes(
    options: &Check,
    stdin: &Stdin,
    files: &[PathBuf],
    context: &CheckContext<'_>,
    pool: &ThreadPool,
) -> Vec<Outcome> {
    let source_budget = SourceBudget::default();
    let from_stdin = stdin.0.clone().map(|text| {
        let name = options.stdin_filename.as_deref();
        pool.install(|| analysis::read_stdin(text, name, context))
    });
    let count = files.len() + usize::from(from_stdin.is_some());
    let progress = Progress::new(Some(count as u64), PROGRESS, options.quiet);
    let all = files.par_iter().map(|file| {
        let read = analysis::read(file, context, &source_budget);
        if !matches!(read, Read::Waiting(..)) {
            progress.advance(1);
        }
        read
    });
    // Collecting keeps the order of the files, whichever is ready first.
    let mut read: Vec<Read> = from_stdin.into_iter().collect();
    read.extend(pool.install(|| all.collect::<Vec<Read>>()));
    let projects = Projects::new(&read, files, context, &options.paths);
    let inputs = Inputs::new(&read, files, context.configs);
    let from_files = read.iter_mut().skip(count - files.len());
    for (read, file) in from_files.zip(files) {
        analysis::wait_for_policies(read, file, context, &inputs);
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
        Read::Input(waiting, _) => analysis::check_file(*waiting, projects, inputs, finder),
        Read::Waiting(waiting, _) => {
            let outcome = analysis::check_file(*waiting, projects, inputs, finder);
            progress.advance(1);
            outcome
        }
    };
    let read = read.into_par_iter();
    read.map_init(InputFinder::from_working_directory, judge)
        .collect()
}

/// The text of standard input, or the reason why there is none, if an argument names it.
struct Stdin(Option<Result<String, String>>);

impl Stdin {
    fn read(options: &Check) -> Self {
        let read = || read_text(io::stdin().lock()).map_err(|error| error.to_string());
        Self(Self::is_named(options).then(read))
    }

    fn is_named(options: &Check) -> bool {
        options.paths.iter().any(|path| is_stdin(path))
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Returns a thread for each core.
pub(crate) fn pool() -> io::Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .stack_size(STACK)
        .build()
        .map_err(io::Error::other)
}
