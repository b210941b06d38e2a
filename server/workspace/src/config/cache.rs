//! The configuration of every path of a run.
//!
//! A tree may have several configuration files. Each directory is searched once and each file is
//! read once, regardless of the number of files they apply to.

use super::{Config, Schemas};
use crate::ancestors::{config_file, governing};
use crate::{CONFIG_FILE, Roots};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limit: the directories that are remembered.
const MAX_DIRECTORIES: usize = 20_000;

/// Finds the configuration of a path and remembers it. Shared between threads.
#[derive(Debug, Default)]
pub struct ConfigCache {
    /// The folders of the user.
    roots: Roots,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By directory, as it is spelled in a path.
    directories: HashMap<PathBuf, Directory>,
    /// By the path of the configuration file. The default has the empty path.
    files: HashMap<PathBuf, Arc<Config>>,
    /// By the path of the configuration file.
    schemas: HashMap<PathBuf, Arc<Schemas>>,
}

#[derive(Clone, Debug)]
struct Directory {
    /// With links and `..` resolved.
    real: PathBuf,
    config: Arc<Config>,
}

impl ConfigCache {
    /// Returns a cache whose configurations may also name files in folders of the user.
    #[must_use]
    pub fn within(roots: Roots) -> Self {
        Self {
            roots,
            state: Mutex::default(),
        }
    }

    /// Returns the folders of the user.
    #[must_use]
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Returns the configuration of a file, which need not exist.
    #[must_use]
    pub fn for_file(&self, file: &Path) -> Arc<Config> {
        self.directory_of(file).config
    }

    /// Returns whether the configuration of a file excludes it.
    #[must_use]
    pub fn excludes(&self, file: &Path) -> bool {
        let directory = self.directory_of(file);
        let name = file.file_name().unwrap_or_default();
        directory.config.excludes(&directory.real.join(name))
    }

    /// Returns the path with links and `..` in its directory resolved, so that two paths of one
    /// file are equal.
    #[must_use]
    pub fn real_path(&self, file: &Path) -> PathBuf {
        let name = file.file_name().unwrap_or_default();
        self.directory_of(file).real.join(name)
    }

    /// Returns the schemas of a configuration. The first call reads them.
    pub(crate) fn schemas_or_read(
        &self,
        config: &Config,
        read: impl FnOnce(&Config) -> Schemas,
    ) -> Arc<Schemas> {
        let path = config.path().unwrap_or(Path::new(""));
        let cached = self.state().schemas.get(path).cloned();
        cached.unwrap_or_else(|| {
            let schemas = Arc::new(read(config));
            let mut state = self.state();
            Arc::clone(state.schemas.entry(path.to_path_buf()).or_insert(schemas))
        })
    }

    /// Returns whether a file is one of the schemas read so far.
    #[must_use]
    pub fn is_schema(&self, file: &Path) -> bool {
        let real = self.real_path(file);
        let state = self.state();
        let mut files = state.schemas.values().flat_map(|schemas| &schemas.files);
        files.any(|schema| schema == file || *schema == real)
    }

    /// Returns the configuration files read so far that have problems, by path.
    #[must_use]
    pub fn with_problems(&self) -> Vec<Arc<Config>> {
        let state = self.state();
        let files = state.files.iter();
        let mut configs: Vec<Arc<Config>> = files
            .map(|(path, config)| match state.schemas.get(path) {
                Some(schemas) if !schemas.problems.is_empty() => {
                    Arc::new(config.with_problems_of(schemas))
                }
                _ => Arc::clone(config),
            })
            .collect();
        drop(state);
        configs.retain(|config| !config.problems().is_empty());
        configs.sort_by(|left, right| left.path().cmp(&right.path()));
        configs
    }

    pub(crate) fn excludes_entry(&self, path: &Path, is_directory: bool) -> bool {
        let directory = self.directory_of(path);
        let name = path.file_name().unwrap_or_default();
        let real = directory.real.join(name);
        directory.config.excludes_entry(&real, is_directory)
    }

    fn directory_of(&self, path: &Path) -> Directory {
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if let Some(cached) = self.state().directories.get(parent) {
            return cached.clone();
        }
        let directory = self.look_up(parent);
        let mut state = self.state();
        if state.directories.len() >= MAX_DIRECTORIES {
            state.directories.clear();
        }
        state
            .directories
            .insert(parent.to_path_buf(), directory.clone());
        directory
    }

    fn look_up(&self, directory: &Path) -> Directory {
        let below = self.below_known(directory);
        let (real, file) = below.unwrap_or_else(|| {
            let real = directory.canonicalize().unwrap_or_else(|_| {
                std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf())
            });
            let file = config_file(&real).unwrap_or_default();
            (real, file)
        });
        let cached = self.state().files.get(&file).cloned();
        // Others do not wait while a file is read.
        let config = cached.unwrap_or_else(|| {
            let read = Arc::new(if file.as_os_str().is_empty() {
                Config::default()
            } else {
                Config::load(&file, &self.roots)
            });
            Arc::clone(self.state().files.entry(file).or_insert(read))
        });
        Directory { real, config }
    }

    /// Returns the real path of a directory and of its configuration file from those of its parent,
    /// if the parent is known and no link leads to the directory.
    fn below_known(&self, directory: &Path) -> Option<(PathBuf, PathBuf)> {
        // Where case does not matter, the real path has the spelling on disk.
        if cfg!(any(windows, target_os = "macos")) {
            return None;
        }
        let name = directory.file_name()?;
        let parent = self.state().directories.get(directory.parent()?)?.clone();
        if !directory.symlink_metadata().ok()?.is_dir() {
            return None;
        }
        let real = parent.real.join(name);
        let inherits =
            !real.join(CONFIG_FILE).is_file() && governing(&real).any(|it| *it == *parent.real);
        let file = if inherits {
            parent.config.path().map(Path::to_path_buf)
        } else {
            config_file(&real)
        };
        Some((real, file.unwrap_or_default()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
