//! The location of the repository and its files.
//!
//! Tasks run from any folder of it, under Cargo or as a program built before, and must all use the
//! same tree.

use crate::error::Error;
use ignore::WalkBuilder;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the repository.
pub(crate) fn root() -> PathBuf {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .filter(|path| path.ends_with("server/xtask"));
    let folder = manifest.as_deref().unwrap_or(built_in);
    folder.ancestors().nth(2).unwrap_or(folder).to_path_buf()
}

/// Returns every file below `folder` that Git does not ignore, in order, with its path from
/// `folder` written with slashes.
///
/// # Errors
/// When a folder cannot be listed.
pub(crate) fn files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let mut files = Vec::new();
    let walk = WalkBuilder::new(folder)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    for entry in walk {
        let entry = entry.map_err(|error| Error::Failed(format!("cannot list: {error}")))?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.into_path();
        let name = path.strip_prefix(folder).unwrap_or(&path);
        let name = name.to_string_lossy().replace('\\', "/");
        files.push((name, path));
    }
    files.sort();
    Ok(files)
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::io("read", path, error))
}

/// Writes a file, and creates its directory.
///
/// # Errors
/// If that is not possible.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, error))?;
    }
    fs::write(path, text).map_err(|error| Error::io("write", path, error))
}
