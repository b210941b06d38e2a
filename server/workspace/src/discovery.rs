//! Finding the files of the arguments.
//!
//! A directory is searched for manifests. Hidden and ignored files are skipped, and links are not
//! followed, so that a loop of links has no effect and no file is found twice. A named file is
//! always included, regardless of its name. A pattern that the shell has not expanded is expanded
//! here. The order of the result depends on the paths only.

mod pattern;

use crate::{ConfigCache, Error, Problem};
use ignore::{DirEntry, WalkBuilder};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The extensions of the files that a search includes.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The extensions of files with one JSON object per line.
const LINES: [&str; 2] = ["ndjson", "jsonl"];

/// Limit: entries of a directory in which skipped files are counted.
const MAX_SKIPPED: usize = 20_000;

/// The result of a search.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files, each once, in the order of their paths.
    pub files: Vec<PathBuf>,
    /// The arguments and directories that cannot be used, in the order of their paths.
    pub problems: Vec<Problem>,
}

/// Returns whether a search includes a file of this name.
#[must_use]
pub fn is_manifest(path: &Path) -> bool {
    has_extension(path, &EXTENSIONS)
}

/// Returns whether a search for dumps includes a file of this name.
#[must_use]
pub(crate) fn is_dump(path: &Path) -> bool {
    is_manifest(path) || has_extension(path, &LINES)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let Some(extension) = path.extension() else {
        return false;
    };
    let mut known = extensions.iter();
    known.any(|known| extension.eq_ignore_ascii_case(known))
}

/// Finds the files that the arguments name: files, directories or patterns such as
/// `policies/**/*.yaml`. `configs` determines which are excluded.
#[must_use]
pub fn find_files(arguments: &[PathBuf], configs: &Arc<ConfigCache>) -> Discovery {
    find(arguments, configs, is_manifest)
}

/// Finds the files with the objects of a dump, as [`find_files`] does. Directories are also
/// searched for files with one object per line.
#[must_use]
pub fn find_dumps(arguments: &[PathBuf]) -> Discovery {
    find(arguments, &Arc::default(), is_dump)
}

fn find(arguments: &[PathBuf], configs: &Arc<ConfigCache>, takes: fn(&Path) -> bool) -> Discovery {
    let mut found = Discovery::default();
    for argument in arguments {
        if let Err(error) = find_one(argument, configs, takes, &mut found) {
            found.problems.push(Problem {
                path: argument.clone(),
                error,
            });
        }
    }
    found.files.sort_unstable();
    let mut seen = HashSet::new();
    found
        .files
        .retain(|file| seen.insert(std::path::absolute(file).unwrap_or_else(|_| file.clone())));
    found
        .problems
        .sort_by(|left, right| left.path.cmp(&right.path));
    found
}

/// Returns the manifests below some folders, at most `limit` in each. Unreadable entries are
/// skipped. Directories are entered in the order of their names, so that a limit always cuts at the
/// same file.
#[must_use]
pub fn find_manifests(
    folders: &[PathBuf],
    configs: &Arc<ConfigCache>,
    limit: usize,
) -> Vec<PathBuf> {
    let below = |folder: &PathBuf| {
        let mut walker = walker(folder, configs);
        let entries = walker.sort_by_file_name(Ord::cmp).build();
        let files = entries.flatten().filter(is_file).map(DirEntry::into_path);
        files.filter(|file| is_manifest(file)).take(limit)
    };
    folders.iter().flat_map(below).collect()
}

/// Returns the number of manifests in the directories of the arguments that a search skips: hidden,
/// ignored and excluded ones. The count ends at a limit.
#[must_use]
pub fn skipped_manifests(arguments: &[PathBuf], configs: &Arc<ConfigCache>) -> usize {
    let folders = arguments.iter().filter(|argument| argument.is_dir());
    let folders: Vec<PathBuf> = folders.cloned().collect();
    let all = folders.iter().map(|folder| {
        let mut walker = WalkBuilder::new(folder);
        let walker = walker.standard_filters(false).follow_links(false);
        let entries = walker.filter_entry(|entry| entry.file_name() != ".git");
        let entries = entries.build().flatten().take(MAX_SKIPPED);
        entries
            .filter(|it| is_file(it) && is_manifest(it.path()))
            .count()
    });
    let found = find_manifests(&folders, configs, usize::MAX);
    all.sum::<usize>().saturating_sub(found.len())
}

fn find_one(
    argument: &Path,
    configs: &Arc<ConfigCache>,
    takes: fn(&Path) -> bool,
    found: &mut Discovery,
) -> Result<(), Error> {
    let error = match argument.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            walk(argument, configs, found, &mut |file| takes(file));
            return Ok(());
        }
        Ok(_) => {
            found.files.push(without_dot(argument));
            return Ok(());
        }
        Err(error) => Error::from(error),
    };
    if let Ok(target) = argument.read_link() {
        return Err(match error {
            Error::NotFound => Error::BrokenLink { target },
            error => error,
        });
    }
    match pattern::Pattern::parse(argument) {
        Some(pattern) => find_matches(&pattern?, configs, found),
        None => Err(error),
    }
}

fn find_matches(
    pattern: &pattern::Pattern,
    configs: &Arc<ConfigCache>,
    found: &mut Discovery,
) -> Result<(), Error> {
    if !pattern.base.is_dir() {
        return Err(Error::NoMatch);
    }
    let before = found.files.len();
    walk(&pattern.base, configs, found, &mut |file| {
        pattern.takes(file)
    });
    if found.files.len() == before {
        return Err(Error::NoMatch);
    }
    Ok(())
}

/// Adds the files below `root` that `takes` accepts. A directory that cannot be read is a separate
/// problem.
fn walk(
    root: &Path,
    configs: &Arc<ConfigCache>,
    found: &mut Discovery,
    takes: &mut dyn FnMut(&Path) -> bool,
) {
    for entry in walker(root, configs).build() {
        match entry {
            Ok(entry) if is_file(&entry) && takes(entry.path()) => {
                found.files.push(without_dot(entry.path()));
            }
            Ok(_) => {}
            Err(error) => found.problems.extend(walk_problem(root, error)),
        }
    }
}

fn walker(root: &Path, configs: &Arc<ConfigCache>) -> WalkBuilder {
    let configs = Arc::clone(configs);
    let mut builder = WalkBuilder::new(root);
    builder
        .follow_links(false)
        // The result must not depend on the machine: what git ignores for one user only does not
        // count, and a copy without `.git` has the same files.
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !configs.excludes_entry(entry.path(), is_directory)
        });
    builder
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

fn walk_problem(root: &Path, error: ignore::Error) -> Option<Problem> {
    let mut path = root.to_path_buf();
    let mut error = error;
    loop {
        error = match error {
            ignore::Error::WithPath { path: inner, err } => {
                path = inner;
                *err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                *err
            }
            ignore::Error::Io(source) => {
                return Some(Problem {
                    path: without_dot(&path),
                    error: Error::from(source),
                });
            }
            // A loop of links, or a line of an ignore file that git would also skip.
            _ => return None,
        };
    }
}

/// Returns the path without a leading `./`.
fn without_dot(path: &Path) -> PathBuf {
    let mut components = path.components();
    if components.clone().next() == Some(Component::CurDir) && path.components().count() > 1 {
        components.next();
    }
    components.as_path().to_path_buf()
}

#[cfg(test)]
mod tests;
