//! `--update`: writes the actual outcome into the inputs of failing tests.
//!
//! A file is written only after its diff was shown, and only if only values below `expect` change.

use super::Run;
use super::input_path::shown_input;
use crate::arguments::Test;
use crate::exit::Exit;
use crate::problem::{self, Problem};
use crate::reader::read_near;
use crate::report::diff::unified;
use crate::terminal::{Terminal, printable};
use evaluation::expectation::Update;
use evaluation::expectation::rewrite;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;
use workspace::replace_file;

/// The result of an update.
#[derive(Default)]
struct Outcome {
    /// The number of tests that pass now.
    updated: usize,
    /// The number of tests that still fail.
    not_updated: usize,
    problems: Vec<Problem>,
}

/// Shows the changes to the inputs of failing tests, and applies them.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn run(run: &Run, options: &Test, terminal: &Terminal) -> io::Result<Exit> {
    let mut outcome = Outcome::default();
    let mut files: BTreeMap<&Path, Vec<&Update>> = BTreeMap::new();
    for suite in &run.suites {
        for case in &suite.cases {
            let Some(failure) = case.failure() else {
                continue;
            };
            let Some(update) = &failure.update else {
                let message = format!(
                    "the test `{}` is not updated: it has no expectation that can be updated, or \
                     it is a kat test",
                    case.name
                );
                outcome.problems.push(Problem::new(&case.path, message));
                outcome.not_updated += 1;
                continue;
            };
            files
                .entry(&update.input.key.path)
                .or_default()
                .push(update);
        }
    }
    for (path, updates) in files {
        outcome.file(path, &updates, options.dry_run, terminal)?;
    }
    outcome.write(options, terminal)?;
    for suite in &run.suites {
        problem::write(&suite.problems, terminal)?;
    }
    problem::write(&run.problems, terminal)?;
    problem::write(&outcome.problems, terminal)?;
    Ok(match run.exit(options) {
        Exit::Findings if outcome.not_updated == 0 && !options.dry_run => Exit::Clean,
        exit => exit,
    })
}

impl Outcome {
    /// Shows the changes to a file, and applies them.
    fn file(
        &mut self,
        path: &Path,
        updates: &[&Update],
        is_dry: bool,
        terminal: &Terminal,
    ) -> io::Result<()> {
        let input_path = shown_input(path);
        let changed = read_near(path).ok().and_then(|old| {
            let new = rewrite(path, &old, updates)?;
            Some((old, new))
        });
        let Some((old, new)) = changed else {
            let message = "the tests are not updated: changing their expectations would also \
                           change other values; edit them by hand";
            self.problems.push(Problem::new(&input_path, message));
            self.not_updated += updates.len();
            return Ok(());
        };
        let diff = unified(&input_path, &old, &new);
        let mut out = terminal.stdout();
        for line in diff.lines() {
            writeln!(out, "{}", printable(line))?;
        }
        out.flush()?;
        if !is_dry && let Err(error) = replace_file(path, &old, &new) {
            self.problems
                .push(Problem::new(&input_path, error.to_string()));
            self.not_updated += updates.len();
            return Ok(());
        }
        self.updated += updates.len();
        Ok(())
    }

    /// Writes the summary line.
    fn write(&self, options: &Test, terminal: &Terminal) -> io::Result<()> {
        let mut out = terminal.stdout();
        let word = if self.updated == 1 { "test" } else { "tests" };
        let done = if options.dry_run {
            "to update"
        } else {
            "updated"
        };
        write!(out, "{} {word} {done}", self.updated)?;
        if self.not_updated > 0 {
            write!(out, ", {} not", self.not_updated)?;
        }
        writeln!(out)
    }
}
