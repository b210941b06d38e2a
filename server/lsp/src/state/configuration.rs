//! The settings of each document.
//!
//! They come from the configuration file of the project, which a team shares, and from the client,
//! whose settings take precedence. A [`Configuration`] is both at one moment. Any change creates a
//! new one, so that no analysis sees half of a change.

mod client;

pub(crate) use client::{ParsedSettings, SECTION, parse};

use crate::convert::from_lsp;
use ide::{HintSettings, Settings};
use kubernetes::Target;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;
use workspace::ConfigCache;

/// All settings at one moment.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// The configuration files. Each is read when it is first needed.
    pub(crate) files: Arc<ConfigCache>,
    /// The settings of the client.
    pub(crate) client: ClientSettings,
}

/// The settings of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientSettings {
    /// For documents outside all folders.
    pub(crate) everywhere: ScopeSettings,
    /// For each folder of the workspace.
    pub(crate) folders: Vec<(PathBuf, ScopeSettings)>,
}

/// The settings of the client for one scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScopeSettings {
    /// The levels of rules.
    pub(crate) levels: Settings,
    /// The Kubernetes versions that the policies target.
    pub(crate) target: Option<Target>,
    /// Whether the values of all expressions are shown.
    pub(crate) live_values: bool,
    /// The width of a line in a file, in characters.
    pub(crate) line_width: Option<u16>,
    /// The hints that are shown without an evaluation.
    pub(crate) hints: HintSettings,
    /// Whether only open documents are checked.
    pub(crate) only_open: bool,
    /// Whether another server completes the keys of manifests in YAML.
    pub(crate) without_manifest_keys: bool,
}

/// The settings of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentSettings {
    /// The levels of rules.
    pub(crate) levels: Settings,
    /// The Kubernetes versions that its policies target. `None` if they are not set.
    pub(crate) target: Option<Target>,
    /// Whether a configuration file excludes the document.
    pub(crate) excluded: bool,
    /// The width of a line in the file, in characters.
    pub(crate) line_width: usize,
    /// Whether it is only checked while it is open.
    pub(crate) only_open: bool,
}

impl Configuration {
    /// Returns whether the values of all expressions of a document are shown by default.
    pub(crate) fn live_values(&self, uri: &lsp::Uri) -> bool {
        self.client.for_uri(uri).live_values
    }

    /// Returns whether the keys of the manifests in a document are completed. Other servers for
    /// Kubernetes do so in YAML, not in JSON.
    pub(crate) fn completes_manifest_keys(&self, uri: &lsp::Uri) -> bool {
        let path = from_lsp::path(uri);
        let is_json = path.is_some_and(|it| it.extension().is_some_and(|it| it == "json"));
        is_json || !self.client.for_uri(uri).without_manifest_keys
    }

    /// Returns the hints of a document that are shown without an evaluation.
    pub(crate) fn hints(&self, uri: &lsp::Uri) -> HintSettings {
        self.client.for_uri(uri).hints
    }

    /// Returns the settings of a document. A document that is not a file, for example an
    /// untitled one, only has the settings of the client.
    pub(crate) fn for_document(&self, uri: &lsp::Uri) -> DocumentSettings {
        let Some(path) = from_lsp::path(uri) else {
            return DocumentSettings {
                levels: self.client.everywhere.levels.clone(),
                target: self.client.everywhere.target,
                excluded: false,
                line_width: line_width(self.client.everywhere.line_width),
                only_open: true,
            };
        };
        let (file, client) = (self.files.for_file(&path), self.client.for_path(&path));
        let mut levels = file.settings().clone();
        let of_client = client.levels.rules.iter();
        levels
            .rules
            .extend(of_client.map(|(code, level)| (code.clone(), *level)));
        DocumentSettings {
            levels,
            target: client.target.or(file.target()),
            excluded: self.files.excludes(&path),
            line_width: line_width(client.line_width.or(file.line_width())),
            only_open: client.only_open,
        }
    }
}

fn line_width(setting: Option<u16>) -> usize {
    setting.map_or(ide::LINE_WIDTH, usize::from)
}

impl ClientSettings {
    /// Returns whether live mode or the settings of hints differ.
    pub(crate) fn differs_in_hints(&self, other: &Self) -> bool {
        let of_scope = |scope: &ScopeSettings| (scope.live_values, scope.hints);
        let hints = |it: &Self| {
            let folders = it
                .folders
                .iter()
                .map(|(path, scope)| (path.clone(), of_scope(scope)));
            (of_scope(&it.everywhere), folders.collect::<Vec<_>>())
        };
        hints(self) != hints(other)
    }

    fn for_uri(&self, uri: &lsp::Uri) -> &ScopeSettings {
        let path = from_lsp::path(uri);
        path.map_or(&self.everywhere, |path| self.for_path(&path))
    }

    /// Returns the settings of the innermost folder that contains `path`.
    fn for_path(&self, path: &Path) -> &ScopeSettings {
        self.folders
            .iter()
            .filter(|(folder, _)| path.starts_with(folder))
            .max_by_key(|(folder, _)| folder.components().count())
            .map_or(&self.everywhere, |(_, scope)| scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Level;

    fn settings(code: &str) -> ScopeSettings {
        ScopeSettings {
            levels: Settings {
                rules: [(code.to_owned(), Level::Off)].into(),
            },
            ..ScopeSettings::default()
        }
    }

    #[test]
    fn the_innermost_folder_decides() {
        let client = ClientSettings {
            everywhere: settings("everywhere"),
            folders: vec![
                (PathBuf::from("/a"), settings("outer")),
                (PathBuf::from("/a/b"), settings("inner")),
            ],
        };
        let code = |path: &str| {
            let scope = client.for_path(Path::new(path));
            scope.levels.rules.keys().next().cloned().unwrap()
        };
        assert_eq!(code("/a/b/c.yaml"), "inner");
        assert_eq!(code("/a/bc.yaml"), "outer");
        assert_eq!(code("/ab/c.yaml"), "everywhere");
    }

    #[test]
    fn the_target_of_the_client_wins_over_that_of_the_file() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap();
        std::fs::write(folder.join(workspace::CONFIG_FILE), "kubernetes = '1.30'").unwrap();
        let uri = lsp::Uri::from_file_path(folder.join("a.yaml")).unwrap();
        let target = |text: &str| Target::parse(text).ok();
        let governing = |target: Option<Target>| {
            let mut configuration = Configuration::default();
            configuration.client.everywhere.target = target;
            configuration.for_document(&uri).target
        };
        assert_eq!(governing(None), target("1.30"));
        assert_eq!(governing(target("1.33..1.36")), target("1.33..1.36"));
    }
}
