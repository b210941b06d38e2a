//! The projects of a run: the facts that its files need from each other.
//!
//! The files are read once for their summaries. Those that hold policies are kept, within a
//! limit, until their whole project is known, and only then checked.

use super::read::{CheckContext, FileConfig, Read};
use ide::{FileSummary, Project};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use workspace::{Config, ConfigCache, ProjectLimits, gather};

/// Limit: bytes of source that are kept parsed until the project is known. The trees are several
/// times as large; files beyond the limit are parsed twice.
const MAX_KEPT: usize = 8 * 1024 * 1024;

/// The bytes that are kept.
#[derive(Default)]
pub(super) struct SourceBudget(AtomicUsize);

impl SourceBudget {
    /// Returns whether a file of this size can still be kept.
    pub(super) fn take(&self, size: usize) -> bool {
        self.0.fetch_add(size, Ordering::Relaxed) + size <= MAX_KEPT
    }
}

/// The projects by the path of their configuration, which is empty if there is none.
pub(super) struct Projects(HashMap<PathBuf, Arc<Project>>);

impl Projects {
    /// Returns the projects of the files that were read. Other files that a configuration governs
    /// are also read. Without a configuration, these files are all that is known, and the project
    /// is complete only if a directory was named.
    pub(super) fn new(
        read: &[Read],
        files: &[PathBuf],
        context: &CheckContext<'_>,
        arguments: &[PathBuf],
    ) -> Self {
        let configs = context.configs;
        let mut groups: BTreeMap<PathBuf, (FileConfig, Vec<Arc<FileSummary>>)> = BTreeMap::new();
        let mut others = Vec::new();
        for read in read {
            match read {
                Read::Waiting(waiting, summary) => {
                    let group = groups.entry(key(&waiting.file_config.config).to_path_buf());
                    let (_, files) =
                        group.or_insert_with(|| (waiting.file_config.clone(), Vec::new()));
                    files.push(Arc::clone(summary));
                }
                Read::Done(_, summary) => {
                    others.extend(summary.iter().map(|(config, summary)| (config, summary)));
                }
                Read::Input(waiting, summary) => {
                    others.extend(summary.iter().map(|it| (&waiting.file_config, it)));
                }
            }
        }
        for (file_config, summary) in others {
            if let Some((_, files)) = groups.get_mut(key(&file_config.config)) {
                files.push(Arc::clone(summary));
            }
        }
        // Files that were read need not be read again.
        let read_files: HashSet<PathBuf> = if groups.is_empty() {
            HashSet::new()
        } else {
            files.iter().map(|file| configs.real_path(file)).collect()
        };
        let is_whole = arguments.iter().any(|path| path.is_dir());
        let project = |(path, (file_config, files))| {
            let project = project(&file_config, files, &read_files, configs, is_whole);
            (path, Arc::new(project))
        };
        Self(groups.into_iter().map(project).collect())
    }

    /// Returns the project that a configuration governs.
    pub(super) fn project(&self, file_config: &FileConfig) -> Arc<Project> {
        let project = self.0.get(key(&file_config.config)).cloned();
        project.unwrap_or_else(|| Arc::new(Project::new(file_config.target)))
    }
}

fn key(config: &Config) -> &Path {
    config.path().unwrap_or(Path::new(""))
}

fn project(
    file_config: &FileConfig,
    mut files: Vec<Arc<FileSummary>>,
    read: &HashSet<PathBuf>,
    configs: &Arc<ConfigCache>,
    is_whole: bool,
) -> Project {
    let config = &file_config.config;
    let mut is_cut = !is_whole;
    if let Some(root) = config.root() {
        // A configuration further down has a separate project.
        let is_known =
            |file: &Path| read.contains(file) || key(&configs.for_file(file)) != key(config);
        let limits = ProjectLimits::default();
        let gathered = gather(&[root.to_path_buf()], configs, limits, &is_known);
        files.extend(gathered.files);
        is_cut = gathered.is_cut;
    }
    let mut project = Project::new(file_config.target).with_files(files);
    let schemas = configs.schemas(config);
    if let Some(definitions) = &schemas.definitions {
        project = project.with_schemas(definitions.iter().cloned());
    }
    if is_cut { project.cut() } else { project }
}
