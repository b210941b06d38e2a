//! A file that was read, its dependencies, and the context that determines how it is checked.

use crate::report::{FileReport, PathProblem};
use ide::{FileSummary, Safety, SourceFile};
use kubernetes::Target;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use workspace::{Config, ConfigCache, FoundInputs};

/// The outcome of reading a file.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It was analyzed.
    Checked(FileReport),
    /// It could not be read or analyzed.
    Problem(PathProblem),
}

/// A file that was read.
pub(super) enum Read {
    /// It does not depend on other files. Holds its summary for them, if they need one.
    Done(Outcome, Option<(FileConfig, Arc<FileSummary>)>),
    /// It is checked when its project is known. Holds its summary for other files.
    Waiting(Box<Waiting>, Arc<FileSummary>),
    /// It may have inputs, and is checked when the policy files are known. Holds its summary for
    /// other files, if they need one.
    Input(Box<Waiting>, Option<Arc<FileSummary>>),
}

/// A file that waits for its project.
pub(super) struct Waiting {
    /// The path, as displayed.
    pub(super) path: String,
    /// The path that identifies it in its project.
    pub(super) real: PathBuf,
    /// Its configuration and target.
    pub(super) file_config: FileConfig,
    /// The file, not yet in a project. `None` if too much is already kept.
    pub(super) file: Option<SourceFile>,
    /// Whether it is standard input, which cannot be written.
    pub(super) is_stdin: bool,
    /// The inputs that its comments name, if there are such comments.
    pub(super) named: Option<FoundInputs>,
}

/// The context that decides how a file is checked.
pub(super) struct CheckContext<'a> {
    /// The configuration of every path.
    pub(super) configs: &'a Arc<ConfigCache>,
    /// The target that the arguments name.
    pub(super) target: Option<Target>,
    /// The most that a fix may be, if fixes are applied.
    pub(super) safety: Option<Safety>,
}

/// The configuration and the target of a file.
#[derive(Clone)]
pub(super) struct FileConfig {
    /// Its configuration.
    pub(super) config: Arc<Config>,
    /// Its target.
    pub(super) target: Target,
    /// The most that a fix may be, if fixes are applied.
    pub(super) safety: Option<Safety>,
}

impl CheckContext<'_> {
    /// Returns the configuration and the target of a file.
    pub(super) fn for_file(&self, file: &Path) -> FileConfig {
        let config = self.configs.for_file(file);
        let target = self.target.or(config.target()).unwrap_or_default();
        FileConfig {
            config,
            target,
            safety: self.safety,
        }
    }
}
