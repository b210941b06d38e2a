//! The folders that a project may read.
//!
//! A comment in a policy file and `schemas` in a configuration name files. Both may come from
//! someone else, as a clone or a pull request, so they must not reach the rest of the disk: not by
//! `..`, not by an absolute path, and not by a symbolic link. What a file may name is in its
//! project, in a folder that the user has opened in the editor, or below the working directory of a
//! command.

pub use ide::CONFIG_FILE;

use crate::Error;
use crate::ancestors::{config_file, governing};
use crate::load::read_file;
use std::path::{Component, Path, PathBuf};

/// The folders that a project may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// As they are spelled, and with links resolved.
    folders: Vec<PathBuf>,
}

impl Roots {
    /// Returns the folders of the user, to which each project adds its own.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut roots = Self::default();
        folders.into_iter().for_each(|folder| roots.add(&folder));
        roots
    }

    /// Returns the working directory of the process.
    #[must_use]
    pub fn from_working_directory() -> Self {
        Self::new(std::env::current_dir().ok())
    }

    /// Returns the file that a file in `folder` names by a path. `None` if it is missing, not a
    /// regular file, or outside the folders that it may name.
    #[must_use]
    pub fn named(&self, folder: &Path, path: &Path) -> Option<PathBuf> {
        let path = joined(folder, path);
        let is_allowed = self.with_folder(folder).check(&path).is_ok();
        (is_allowed && path.is_file()).then_some(path)
    }

    /// Returns the text of a file that a file in `folder` names, or that is found near it. Every
    /// file that no argument of the user names is read here.
    ///
    /// # Errors
    /// [`Error::Outside`], and if the file cannot be read as UTF-8 text.
    pub fn read_near(&self, folder: &Path, path: &Path) -> Result<String, Error> {
        self.with_folder(folder).read(path)
    }

    /// Returns the text of a file in one of the folders.
    ///
    /// # Errors
    /// As [`Self::read_near`].
    pub(crate) fn read(&self, path: &Path) -> Result<String, Error> {
        self.check(path)?;
        read_file(path)
    }

    /// Returns the folders that the files in `folder` may name.
    pub(crate) fn with_folder(&self, folder: &Path) -> Self {
        let folder = absolute(folder);
        let mut roots = self.clone();
        roots.add(project(&folder));
        roots.add(&folder);
        roots
    }

    /// Checks that a path is in one of the folders, after following its links.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(crate) fn check(&self, path: &Path) -> Result<(), Error> {
        let path = absolute(path);
        // A path that is lexically outside is not looked up at all.
        let is_inside = |path: &Path| self.folders.iter().any(|folder| path.starts_with(folder));
        let mut existing = path.ancestors().filter_map(|it| it.canonicalize().ok());
        if is_inside(&path) && existing.next().is_none_or(|real| is_inside(&real)) {
            Ok(())
        } else {
            Err(Error::Outside)
        }
    }

    fn add(&mut self, folder: &Path) {
        let real = folder.canonicalize().ok();
        for folder in [Some(absolute(folder)), real].into_iter().flatten() {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
    }
}

/// Returns the directory of the project that contains a folder: its repository, otherwise the
/// directory of its configuration file, otherwise the folder itself.
fn project(folder: &Path) -> &Path {
    let repository = governing(folder).find(|it| it.join(".git").exists());
    let file = config_file(folder);
    let configured =
        || governing(folder).find(|it| file.as_deref().and_then(Path::parent) == Some(*it));
    repository.or_else(configured).unwrap_or(folder)
}

/// Returns the absolute path without `.` and `..`.
fn absolute(path: &Path) -> PathBuf {
    // The directory of a path without one is empty.
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    joined(Path::new(""), &absolute)
}

/// Joins a folder and a path, and resolves `.` and `..` by their spelling.
pub(crate) fn joined(folder: &Path, path: &Path) -> PathBuf {
    let mut joined = folder.to_path_buf();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(joined.components().next_back(), Some(Component::Normal(_))) =>
            {
                joined.pop();
            }
            other => joined.push(other),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_path_stays_in_the_project() {
        let outer = tempfile::tempdir().unwrap();
        let project = outer.path().join("project");
        fs::create_dir_all(project.join("a/b")).unwrap();
        fs::write(project.join(CONFIG_FILE), "").unwrap();
        fs::write(outer.path().join("secret"), "").unwrap();
        let roots = Roots::default().with_folder(&project.join("a"));
        let allows = |path: &str| roots.check(&project.join("a").join(path)).is_ok();
        assert!(allows("b") && allows("../c/../missing.yaml") && allows("b/./new/file"));
        assert!(!allows("../../secret") && !allows("../../project2/x") && !allows("/etc/passwd"));
        let opened = Roots::new([outer.path().to_path_buf()]).with_folder(&project);
        assert!(opened.check(&outer.path().join("secret")).is_ok());
    }

    #[test]
    fn the_directory_of_a_bare_name_is_the_working_directory() {
        let roots = Roots::default().with_folder(Path::new(""));
        assert!(roots.check(Path::new("a.yaml")).is_ok());
        assert!(roots.check(Path::new("/etc/passwd")).is_err());
    }

    #[test]
    fn a_repository_is_a_project() {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir_all(outer.path().join("r/.git")).unwrap();
        fs::create_dir_all(outer.path().join("r/a")).unwrap();
        fs::write(outer.path().join("r/a").join(CONFIG_FILE), "").unwrap();
        let roots = Roots::default().with_folder(&outer.path().join("r/a"));
        assert!(roots.check(&outer.path().join("r/crds")).is_ok());
        assert!(roots.check(&outer.path().join("crds")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_leave_the_project() {
        let outer = tempfile::tempdir().unwrap();
        let project = outer.path().join("project");
        fs::create_dir_all(project.join("a")).unwrap();
        let link = |target: &Path, name: &str| {
            std::os::unix::fs::symlink(target, project.join(name)).unwrap();
        };
        link(outer.path(), "out");
        link(&project.join("a"), "in");
        let roots = Roots::default().with_folder(&project);
        assert!(roots.check(&project.join("in/x")).is_ok());
        assert!(roots.check(&project.join("out")).is_err());
        assert!(roots.check(&project.join("out/project/a")).is_ok());
        assert!(roots.check(&project.join("out/missing")).is_err());
    }
}
