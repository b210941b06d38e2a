//! The result of a run of `check`, before it is written in any format.

pub(crate) mod columns;
pub(crate) mod diff;
pub(crate) mod excerpt;
pub(crate) mod github;
pub(crate) mod gitlab;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod nothing;
pub(crate) mod page;
pub(crate) mod sarif;
pub(crate) mod step_summary;
pub(crate) mod summary;

use ide::{Diagnostic, Fixed};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::LineIndex;
use workspace::Config;

/// The result of a run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The files that were checked, in the order of the report.
    pub(crate) files: Vec<FileReport>,
    /// The paths that could not be checked.
    pub(crate) problems: Vec<PathProblem>,
    /// The configuration files with errors.
    pub(crate) configs: Vec<Arc<Config>>,
    /// The number of findings that were fixed. `None` if fixes are not applied.
    pub(crate) fixed: Option<usize>,
}

/// A file that was checked.
#[derive(Debug)]
pub(crate) struct FileReport {
    /// The path as displayed.
    pub(crate) path: String,
    /// The number of documents that carry CEL.
    pub(crate) policies: usize,
    /// The number of documents of kinds that are checked.
    pub(crate) documents: usize,
    /// The number of documents that are not checked, or only in part.
    pub(crate) not_checked: usize,
    /// The findings, by position.
    pub(crate) findings: Vec<Diagnostic>,
    /// The content; `None` if there is no finding to show.
    pub(crate) source: Option<Source>,
    /// The file with its fixes, if fixes are applied and it has some.
    pub(crate) fixed: Option<Box<FixedFile>>,
}

/// A file with its fixes.
#[derive(Debug)]
pub(crate) struct FixedFile {
    /// The path of the file. `None` for standard input.
    pub(crate) real_path: Option<PathBuf>,
    /// The text, and the findings in it.
    pub(crate) result: Fixed,
}

/// The content of a file with its lines.
#[derive(Debug)]
pub(crate) struct Source {
    /// The text.
    pub(crate) text: Arc<str>,
    /// Its lines.
    pub(crate) lines: LineIndex,
}

impl Source {
    /// Returns a source with its line index.
    pub(crate) fn new(text: Arc<str>) -> Self {
        let lines = LineIndex::new(&text);
        Self { text, lines }
    }
}

/// A path that could not be checked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PathProblem {
    /// The path as displayed.
    pub(crate) path: String,
    /// The reason and the remedy.
    pub(crate) message: String,
}

impl Report {
    /// Returns whether something could not be done.
    pub(crate) fn is_incomplete(&self) -> bool {
        !self.problems.is_empty() || !self.configs.is_empty()
    }

    /// Returns every finding with its file and the content of it.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&FileReport, &Source, &Diagnostic)> {
        self.files.iter().flat_map(|file| {
            let source = file.source.iter();
            source.flat_map(move |source| {
                let findings = file.findings.iter();
                findings.map(move |finding| (file, source, finding))
            })
        })
    }
}

/// Returns a path as reports show it: with `/` on every system.
pub(crate) fn shown(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.into_owned()
    }
}

/// Returns the path of a configuration file, relative to the current directory if shorter.
pub(crate) fn shown_from_here(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let relative = here.ok().and_then(|here| path.strip_prefix(here).ok());
    shown(relative.unwrap_or(path))
}
