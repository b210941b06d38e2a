//! The folders of one run of VS Code.

use crate::editors::root::{self, Root};
use crate::editors::surroundings::{Editors, Stop, copy_file, copy_folder};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of one run.
pub(super) struct Stage {
    /// The user data directory of VS Code.
    pub(super) user: PathBuf,
    /// The data directory of the VS Code server.
    pub(super) server: PathBuf,
    /// The installed extensions.
    pub(super) extensions: PathBuf,
    /// The folder that is opened.
    workspace: PathBuf,
    /// Screenshots.
    shots: PathBuf,
    /// The file in which the tests inside the extension host write their results.
    result: PathBuf,
    /// The root in which VS Code runs, if not that of this machine.
    pub(super) root: Option<Root>,
}

impl Stage {
    /// Creates the folders of a run, without the remains of an earlier run.
    ///
    /// # Errors
    /// If that is not possible.
    pub(super) fn new(editors: &Editors<'_>, run: &str) -> Result<Self, Error> {
        let stage = Self::empty(editors, run)?;
        copy_folder(&editors.source("editors/fixtures"), &stage.workspace)?;
        Ok(stage)
    }

    /// Returns the stage of a run in a root without Rust, which has the examples, and the
    /// downloaded extension there.
    ///
    /// # Errors
    /// If the root cannot be set up.
    pub(super) fn in_root(
        editors: &mut Editors<'_>,
        run: &str,
        packed: &Path,
    ) -> Result<(Self, PathBuf), Stop> {
        let stage = Self::empty(editors, run)?;
        let mut tools = ["vscode", "node"].map(|tool| editors.kept(tool)).to_vec();
        tools.push(editors.source("editors/vscode/out"));
        let place = editors.kept("vscode-run").join(run);
        let root = root::with_examples(editors, &place, &tools)?;
        let downloaded = place.join("admissible.vsix");
        copy_file(packed, &downloaded)?;
        let stage = Self {
            root: Some(root),
            ..stage
        };
        Ok((stage, downloaded))
    }

    fn empty(editors: &Editors<'_>, run: &str) -> Result<Self, Error> {
        let place = editors.kept("vscode-run").join(run);
        if place.exists() {
            fs::remove_dir_all(&place).map_err(|source| Error::io("remove", &place, source))?;
        }
        let stage = Self {
            user: place.join("user"),
            server: place.join("server"),
            extensions: place.join("extensions"),
            workspace: place.join("workspace"),
            shots: place.join("shots"),
            result: place.join("result.jsonl"),
            root: None,
        };
        let settings = stage.user.join("User");
        for folder in [&stage.shots, &stage.server, &settings] {
            fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
        }
        copy_file(
            &editors.source("editors/vscode/test/settings.json"),
            &settings.join("settings.json"),
        )?;
        Ok(stage)
    }

    /// Sets the paths of everything in the environment of a program.
    ///
    /// # Errors
    /// When the extension is not installed.
    pub(super) fn describe(&self, command: &mut Command) -> Result<(), Error> {
        command
            .env("ADMISSIBLE_TEST_WORKSPACE", &self.workspace)
            .env("ADMISSIBLE_TEST_EXTENSION", self.extension()?)
            .env("ADMISSIBLE_TEST_SHOTS", &self.shots)
            .env("ADMISSIBLE_TEST_RESULT", &self.result);
        Ok(())
    }

    /// Returns the folder of the installed extension, whose name ends with its version.
    fn extension(&self) -> Result<PathBuf, Error> {
        let folder = &self.extensions;
        let entries = fs::read_dir(folder).map_err(|source| Error::io("list", folder, source))?;
        let mut folders = entries.filter_map(Result::ok).map(|entry| entry.path());
        let found = folders.find(|path| path.join("package.json").is_file() && is_ours(path));
        found.ok_or_else(|| Error::Failed("VS Code has not installed the extension".into()))
    }
}

fn is_ours(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("admissible.")
}
