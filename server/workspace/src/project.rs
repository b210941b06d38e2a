//! The files of a project, beyond those that a user has named.
//!
//! A project is what one configuration file governs. Its policies, bindings and definitions
//! explain each other, so all of it is looked at, even to check one file. A tree may hold a
//! hundred thousand files: most are passed over after a look at their bytes, and what is
//! looked at is bounded.

use crate::discovery::{find_some, is_manifest};
use crate::{ConfigCache, read_file};
use ide::FileSummary;
use policy::may_hold_policy;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Limits of a search for the files of a project.
#[derive(Clone, Copy, Debug)]
pub struct ProjectLimits {
    /// The files that are read.
    pub files: usize,
    /// The bytes of a file.
    pub file_size: u64,
    /// How long the search may take.
    pub time: Duration,
}

impl Default for ProjectLimits {
    /// Limit: a large repository on a warm disk. A colder or larger one gives what was found
    /// until then, and nothing is said to be missing.
    fn default() -> Self {
        Self {
            files: 20_000,
            file_size: 4 * 1024 * 1024,
            time: Duration::from_secs(5),
        }
    }
}

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// What is known of each file that is of interest, in the order of their paths.
    pub files: Vec<Arc<FileSummary>>,
    /// Whether a limit has ended the search.
    pub is_cut: bool,
}

/// Gathers what is known of the manifests below some folders. Files that `known` names are
/// not read.
#[must_use]
pub fn gather(
    folders: &[PathBuf],
    configs: &Arc<ConfigCache>,
    limits: ProjectLimits,
    known: &dyn Fn(&Path) -> bool,
) -> Gathered {
    let end = Instant::now() + limits.time;
    let mut files = find_some(folders, configs, limits.files);
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
        if !known(&file) {
            found.files.extend(read_summary(&file, limits));
        }
    }
    found
}

/// What other files want to know of a file. `None` when that is nothing, or the file cannot
/// be read.
#[must_use]
pub fn read_summary(path: &Path, limits: ProjectLimits) -> Option<Arc<FileSummary>> {
    let size = path.metadata().ok()?.len();
    if !is_manifest(path) || size > limits.file_size {
        return None;
    }
    let text = read_file(path).ok()?;
    summary_of(path, &text)
}

/// What other files want to know of a text. `None` when that is nothing.
#[must_use]
pub fn summary_of(path: &Path, text: &str) -> Option<Arc<FileSummary>> {
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
