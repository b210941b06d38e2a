//! What the user has set, for each document.
//!
//! Two places say it: the configuration file in the project, which all of a team share, and
//! the settings of the client, which win. A [`Configuration`] is both at one moment; any
//! change makes a new one, so that no analysis sees half of a change.

mod read;

pub(crate) use read::{Read, SECTION, read};

use crate::convert::from_lsp;
use ide::{Settings, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;
use workspace::Configs;

/// What the user has set at one moment.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// The configuration files. Each is read when the first document asks for it.
    pub(crate) files: Arc<Configs>,
    /// The settings of the client.
    pub(crate) client: ClientSettings,
}

/// The settings of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientSettings {
    /// Those of documents outside of all folders.
    pub(crate) everywhere: Chosen,
    /// Those of each folder of the workspace.
    pub(crate) folders: Vec<(PathBuf, Chosen)>,
}

/// What the client has set for a part of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// The levels of rules.
    pub(crate) settings: Settings,
    /// The servers that the policies are for.
    pub(crate) target: Option<Target>,
    /// Whether the values of all expressions are shown.
    pub(crate) live_values: bool,
}

/// What governs one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Governing {
    /// What the analysis has to know.
    pub(crate) settings: Settings,
    /// The servers that its policies are for. `None` where nobody names them.
    pub(crate) target: Option<Target>,
    /// A configuration file leaves the document out.
    pub(crate) excluded: bool,
}

impl Configuration {
    /// Whether the values of all expressions of a document are shown, where nobody has chosen.
    pub(crate) fn live_values(&self, uri: &lsp::Uri) -> bool {
        let path = from_lsp::path(uri);
        let chosen = path.as_ref().map(|path| self.client.of(path));
        chosen.unwrap_or(&self.client.everywhere).live_values
    }

    /// What governs a document. A document that is not a file, for example a new one, has
    /// the settings of the client only.
    pub(crate) fn governing(&self, uri: &lsp::Uri) -> Governing {
        let Some(path) = from_lsp::path(uri) else {
            return Governing {
                settings: self.client.everywhere.settings.clone(),
                target: self.client.everywhere.target,
                excluded: false,
            };
        };
        let (file, client) = (self.files.of(&path), self.client.of(&path));
        let mut settings = file.settings().clone();
        let levels = client.settings.rules.iter();
        settings
            .rules
            .extend(levels.map(|(code, level)| (code.clone(), *level)));
        Governing {
            settings,
            target: client.target.or(file.target()),
            excluded: self.files.excludes(&path),
        }
    }
}

impl ClientSettings {
    /// Whether other settings say otherwise where values are shown.
    pub(crate) fn shows_other_values(&self, other: &Self) -> bool {
        let live = |it: &Self| {
            let folders = it.folders.iter();
            let folders = folders.map(|(path, chosen)| (path.clone(), chosen.live_values));
            (it.everywhere.live_values, folders.collect::<Vec<_>>())
        };
        live(self) != live(other)
    }

    /// The settings of the innermost folder that holds `path`.
    fn of(&self, path: &Path) -> &Chosen {
        let holding = self
            .folders
            .iter()
            .filter(|(folder, _)| path.starts_with(folder));
        holding
            .max_by_key(|(folder, _)| folder.components().count())
            .map_or(&self.everywhere, |(_, chosen)| chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Level;

    fn settings(code: &str) -> Chosen {
        Chosen {
            settings: Settings {
                rules: [(code.to_owned(), Level::Off)].into(),
            },
            ..Chosen::default()
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
            let chosen = client.of(Path::new(path));
            chosen.settings.rules.keys().next().cloned().unwrap()
        };
        assert_eq!(code("/a/b/c.yaml"), "inner");
        assert_eq!(code("/a/bc.yaml"), "outer");
        assert_eq!(code("/ab/c.yaml"), "everywhere");
    }

    #[test]
    fn the_target_of_the_client_wins_over_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        std::fs::write(folder.join(workspace::CONFIG_FILE), "kubernetes = '1.30'").unwrap();
        let uri = lsp::Uri::from_file_path(folder.join("a.yaml")).unwrap();
        let target = |text: &str| Target::parse(text).ok();
        let governing = |target: Option<Target>| {
            let mut configuration = Configuration::default();
            configuration.client.everywhere.target = target;
            configuration.governing(&uri).target
        };
        assert_eq!(governing(None), target("1.30"));
        assert_eq!(governing(target("1.33..1.36")), target("1.33..1.36"));
    }
}
