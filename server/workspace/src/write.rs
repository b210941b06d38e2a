//! Changing a file of the user.
//!
//! A file is replaced as a whole or not at all, and only if it still has the text that the change
//! was made for: an editor may have saved it in the meantime.

use crate::Error;
use crate::load::read_file;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Limit: names that are tried for the temporary file.
const MAX_NAMES: u32 = 100;

/// Replaces the text `old` of a file with `new`. Its permissions are kept, and a link remains a
/// link.
///
/// # Errors
/// If the file has another text by now, is read-only, or cannot be written.
pub fn replace_file(path: &Path, old: &str, new: &str) -> Result<(), Error> {
    let path = path.canonicalize()?;
    let permissions = path.metadata()?.permissions();
    if permissions.readonly() {
        return Err(Error::Unwritable(io::ErrorKind::PermissionDenied.into()));
    }
    let (temporary, mut file) = temporary(&path).map_err(Error::Unwritable)?;
    let written = file
        .write_all(new.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all());
    drop(file);
    let replaced = written.map_err(Error::Unwritable).and_then(|()| {
        if read_file(&path)? != old {
            return Err(Error::Changed);
        }
        fs::rename(&temporary, &path).map_err(Error::Unwritable)
    });
    if replaced.is_err() {
        // The error of the write is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// Creates a file next to another one: a rename works only within a file system.
fn temporary(path: &Path) -> io::Result<(PathBuf, fs::File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    let mut names =
        (0..MAX_NAMES).map(|n| path.with_file_name(format!(".{name}.{process}-{n}.tmp")));
    names
        .find_map(|path| {
            let created = OpenOptions::new().write(true).create_new(true).open(&path);
            match created {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                created => Some(created.map(|file| (path, file))),
            }
        })
        .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, "old\r\n").unwrap();
        replace_file(&path, "old\r\n", "new\r\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new\r\n");
        assert_eq!(names(folder.path()), ["a.yaml"]);
    }

    #[test]
    fn a_file_that_has_changed_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, "theirs\n").unwrap();
        let error = replace_file(&path, "old\n", "new\n").unwrap_err();
        assert!(matches!(error, Error::Changed), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs\n");
        assert_eq!(names(folder.path()), ["a.yaml"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.yaml"), folder.path().join("b.yaml"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace_file(&link, "old", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
    }

    #[test]
    fn a_read_only_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, "old").unwrap();
        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = replace_file(&path, "old", "new").unwrap_err();
        assert_eq!(error.to_string(), "cannot write: permission denied");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
}
