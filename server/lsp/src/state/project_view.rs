//! The projects of the workspace at one moment.

use crate::state::configuration::Configuration;
use ide::{FileSummary, Project};
use kubernetes::Target;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Summaries of files, by path.
pub(crate) type Summaries = BTreeMap<PathBuf, Arc<FileSummary>>;

/// The path of the configuration file, the folder of the workspace or the directory, in this
/// order of preference.
type Key = PathBuf;

/// The projects of the workspace at one moment. Each is built when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct ProjectView {
    files: Summaries,
    folders: Vec<PathBuf>,
    is_complete: bool,
    configuration: Arc<Configuration>,
    groups: OnceLock<HashMap<Key, Vec<Arc<FileSummary>>>>,
    projects: Mutex<HashMap<(Key, Target), Arc<Project>>>,
    /// The projects of the view before, from which equal parts are reused.
    older: HashMap<(Key, Target), Arc<Project>>,
}

impl ProjectView {
    pub(crate) fn new(
        files: Summaries,
        folders: Vec<PathBuf>,
        is_complete: bool,
        configuration: &Arc<Configuration>,
        older: &ProjectView,
    ) -> Self {
        Self {
            files,
            folders,
            is_complete,
            configuration: Arc::clone(configuration),
            older: older.projects().clone(),
            ..Self::default()
        }
    }

    /// Returns the project of a file for the targeted Kubernetes versions.
    pub(crate) fn project(&self, path: &Path, target: Option<Target>) -> Arc<Project> {
        let key = (self.key(path), target.unwrap_or_default());
        let cached = self.projects().get(&key).cloned();
        cached.unwrap_or_else(|| {
            let project = self.build(&key, self.is_complete && self.contains(path));
            let mut projects = self.projects();
            Arc::clone(projects.entry(key).or_insert(project))
        })
    }

    fn build(&self, key: &(Key, Target), is_complete: bool) -> Arc<Project> {
        let (group, target) = key;
        let files = self.groups().get(group).into_iter().flatten().cloned();
        let mut project = Project::new(*target).with_files(files);
        if group.ends_with(workspace::CONFIG_FILE) {
            let config = self.configuration.files.for_file(group);
            let schemas = self.configuration.files.schemas(&config);
            if let Some(definitions) = &schemas.definitions {
                project = project.with_schemas(definitions.iter().cloned());
            }
        }
        if !is_complete {
            project = project.cut();
        }
        match self.older.get(key) {
            Some(older) if **older == project => Arc::clone(older),
            Some(older) => Arc::new(project.after(older)),
            None => Arc::new(project),
        }
    }

    fn groups(&self) -> &HashMap<Key, Vec<Arc<FileSummary>>> {
        self.groups.get_or_init(|| {
            let mut groups: HashMap<Key, Vec<Arc<FileSummary>>> = HashMap::new();
            for (path, summary) in &self.files {
                let group = groups.entry(self.key(path)).or_default();
                group.push(Arc::clone(summary));
            }
            groups
        })
    }

    fn key(&self, path: &Path) -> Key {
        let config = self.configuration.files.for_file(path);
        let folder = || {
            let folders = self.folders.iter().filter(|it| path.starts_with(it));
            folders.max_by_key(|it| it.components().count()).cloned()
        };
        let directory = || path.parent().map(Path::to_path_buf).unwrap_or_default();
        let config = config.path().map(Path::to_path_buf);
        config.or_else(folder).unwrap_or_else(directory)
    }

    /// Returns whether a folder of the workspace contains the file.
    fn contains(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn projects(&self) -> MutexGuard<'_, HashMap<(Key, Target), Arc<Project>>> {
        // An entry is never half-written.
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
