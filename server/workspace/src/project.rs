//! The files of a project, beyond those that a user names.
//!
//! A project consists of the files to which one configuration file applies. Its policies,
//! bindings and definitions depend on each other, so all of it is read, even to check one file.
//! A tree may have a hundred thousand files: most are skipped after a check of their bytes, and
//! the rest is bounded.

use crate::ConfigCache;
use crate::discovery::{find_manifests, is_manifest};
use crate::load::read_file;
use ide::FileSummary;
use policy::may_hold_policy;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Limits of a search for the files of a project.
#[derive(Clone, Copy, Debug)]
pub struct ProjectLimits {
    /// The number of files that are read.
    pub files: usize,
    /// The size of a file in bytes.
    pub file_size: u64,
    /// The duration of the search.
    pub time: Duration,
}

impl Default for ProjectLimits {
    /// Limit: a large repository on a warm disk. For a colder or larger one the result is
    /// incomplete, and then no finding reports that something is missing.
    fn default() -> Self {
        Self {
            files: 20_000,
            file_size: 4 * 1024 * 1024,
            time: Duration::from_secs(5),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// The summaries of the relevant files, in the order of their paths.
    pub files: Vec<Arc<FileSummary>>,
    /// Whether a limit ended the search.
    pub is_cut: bool,
}

/// Summarizes the manifests below some folders. Files for which `is_known` is true are not read.
#[must_use]
pub fn gather(
    folders: &[PathBuf],
    configs: &Arc<ConfigCache>,
    limits: ProjectLimits,
    is_known: &dyn Fn(&Path) -> bool,
) -> Gathered {
    let end = Instant::now() + limits.time;
    let mut files = find_manifests(folders, configs, limits.files);
    let mut found = Gathered {
        files: Vec::new(),
        is_cut: files.len() >= limits.files,
    };
    files.sort_unstable();
    files.dedup();
    for file in files {
        if Instant::now() > end {
            found.is_cut = true;
            break;
        }
        if !is_known(&file) {
            found.files.extend(read_summary(&file, limits));
        }
    }
    found
}

/// Returns the summary of a file. `None` if it is empty, or the file is a link or cannot be read.
#[must_use]
pub fn read_summary(path: &Path, limits: ProjectLimits) -> Option<Arc<FileSummary>> {
    // A search does not follow links either.
    let metadata = path.symlink_metadata().ok()?;
    if !is_manifest(path) || !metadata.is_file() || metadata.len() > limits.file_size {
        return None;
    }
    let text = read_file(path).ok()?;
    summary_of(path, &text)
}

/// Returns the summary of a text. `None` if it is empty.
#[must_use]
pub(crate) fn summary_of(path: &Path, text: &str) -> Option<Arc<FileSummary>> {
    if !may_hold_policy(text) && !may_hold_object(text) {
        return None;
    }
    let summary = FileSummary::read(&Arc::from(path), text);
    (!summary.is_empty()).then(|| Arc::new(summary))
}

fn may_hold_object(text: &str) -> bool {
    text.contains("metadata:")
}

#[cfg(test)]
mod tests;
