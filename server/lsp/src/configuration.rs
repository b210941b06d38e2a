//! What the user has set, for each document.
//!
//! Two places say it: the configuration file in the project, which all of a team share, and
//! the settings of the client, which win. A [`Configuration`] is both at one moment; any
//! change makes a new one, so that no analysis sees half of a change.

mod read;

pub(crate) use read::{Read, SECTION, read};

use crate::convert::from_lsp;
use ide::Settings;
use std::path::{Path, PathBuf};
use tower_lsp_server::ls_types as lsp;
use workspace::Configs;

/// What the user has set at one moment.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// The configuration files. Each is read when the first document asks for it.
    pub(crate) files: Configs,
    /// The settings of the client.
    pub(crate) client: ClientSettings,
}

/// The settings of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientSettings {
    /// Those of documents outside of all folders.
    pub(crate) everywhere: Settings,
    /// Those of each folder of the workspace.
    pub(crate) folders: Vec<(PathBuf, Settings)>,
}

/// What governs one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Governing {
    /// What the analysis has to know.
    pub(crate) settings: Settings,
    /// A configuration file leaves the document out.
    pub(crate) excluded: bool,
}

impl Configuration {
    /// What governs a document. A document that is not a file, for example a new one, has
    /// the settings of the client only.
    pub(crate) fn governing(&self, uri: &lsp::Uri) -> Governing {
        let Some(path) = from_lsp::path(uri) else {
            return Governing {
                settings: self.client.everywhere.clone(),
                excluded: false,
            };
        };
        let mut settings = self.files.of(&path).settings().clone();
        let client = self.client.of(&path).rules.iter();
        settings
            .rules
            .extend(client.map(|(code, level)| (code.clone(), *level)));
        Governing {
            settings,
            excluded: self.files.excludes(&path),
        }
    }
}

impl ClientSettings {
    /// The settings of the innermost folder that holds `path`.
    fn of(&self, path: &Path) -> &Settings {
        let holding = self
            .folders
            .iter()
            .filter(|(folder, _)| path.starts_with(folder));
        holding
            .max_by_key(|(folder, _)| folder.components().count())
            .map_or(&self.everywhere, |(_, settings)| settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ide::Level;

    fn settings(code: &str) -> Settings {
        Settings {
            rules: [(code.to_owned(), Level::Off)].into(),
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
            let settings = client.of(Path::new(path));
            settings.rules.keys().next().cloned().unwrap()
        };
        assert_eq!(code("/a/b/c.yaml"), "inner");
        assert_eq!(code("/a/bc.yaml"), "outer");
        assert_eq!(code("/ab/c.yaml"), "everywhere");
    }
}
