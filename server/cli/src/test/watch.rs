//! `--watch`: runs tests again when their files change.
//!
//! An editor writes a file in several steps, so changes are collected for a moment. A changed input
//! or policy affects its file, a changed binding or parameter the policies that use it, and any
//! other change possibly all of them.

use super::suite::Suite;
use super::{Run, human, write};
use crate::arguments::{Test, TestFormat};
use crate::exit::Exit;
use crate::reader::read_near;
use crate::report::shown_from_here;
use crate::terminal::Terminal;
use evaluation::input::kat_name;
use ide::SourceFile;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use rayon::ThreadPool;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use workspace::{CONFIG_FILE, SampleFile, is_manifest, policy_of_input};

/// The time without changes after which tests run.
const QUIET: Duration = Duration::from_millis(80);

/// Runs the tests, and again whenever something changes, until the process ends or the output
/// is closed.
///
/// # Errors
/// If the output cannot be written, or files cannot be watched.
pub(super) fn run(options: &Test, pool: &ThreadPool, terminal: &Terminal) -> io::Result<Exit> {
    if options.format != TestFormat::Human {
        let message = "--watch supports only the human format; remove --format";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let (sender, receiver) = channel();
    let send = move |event: notify::Result<Event>| {
        // The receiver is gone only if the process is about to end.
        let _ = sender.send(event);
    };
    let mut watcher = RecommendedWatcher::new(send, notify::Config::default());
    let watcher = watcher
        .as_mut()
        .map_err(|error| io::Error::other(error.to_string()))?;
    for folder in folders(options) {
        let watched = watcher.watch(&folder, RecursiveMode::Recursive);
        watched.map_err(|error| io::Error::other(error.to_string()))?;
    }
    let mut all = Run::new(options, pool, None);
    write(&all, options, terminal)?;
    waiting(terminal)?;
    while let Some(changed) = next_changes(&receiver) {
        let paths: Vec<String> = changed.iter().map(|path| shown_from_here(path)).collect();
        writeln!(terminal.stdout(), "\nChanged: {}", paths.join(", "))?;
        let affected = affected(&all, &changed);
        if affected.as_ref().is_some_and(Vec::is_empty) {
            writeln!(terminal.stdout(), "No test depends on this file")?;
            waiting(terminal)?;
            continue;
        }
        let run = Run::new(options, pool, affected.as_deref());
        write(&run, options, terminal)?;
        if affected.is_some() {
            all.replace(run);
            human::write_total(&all, options, terminal)?;
        } else {
            all = run;
        }
        waiting(terminal)?;
    }
    Ok(all.exit(options))
}

fn waiting(terminal: &Terminal) -> io::Result<()> {
    let mut out = terminal.stdout();
    writeln!(out, "Waiting for changes; press Ctrl-C to stop")?;
    out.flush()
}

impl Run {
    /// Replaces the suites that were run again.
    fn replace(&mut self, newer: Run) {
        for suite in newer.suites {
            let existing = self.suites.iter_mut().find(|it| it.file == suite.file);
            match existing {
                Some(existing) => *existing = suite,
                None => self.suites.push(suite),
            }
        }
        self.problems = newer.problems;
        self.elapsed = newer.elapsed;
    }
}

/// Returns the directories to watch.
fn folders(options: &Test) -> BTreeSet<PathBuf> {
    let folder = |path: &PathBuf| {
        let mut folders = path.ancestors().filter(|it| it.is_dir());
        folders.next().unwrap_or(Path::new(".")).to_path_buf()
    };
    options.paths.iter().map(folder).collect()
}

/// Returns the manifests and configurations of the next change, once they are quiet; `None`
/// if the watcher has ended.
fn next_changes(receiver: &Receiver<notify::Result<Event>>) -> Option<BTreeSet<PathBuf>> {
    let mut changed = BTreeSet::new();
    while changed.is_empty() {
        add(&mut changed, receiver.recv().ok()?);
    }
    loop {
        match receiver.recv_timeout(QUIET) {
            Ok(event) => add(&mut changed, event),
            Err(RecvTimeoutError::Timeout) => return Some(changed),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

fn add(changed: &mut BTreeSet<PathBuf>, event: notify::Result<Event>) {
    let Ok(event) = event else { return };
    if matches!(event.kind, EventKind::Access(_)) {
        return;
    }
    let counts = |path: &PathBuf| {
        let is_text = path.extension().is_some_and(|it| it == "txt");
        is_manifest(path) || is_text || path.file_name().is_some_and(|it| it == CONFIG_FILE)
    };
    changed.extend(event.paths.into_iter().filter(counts));
}

/// Returns the files whose tests may be affected; `None` for all.
fn affected(run: &Run, changed: &BTreeSet<PathBuf>) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in changed {
        files.extend(affected_by(run, &real(path))?);
    }
    Some(files)
}

/// Returns the files whose tests a change of one file affects; `None` for all, since a new or
/// removed file and a configuration may affect any.
fn affected_by(run: &Run, path: &Path) -> Option<Vec<PathBuf>> {
    let chosen = |is_chosen: &dyn Fn(&Suite) -> bool| {
        let suites = run.suites.iter().filter(|suite| is_chosen(suite));
        suites.map(|it| it.file.clone()).collect::<Vec<PathBuf>>()
    };
    let owns = |suite: &Suite| {
        real(&suite.file) == path || suite.inputs.iter().any(|input| real(input) == path)
    };
    let owners = chosen(&owns);
    let Ok(text) = read_near(path) else {
        // The bindings and objects of a removed neighbor are also removed.
        let left = chosen(&|suite| suite.neighbors.iter().any(|it| it == path));
        return Some(left).filter(|left| !left.is_empty() && owners.is_empty());
    };
    if !owners.is_empty() {
        return Some(owners);
    }
    if let Some(policy) = policy_of_input(path) {
        let policy = real(&policy);
        return Some(chosen(&|suite| real(&suite.file) == policy));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let is_new_test = name.is_some_and(|name| kat_name(name).is_some());
    let has_policies = || {
        let file = SourceFile::new(text.as_str());
        file.policies().iter().any(|it| it.is_evaluated())
    };
    if path.ends_with(CONFIG_FILE) || is_new_test || has_policies() {
        return None;
    }
    let content = SampleFile::read(path, &text);
    Some(chosen(&|suite| {
        suite.dependencies.is_touched_by(&content) || suite.neighbors.iter().any(|it| it == path)
    }))
}

/// Returns the path without links; for a removed file, that of its directory.
fn real(path: &Path) -> PathBuf {
    let real = path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    });
    real.unwrap_or_else(|| path.to_path_buf())
}
