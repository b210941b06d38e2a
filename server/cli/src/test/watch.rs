//! `--watch`: runs again what changes.
//!
//! An editor writes a file in several steps, so changes are gathered for a moment. A change of
//! an input or a policy concerns the file that it belongs to; any other may be a binding, a
//! parameter or a definition, which every policy may see.

use super::{Run, human, write};
use crate::arguments::{Test, TestFormat};
use crate::exit::Exit;
use crate::report::shown_from_here;
use crate::terminal::Terminal;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use rayon::ThreadPool;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use workspace::{CONFIG_FILE, is_manifest};

/// How long changes are gathered after the last one.
const QUIET: Duration = Duration::from_millis(80);

/// Runs the tests, and again whenever something changes. It ends with the process, or when
/// nobody reads the output any more.
///
/// # Errors
/// When the output cannot be written, or files cannot be watched.
pub(super) fn run(options: &Test, pool: &ThreadPool, terminal: &Terminal) -> io::Result<Exit> {
    if options.format != TestFormat::Human {
        let message = "--watch writes for people; leave --format out";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let (sender, receiver) = channel();
    let send = move |event: notify::Result<Event>| {
        // Nobody listens only when the process is about to end.
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
    let mut all = Run::of(options, pool, None);
    write(&all, options, terminal)?;
    waiting(terminal)?;
    while let Some(changed) = next_changes(&receiver) {
        let shown: Vec<String> = changed.iter().map(|path| shown_from_here(path)).collect();
        writeln!(terminal.stdout(), "\nChanged: {}", shown.join(", "))?;
        let affected = affected(&all, &changed);
        let run = Run::of(options, pool, affected.as_deref());
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
    writeln!(out, "Waiting for changes; Ctrl-C ends")?;
    out.flush()
}

impl Run {
    /// Takes what was run again.
    fn replace(&mut self, newer: Run) {
        for suite in newer.suites {
            let known = self.suites.iter_mut().find(|it| it.file == suite.file);
            match known {
                Some(known) => *known = suite,
                None => self.suites.push(suite),
            }
        }
        self.problems = newer.problems;
        self.elapsed = newer.elapsed;
    }
}

/// The folders in which something may change.
fn folders(options: &Test) -> BTreeSet<PathBuf> {
    let folder = |path: &PathBuf| {
        let mut folders = path.ancestors().filter(|it| it.is_dir());
        let folder = folders.next().unwrap_or(Path::new("."));
        folder.to_path_buf()
    };
    options.paths.iter().map(folder).collect()
}

/// The manifests and configurations that change next, once they are quiet. `None` when
/// nothing can change any more.
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

/// The files whose tests may come out differently. `None` for all.
fn affected(run: &Run, changed: &BTreeSet<PathBuf>) -> Option<Vec<PathBuf>> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut files = Vec::new();
    for path in changed {
        let path = real(path);
        let owners = run.suites.iter().filter(|suite| {
            real(&suite.file) == path || suite.inputs.iter().any(|input| real(input) == path)
        });
        let known = files.len();
        files.extend(owners.map(|suite| suite.file.clone()));
        if files.len() == known {
            return None;
        }
    }
    Some(files)
}
