//! `admissible test`: runs the inputs with `expect`, and compares the outcomes.
//!
//! A run is data, written at the end in one of the formats. Files and the tests of a file run in
//! parallel; the output is in the order of the paths.

mod case;
mod coverage;
mod failure;
mod github;
mod human;
mod input_path;
mod json;
mod junit;
mod suite;
mod summary;
mod update;
mod watch;

use crate::arguments::{Test, TestFormat};
use crate::exit::Exit;
use crate::loader::Loader;
use crate::problem::{self, Problem};
use crate::terminal::Terminal;
use rayon::prelude::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _,
};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use suite::{Runner, Suite};
use summary::Summary;
use workspace::{ConfigCache, InputFinder, find_files};

/// The stack of a thread, in bytes.
///
/// Limit: the parsers bound their nesting for stacks of 2 MiB; this leaves room for builds
/// without optimization.
const STACK: usize = 8 * 1024 * 1024;

/// The result of a run.
#[derive(Debug, Default)]
struct Run {
    /// The files with policies, in the order of their paths.
    suites: Vec<Suite>,
    /// Problems outside the suites.
    problems: Vec<Problem>,
    elapsed: Duration,
}

/// Runs the command.
///
/// # Errors
/// If the output cannot be written, the operating system provides no threads, or files cannot
/// be watched.
pub(crate) fn run(options: &Test, terminal: &Terminal) -> io::Result<Exit> {
    let jobs = options.jobs.map_or(0, |jobs| usize::from(jobs.get()));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK);
    let pool = pool.build().map_err(io::Error::other)?;
    if options.watch {
        return watch::run(options, &pool, terminal);
    }
    let run = Run::new(options, &pool, None);
    if options.update {
        return update::run(&run, options, terminal);
    }
    write(&run, options, terminal)?;
    Ok(run.exit(options))
}

/// Writes a run. Problems also go to standard error if standard output is for a program.
fn write(run: &Run, options: &Test, terminal: &Terminal) -> io::Result<()> {
    let written = match options.format {
        TestFormat::Human => human::write(run, options, terminal),
        TestFormat::Json => json::write(run, options, &mut terminal.json()),
        TestFormat::Junit => junit::write(run, &mut terminal.xml()),
        TestFormat::Github => github::write(run, options, &mut terminal.stdout()),
    };
    match written {
        // A closed pipe does not change the result of the run.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
        _ => {}
    }
    for suite in &run.suites {
        problem::write(&suite.problems, terminal)?;
    }
    problem::write(&run.problems, terminal)
}

impl Run {
    /// Runs the tests of all files, or of the given ones.
    fn new(options: &Test, pool: &ThreadPool, wanted: Option<&[PathBuf]>) -> Self {
        let started = Instant::now();
        let found = find_files(&options.paths, &Arc::new(ConfigCache::default()));
        let loader = Loader::new(options.kubernetes);
        let runner = Runner {
            loader: &loader,
            filter: options.filter.as_deref(),
            covers: options.covers(),
        };
        let is_wanted = |file: &&PathBuf| wanted.is_none_or(|wanted| wanted.contains(file));
        let files: Vec<&PathBuf> = found.files.iter().filter(is_wanted).collect();
        // Collecting keeps the order of the files, whichever is ready first.
        let run = || {
            let suites = files.par_iter().with_max_len(1);
            let suites = suites.map_init(InputFinder::from_working_directory, |finder, file| {
                runner.run(file, finder)
            });
            suites.collect::<Vec<Option<Suite>>>()
        };
        let suites: Vec<Suite> = pool.install(run).into_iter().flatten().collect();
        let mut problems: Vec<Problem> = found.problems.iter().map(Problem::of_path).collect();
        problems.extend(loader.config_problems());
        Self {
            suites,
            problems,
            elapsed: started.elapsed(),
        }
    }

    /// Returns the files with tests.
    fn tested(&self) -> impl Iterator<Item = &Suite> {
        self.suites.iter().filter(|suite| suite.is_shown())
    }

    fn exit(&self, options: &Test) -> Exit {
        let summary = Summary::new(self);
        let is_broken = summary.errors + summary.problems > 0;
        // If a path or a filter is given, finding no test is an error.
        let is_named =
            options.filter.is_some() || options.paths.iter().any(|it| it.as_os_str() != ".");
        if is_broken || summary.tests() == 0 && is_named {
            Exit::Failed
        } else if summary.failed > 0 || self.is_uncovered(options) {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }

    /// Returns whether coverage is below the required percentage.
    fn is_uncovered(&self, options: &Test) -> bool {
        let least = options.fail_uncovered.map(f64::from);
        least.is_some_and(|least| coverage::of_all(self).percent() < least)
    }
}
