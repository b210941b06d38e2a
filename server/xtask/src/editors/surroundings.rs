//! The environment that the tests of every editor share: directories, the program under test, the
//! duration of each step, and the totals.

use super::counting::Tally;
use crate::error::Error;
use crate::outcome::{Counts, Outcome};
use crate::{process, repository};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Why the tests of an editor ended early.
pub(super) enum Stop {
    /// The machine lacks a requirement, with the remedy.
    Missing(String),
    /// Something went wrong.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// One run of the tests.
pub(super) struct Editors<'a> {
    /// The program `admissible`.
    pub(super) program: PathBuf,
    /// The folder of the repository.
    root: PathBuf,
    out: &'a mut dyn Write,
    counts: Counts,
}

impl<'a> Editors<'a> {
    pub(super) fn new(program: PathBuf, out: &'a mut dyn Write) -> Self {
        Self {
            program,
            root: repository::root(),
            out,
            counts: Counts::default(),
        }
    }

    /// Returns a folder or file of the repository.
    pub(super) fn source(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Returns a folder or file that the tests keep between runs.
    pub(super) fn kept(&self, path: &str) -> PathBuf {
        self.root.join(".cache/editors").join(path)
    }

    /// Runs a step and prints its duration.
    pub(super) fn step<T>(
        &mut self,
        name: &str,
        step: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        writeln!(self.out, "-- {name}")?;
        self.out.flush()?;
        let start = Instant::now();
        let done = step(self);
        writeln!(self.out, "   {:.1} s", start.elapsed().as_secs_f64())?;
        done
    }

    /// Sets something up, unless `folder` already contains it in the state of `stamp`.
    ///
    /// # Errors
    /// If it is missing and not available, for example without a network.
    pub(super) fn set_up(
        &mut self,
        name: &str,
        folder: &Path,
        stamp: &str,
        set_up: impl FnOnce() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let file = folder.join("set-up.txt");
        if fs::read_to_string(&file).is_ok_and(|text| text == stamp) {
            return Ok(());
        }
        self.step(name, |_| {
            if folder.exists() {
                fs::remove_dir_all(folder).map_err(|it| Error::io("remove", folder, it))?;
            }
            set_up().map_err(|stop| match stop {
                Stop::Failed(error) => Stop::Missing(format!("cannot {name}: {error}")),
                missing @ Stop::Missing(_) => missing,
            })?;
            Ok(repository::write(&file, stamp)?)
        })
    }

    /// Runs tests in another program and counts them by its output.
    pub(super) fn tests(&mut self, name: &str, command: Command) -> Result<(), Stop> {
        self.step(name, |editors| {
            let (status, lines) = process::watch(command)?;
            let tally = Tally::parse(&lines, status.success());
            editors.counts.passed += tally.passed;
            editors.counts.failed += tally.failed;
            Ok(())
        })
    }

    /// Prints a line.
    pub(super) fn print_line(&mut self, line: &str) -> Result<(), Error> {
        Ok(writeln!(self.out, "{line}")?)
    }

    /// Counts a test. A failed one shows the actual result.
    pub(super) fn case(&mut self, name: &str, passed: bool, instead: &str) -> Result<(), Error> {
        if passed {
            self.counts.passed += 1;
            return self.print_line(&format!("ok  {name}"));
        }
        self.failed(&format!("{name}\n{instead}"))
    }

    /// Counts a failure outside tests.
    pub(super) fn failed(&mut self, why: &str) -> Result<(), Error> {
        self.counts.failed += 1;
        self.print_line(&format!("FAILED  {why}"))
    }

    /// Returns the outcome of the run if some editors could not be tested.
    pub(super) fn finish(self, missing: &[String]) -> Result<Outcome, Error> {
        for why in missing {
            writeln!(self.out, "\n*** NOT TESTED *** {why}")?;
        }
        if missing.is_empty() || self.counts.failed > 0 {
            return Ok(Outcome::Ran(self.counts));
        }
        Ok(Outcome::Missing(format!(
            "{} ({} otherwise)",
            missing.join("; "),
            self.counts
        )))
    }
}

/// Returns the first block of a language on a page.
///
/// # Errors
/// If there is none.
pub(super) fn block<'p>(page: &'p str, language: &str) -> Result<&'p str, Error> {
    let rest = page.split_once(&format!("```{language}\n"));
    let block = rest.and_then(|(_, rest)| rest.split("```").next());
    block.ok_or_else(|| Error::Failed(format!("the page has no block of {language}")))
}

/// Copies a folder with everything in it.
///
/// # Errors
/// When something cannot be read or written.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(|source| Error::io("create", to, source))?;
    for entry in fs::read_dir(from).map_err(|source| Error::io("list", from, source))? {
        let entry = entry.map_err(|source| Error::io("list", from, source))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            copy_file(&from, &to)?;
        }
    }
    Ok(())
}

/// Copies a file with its permissions.
///
/// # Errors
/// When it cannot be read or written.
pub(super) fn copy_file(from: &Path, to: &Path) -> Result<(), Error> {
    let copied = fs::copy(from, to).map(|_| ());
    copied.map_err(|source| Error::io("copy", from, source))
}

/// Runs a program whose output only matters if it fails.
///
/// # Errors
/// If it cannot be started or fails; the message ends with its output.
pub(super) fn quietly(mut command: Command) -> Result<String, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| Error::Io {
        what: format!("cannot run {program}"),
        source,
    })?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    Err(Error::Failed(format!(
        "{program} ended with {}\n{printed}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    )))
}
