//! The files that make up a dump: local files, standard input and pipes, and files in a store.

use crate::problem::Problem;
use crate::report::shown;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use workspace::{RemoteFile, find_dumps, find_remote, is_remote};

/// The argument for standard input.
const STDIN: &str = "-";

/// The path shown for standard input.
const STDIN_NAME: &str = "<stdin>";

/// A file with objects.
#[derive(Clone, Debug)]
pub(super) enum DumpFile {
    /// A local file, a pipe, or standard input.
    Local(PathBuf),
    /// A file in a store.
    Remote(RemoteFile),
}

impl DumpFile {
    /// Returns the path, as displayed.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Local(path) if is_stdin(path) => STDIN_NAME.to_owned(),
            Self::Local(path) => shown(path),
            Self::Remote(file) => file.address().to_owned(),
        }
    }

    /// Returns the size in bytes, 0 if it is unknown.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Local(path) => path.metadata().map_or(0, |it| it.len()),
            Self::Remote(file) => file.size(),
        }
    }

    /// Returns whether it can be read only once.
    pub(super) fn is_pipe(&self) -> bool {
        match self {
            Self::Local(path) => {
                is_stdin(path) || path.metadata().is_ok_and(|metadata| !metadata.is_file())
            }
            Self::Remote(_) => false,
        }
    }
}

/// Returns whether a path is the argument for standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Finds the files that the arguments name: standard input, which is read once, then local files,
/// then files in stores, each in the order of their paths.
pub(super) fn find(arguments: &[PathBuf], problems: &mut Vec<Problem>) -> Vec<DumpFile> {
    let (stdin, named): (Vec<&PathBuf>, Vec<&PathBuf>) =
        arguments.iter().partition(|path| is_stdin(path));
    let (remote, local): (Vec<&PathBuf>, Vec<&PathBuf>) =
        named.into_iter().partition(|path| is_remote(path));
    let local: Vec<PathBuf> = local.into_iter().cloned().collect();
    let found = find_dumps(&local);
    problems.extend(found.problems.iter().map(Problem::of_path));
    let remote_files = find_in_stores(&remote, problems);
    if found.files.is_empty() && remote_files.is_empty() && stdin.is_empty() && problems.is_empty()
    {
        problems.extend(local.iter().chain(remote).map(|path| without_files(path)));
    }
    let stdin = stdin.into_iter().take(1).cloned();
    let local = stdin.chain(found.files).map(DumpFile::Local);
    local.chain(remote_files).collect()
}

fn find_in_stores(addresses: &[&PathBuf], problems: &mut Vec<Problem>) -> Vec<DumpFile> {
    // In the order of paths: a directory is before a file whose name begins with its name.
    let mut files: BTreeMap<PathBuf, RemoteFile> = BTreeMap::new();
    for address in addresses {
        match find_remote(address) {
            Ok(found) => files.extend(found.into_iter().map(|it| (it.address().into(), it))),
            Err(error) => problems.push(Problem::new(&shown(address), error.to_string())),
        }
    }
    files.into_values().map(DumpFile::Remote).collect()
}

fn without_files(path: &Path) -> Problem {
    let message =
        "the directory has no .yaml, .yml, .json, .ndjson or .jsonl file; pass other files by name";
    Problem::new(&shown(path), message)
}
