//! The folders that may govern the files of a folder: itself and those above it.
//!
//! A configuration file applies to everything below it, and a repository is a project. The search
//! for both ends at the repository and at the home folder. It also ends at a folder of another
//! user, and skips a file of another user, since anyone can create `/tmp/admissible.toml`.
//!
//! Upstream: git, setup.c, `ensure_valid_ownership`: a repository of another user is not used.

use ide::CONFIG_FILE;
use std::path::{Path, PathBuf};

/// Returns a folder and the ones above it that may govern it, the nearest first.
pub(crate) fn governing(folder: &Path) -> impl Iterator<Item = &Path> {
    let home = std::env::home_dir();
    let mut is_last = false;
    folder.ancestors().take_while(move |it| {
        let governs = !is_last && (*it == folder || is_trusted(it, folder));
        is_last = it.join(".git").exists() || home.as_deref() == Some(*it);
        governs
    })
}

/// Returns the configuration file of a folder.
pub(crate) fn config_file(folder: &Path) -> Option<PathBuf> {
    governing(folder).find_map(|it| {
        let file = it.join(CONFIG_FILE);
        let governs = file.is_file() && (it == folder || is_trusted(&file, folder));
        governs.then_some(file)
    })
}

/// Returns whether the owner of a path is that of the folder, the user, or the superuser.
#[cfg(unix)]
fn is_trusted(path: &Path, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let owner = |path: &Path| path.symlink_metadata().ok().map(|it| it.uid());
    let is_trusted = |uid| uid == 0 || uid == rustix::process::geteuid().as_raw();
    owner(path).is_none_or(|uid| is_trusted(uid) || owner(folder) == Some(uid))
}

#[cfg(not(unix))]
fn is_trusted(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_search_ends_at_the_repository() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("r/a");
        fs::create_dir_all(&folder).unwrap();
        fs::write(outer.path().join(CONFIG_FILE), "").unwrap();
        assert_eq!(config_file(&folder), Some(outer.path().join(CONFIG_FILE)));
        fs::create_dir(outer.path().join("r/.git")).unwrap();
        assert_eq!(config_file(&folder), None);
        assert_eq!(governing(&folder).count(), 2);
    }

    #[test]
    fn the_search_ends_at_the_home_folder() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(governing(&home).count(), 1);
        assert_eq!(governing(&home.join("a/b")).last(), Some(&*home));
    }

    /// Only the superuser can give a file to another user.
    #[cfg(unix)]
    #[test]
    fn files_and_folders_of_another_user_do_not_govern() {
        use std::os::unix::fs::chown;
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        fs::create_dir_all(&folder).unwrap();
        let config = outer.path().join("a").join(CONFIG_FILE);
        fs::write(&config, "").unwrap();
        let give = |path: &Path| chown(path, Some(54_321), None).is_ok();
        assert_eq!(config_file(&folder), Some(config.clone()));
        if !rustix::process::geteuid().is_root() {
            return;
        }
        assert!(give(&config));
        assert_eq!(config_file(&folder), None);
        assert_eq!(config_file(&outer.path().join("a")), Some(config.clone()));
        fs::write(outer.path().join(CONFIG_FILE), "").unwrap();
        assert!(config_file(&folder).is_some());
        assert!(give(&outer.path().join("a")));
        assert_eq!(config_file(&folder), None);
        // The folder of another user governs itself.
        assert!(give(&folder) && config_file(&folder) == Some(config));
    }
}
