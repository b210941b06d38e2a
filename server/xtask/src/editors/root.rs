//! A root folder like that of a container: packages of Debian, and nothing of this machine.
//!
//! Installed programs run as they do for a user, who has neither Rust nor the libraries that the
//! program was built with.

use super::debian;
use super::surroundings::{Editors, Stop, copy_folder};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The examples of the README, which the tests open.
const EXAMPLES: &[(&str, &str)] = &[
    ("examples", "examples"),
    ("tests/examples", "tests/examples"),
];

/// The release of Debian.
const RELEASE: &str = "trixie";

/// The programs of a user: a shell, tar, Neovim, and the libraries that VS Code needs.
const PACKAGES: &[&str] = &[
    "base-files",
    "dash",
    "coreutils",
    "tar",
    "gzip",
    "libstdc++6",
    "neovim",
];

/// Enters the root: `ENTER ROOT SHARED… -- PROGRAM ARGUMENT…`. A shared folder has its path there,
/// too.
const ENTER: &str = r#"set -e
root=$1
shift
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  shift
done
shift
exec chroot "$root" "$@""#;

/// A root with the home of a user.
pub(super) struct Root {
    folder: PathBuf,
    home: PathBuf,
    shared: Vec<PathBuf>,
}

impl Root {
    /// Sets up a root in which `place` and `tools` have their paths. The home is a new folder in
    /// `place`.
    ///
    /// # Errors
    /// When this is not Linux with user namespaces, or Debian cannot be reached.
    pub(super) fn set_up(
        editors: &mut Editors<'_>,
        place: &Path,
        tools: &[PathBuf],
    ) -> Result<Self, Stop> {
        let folder = editors.kept("root");
        let name = format!("set up a root of Debian {RELEASE}");
        editors.set_up(&name, &folder, RELEASE, || {
            debian::unpack(RELEASE, PACKAGES, &folder)
        })?;
        let home = place.join("home");
        fs::create_dir_all(&home).map_err(|source| Error::io("create", &home, source))?;
        let mut shared = tools.to_vec();
        shared.push(place.to_path_buf());
        let root = Self {
            folder,
            home,
            shared,
        };
        if !crate::process::is_there(root.command("true")) {
            return Err(Stop::Missing(
                "a root folder needs Linux with `unshare` and user namespaces".into(),
            ));
        }
        Ok(root)
    }

    /// Returns the folder of programs in the home.
    pub(super) fn programs(&self) -> PathBuf {
        self.home.join(".local/bin")
    }

    /// Returns the home of the user.
    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Returns whether a program is installed with the packages.
    pub(super) fn has(&self, program: &str) -> bool {
        self.folder.join("usr/bin").join(program).exists()
    }

    /// Returns a program in the root, with no variable but `HOME` and `PATH`. It ends with the
    /// command.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child"]);
        if !debian::is_administrator() {
            command.arg("--map-root-user");
        }
        let path = format!("{}:/usr/bin:/usr/sbin", self.programs().display());
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", path)
            .args(["sh", "-c", ENTER, "enter"])
            .arg(&self.folder)
            .args(&self.shared)
            .arg("--")
            .arg(program);
        command
    }
}

/// Returns a new root with an empty home and the examples.
pub(super) fn with_examples(
    editors: &mut Editors<'_>,
    place: &Path,
    tools: &[PathBuf],
) -> Result<Root, Stop> {
    for (source, to) in EXAMPLES {
        copy_folder(&editors.source(source), &place.join("workspace").join(to))?;
    }
    Root::set_up(editors, place, tools)
}
