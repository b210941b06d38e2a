//! The configuration file, `admissible.toml`.
//!
//! A file applies to its directory and everything below, up to the next one. An error in it is data
//! with a range, like a finding in a policy: the valid part still applies, so that a half-typed
//! line in an editor does not disable everything else.

mod cache;
mod level;
mod parse;

pub use cache::ConfigCache;
pub use level::with_rule_off;

use crate::{Roots, ancestors};
use ide::{Settings, diagnostics::RULES};
use ignore::gitignore::Gitignore;
use kubernetes::Target;
use kubernetes::openapi::Definitions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::{TextRange, TextSize};

/// The content of a configuration file. Without a file it is the default.
#[derive(Clone, Debug)]
pub struct Config {
    path: Option<PathBuf>,
    text: Arc<str>,
    settings: Settings,
    target: Option<Target>,
    exclude: Gitignore,
    schemas: Option<Vec<SchemaPath>>,
    line_width: Option<u16>,
    problems: Vec<ConfigProblem>,
}

/// A file, a directory or a pattern with schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaPath {
    /// The path as written, relative to the directory of the configuration file.
    pub path: String,
    /// Its range in the configuration file.
    pub range: TextRange,
}

/// The schemas that a configuration names.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// The kinds. `None` if the configuration names no schemas.
    pub definitions: Option<Vec<Arc<Definitions>>>,
    /// The files that were read, in the order of the entries.
    pub files: Vec<PathBuf>,
    /// The problems, each with the range of its entry.
    pub problems: Vec<ConfigProblem>,
}

/// An error in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The range in the file. Empty at 0 if the file cannot be read.
    pub range: TextRange,
    /// The message.
    pub message: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            path: None,
            text: Arc::from(""),
            settings: Settings::default(),
            target: None,
            exclude: Gitignore::empty(),
            schemas: None,
            line_width: None,
            problems: Vec::new(),
        }
    }
}

impl Config {
    /// Returns the configuration of `from`, a file or a directory: the nearest `admissible.toml` in
    /// its directory or above, up to the root of the repository, the home folder or a folder of
    /// another user. The default if there is none.
    #[must_use]
    pub fn discover(from: &Path) -> Self {
        match Self::find(from) {
            Some(path) => Self::load(&path, &Roots::default()),
            None => Self::default(),
        }
    }

    /// Returns the path of the configuration file of `from`, a file or a directory.
    #[must_use]
    pub fn find(from: &Path) -> Option<PathBuf> {
        let from = std::path::absolute(from).ok()?;
        let start = if from.is_dir() {
            from.as_path()
        } else {
            from.parent()?
        };
        let real = start.canonicalize().unwrap_or_else(|_| start.to_path_buf());
        ancestors::config_file(&real)
    }

    /// Reads a configuration file, which may be a link to a file in its project or in the folders
    /// of the user. If it cannot be read, the result is the default with a problem.
    #[must_use]
    pub fn load(path: &Path, roots: &Roots) -> Self {
        let directory = path.parent().unwrap_or(Path::new(""));
        match roots.read_near(directory, path) {
            Ok(text) => Self::parse(path, text),
            Err(error) => Self {
                path: Some(path.to_path_buf()),
                problems: vec![ConfigProblem {
                    range: TextRange::empty(TextSize::new(0)),
                    message: error.to_string(),
                }],
                ..Self::default()
            },
        }
    }

    /// Parses the text of the configuration file at `path`, for example the unsaved one of an
    /// editor. Errors become [`problems`](Self::problems).
    #[must_use]
    pub fn parse(path: &Path, text: impl Into<Arc<str>>) -> Self {
        let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        parse::parse(path, &text.into(), &codes)
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the directory that the file applies to. `None` for the default.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.path()?.parent()
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the levels of rules.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the Kubernetes versions that the policies target. `None` if the file does not set
    /// them.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// Returns the entries of `schemas`. `None` if the file does not have the key.
    #[must_use]
    pub fn schemas(&self) -> Option<&[SchemaPath]> {
        self.schemas.as_deref()
    }

    /// Returns `line-width` below `[format]`, in characters. `None` if the file does not set it.
    #[must_use]
    pub fn line_width(&self) -> Option<u16> {
        self.line_width
    }

    /// Returns the errors in the file, in the order of their ranges.
    #[must_use]
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.problems
    }

    /// Returns the same configuration, with the problems of the schemas that it names.
    fn with_problems_of(&self, schemas: &Schemas) -> Self {
        let mut config = self.clone();
        config.problems.extend(schemas.problems.iter().cloned());
        config
            .problems
            .sort_by_cached_key(|problem| problem.range.start());
        config
    }

    /// Returns whether `exclude` matches this file or a directory above it. A path outside the
    /// directory of the configuration file is never excluded.
    #[must_use]
    pub fn excludes(&self, file: &Path) -> bool {
        let Some(relative) = self.relative(file) else {
            return false;
        };
        self.exclude
            .matched_path_or_any_parents(relative, false)
            .is_ignore()
    }

    /// Returns whether `exclude` matches this entry itself. A walk calls this on its way down, so a
    /// directory that the user names is searched even if it is excluded.
    pub(crate) fn excludes_entry(&self, path: &Path, is_directory: bool) -> bool {
        self.relative(path)
            .is_some_and(|relative| self.exclude.matched(relative, is_directory).is_ignore())
    }

    fn relative<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        if self.exclude.is_empty() {
            return None;
        }
        let root = self.path.as_deref()?.parent()?;
        path.strip_prefix(root)
            .ok()
            .filter(|relative| !relative.as_os_str().is_empty())
    }
}

#[cfg(test)]
mod tests;
