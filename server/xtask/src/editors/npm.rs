//! Programs from npm packages.

use super::surroundings::{Stop, quietly};
use crate::error::Error;
use crate::process;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A package in one version, with the checksum of its archive.
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) integrity: &'static str,
}

/// Returns npm in a folder.
///
/// # Errors
/// When this machine has no npm.
pub(super) fn npm(folder: &Path, arguments: &[&str]) -> Result<Command, Stop> {
    if !process::is_there(process::npm(&["--version"])) {
        return Err(Stop::Missing(
            "there is no npm. Install Node.js 20 or newer.".into(),
        ));
    }
    let mut npm = process::npm(arguments);
    npm.current_dir(folder);
    Ok(npm)
}

impl Package {
    /// Returns the stamp of a directory with the package.
    pub(super) fn stamp(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// Unpacks `part` of the package, a file or a folder, to `to` in `folder`.
    ///
    /// # Errors
    /// When it cannot be downloaded, or its checksum differs.
    pub(super) fn unpack(&self, part: &str, folder: &Path, to: &str) -> Result<(), Stop> {
        fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
        let pack = npm(folder, &["pack", "--json", &self.stamp()])?;
        let archive = self.archive(&quietly(pack)?)?;
        let inside = format!("package/{part}");
        let mut tar = Command::new("tar");
        tar.current_dir(folder).args(["-xzf", &archive, &inside]);
        quietly(tar)?;
        let (from, to) = (folder.join(&inside), folder.join(to));
        fs::rename(&from, &to).map_err(|source| Error::io("move", &from, source))?;
        for left in [folder.join("package"), folder.join(&archive)] {
            let removed = if left.is_dir() {
                fs::remove_dir_all(&left)
            } else {
                fs::remove_file(&left)
            };
            removed.map_err(|source| Error::io("remove", &left, source))?;
        }
        Ok(())
    }

    /// Returns the name of the archive, from the output of npm.
    fn archive(&self, printed: &str) -> Result<String, Error> {
        let packed: serde_json::Value = serde_json::from_str(printed)
            .map_err(|error| Error::Failed(format!("npm pack printed no JSON: {error}")))?;
        let text = |key: &str| {
            packed
                .pointer(&format!("/0/{key}"))
                .and_then(|it| it.as_str())
        };
        if text("integrity") != Some(self.integrity) {
            return Err(Error::Failed(format!(
                "{} is not the archive that it was: its checksum is {}",
                self.stamp(),
                text("integrity").unwrap_or("not known")
            )));
        }
        let archive = text("filename").map(str::to_owned);
        archive.ok_or_else(|| Error::Failed("npm pack names no archive".into()))
    }
}
