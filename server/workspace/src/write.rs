//! Changing a file of the user.
//!
//! A file is replaced as a whole or not at all, and only if it still has the text that the change
//! was made for: an editor may have saved it in the meantime.

use crate::Error;
use crate::load::read_file;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Limit: the age of a temporary file that a run may still write. A write takes less than a second;
/// a run that is killed leaves its file.
const MAX_AGE: Duration = Duration::from_secs(60);

/// Replaces the text `old` of a file with `new`. Its permissions are kept, its owner too if the
/// system permits it, and a link remains a link.
///
/// # Errors
/// If the file has another text by now, is read-only, or cannot be written.
pub fn replace_file(path: &Path, old: &str, new: &str) -> Result<(), Error> {
    let path = path.canonicalize()?;
    let metadata = path.metadata()?;
    if metadata.permissions().readonly() {
        return Err(Error::Unwritable(io::ErrorKind::PermissionDenied.into()));
    }
    let temporary = temporary_name(&path);
    let mut file = create(&temporary).map_err(Error::Unwritable)?;
    let written = file
        .write_all(new.as_bytes())
        .and_then(|()| file.set_permissions(permissions(&file, &metadata)))
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

/// Returns the name of a file next to another one: a rename works only within a file system.
fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.admissible.tmp"))
}

/// Creates a file that only its owner can read, and removes the one that a killed run has left.
fn create(path: &Path) -> io::Result<File> {
    let age = path.symlink_metadata().and_then(|it| it.modified());
    let age = age.ok().and_then(|it| it.elapsed().ok());
    if age.is_some_and(|age| age > MAX_AGE) {
        fs::remove_file(path)?;
    }
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

/// Gives a file to the owner of another one. Returns the permissions for it: those of the other
/// one, without those of its group if that could not be kept.
#[cfg(unix)]
fn permissions(file: &File, of: &Metadata) -> Permissions {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mut permissions = of.permissions();
    let is_kept = fchown(file, Some(of.uid()), Some(of.gid()))
        .or_else(|_| fchown(file, None, Some(of.gid())))
        .is_ok();
    if !is_kept {
        permissions.set_mode(permissions.mode() & !0o070);
    }
    permissions
}

#[cfg(not(unix))]
fn permissions(_: &File, of: &Metadata) -> Permissions {
    of.permissions()
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

    #[test]
    fn the_file_of_a_killed_run_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, "old").unwrap();
        let left = File::create(temporary_name(&path)).unwrap();
        let error = replace_file(&path, "old", "new").unwrap_err();
        assert!(matches!(error, Error::Unwritable(_)), "{error}");
        let old = std::time::SystemTime::now() - 2 * MAX_AGE;
        left.set_modified(old).unwrap();
        replace_file(&path, "old", "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.yaml"]);
    }

    /// Only the superuser can give a file to another user.
    #[cfg(unix)]
    #[test]
    fn the_owner_stays_and_no_other_user_reads_an_incomplete_file() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        let incomplete = create(&path).unwrap();
        assert_eq!(
            incomplete.metadata().unwrap().permissions().mode() & 0o777,
            0o600
        );
        if chown(&path, Some(54_321), Some(54_321)).is_ok() {
            replace_file(&path, "", "new").unwrap();
            let metadata = path.metadata().unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (54_321, 54_321));
        }
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
