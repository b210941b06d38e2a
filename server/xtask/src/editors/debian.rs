//! Programs from Debian: installed on the machine, or unpacked next to it from a
//! newer release.

use super::surroundings::{Stop, quietly};
use crate::error::Error;
use crate::{process, repository};
use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Debian keeps the keys of its releases.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Installs packages on this machine, if that needs no confirmation.
///
/// # Errors
/// If this is not Debian, the user is not root, or apt fails.
pub(super) fn install(packages: &[&str]) -> Result<(), Stop> {
    if !Path::new("/etc/debian_version").exists() || !is_administrator() {
        return Err(Stop::Missing(format!(
            "{} can only be installed by itself on Debian as root. Install it by hand.",
            packages.join(" and ")
        )));
    }
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    let installed = quietly(apt(&["update", "-qq"], &[]))
        .and_then(|_| quietly(apt(&[&install, packages].concat(), &[])));
    match installed {
        Ok(_) => Ok(()),
        Err(error) => Err(Stop::Missing(format!(
            "{} cannot be installed: {error}",
            packages.join(" and ")
        ))),
    }
}

/// Returns whether this user is root.
pub(super) fn is_administrator() -> bool {
    let id = process::output({
        let mut id = Command::new("id");
        id.arg("-u");
        id
    });
    id.is_ok_and(|id| id.trim() == "0")
}

fn apt(arguments: &[&str], options: &[String]) -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    for option in options {
        apt.args(["-o", option]);
    }
    apt.args(arguments);
    apt
}

/// Unpacks packages of another release, with everything that they need, into `folder`. The
/// machine's own packages are not affected: apt gets a separate state, in which nothing is
/// installed.
///
/// # Errors
/// When this machine has no apt or no mirror of Debian, or apt fails.
pub(super) fn unpack(release: &str, packages: &[&str], folder: &Path) -> Result<(), Stop> {
    let mirror = mirror().ok_or_else(|| {
        Stop::Missing(format!(
            "{} comes from Debian, and this machine has no apt source of Debian",
            packages.join(" and ")
        ))
    })?;
    let state = folder.join("apt");
    for path in ["lists/partial", "archives/partial", "preferences.d"] {
        let path = state.join(path);
        fs::create_dir_all(&path).map_err(|source| Error::io("create", &path, source))?;
    }
    repository::write(&state.join("status"), "")?;
    let source = format!("deb [signed-by={KEYS}] {mirror} {release} main\n");
    repository::write(&state.join("sources.list"), &source)?;
    let options = own_state(&state);
    quietly(apt(&["update", "-qq"], &options))?;
    let download = [
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        "--download-only",
    ];
    quietly(apt(&[&download, packages].concat(), &options))?;
    unpack_all(&state.join("archives"), folder)?;
    Ok(fs::remove_dir_all(&state).map_err(|source| Error::io("remove", &state, source))?)
}

fn own_state(state: &Path) -> Vec<String> {
    let state = state.display();
    vec![
        format!("Dir::State={state}"),
        format!("Dir::State::lists={state}/lists"),
        format!("Dir::State::status={state}/status"),
        format!("Dir::Cache={state}"),
        format!("Dir::Cache::archives={state}/archives"),
        format!("Dir::Etc::sourcelist={state}/sources.list"),
        "Dir::Etc::sourceparts=/dev/null".to_owned(),
        "Dir::Etc::parts=/dev/null".to_owned(),
        format!("Dir::Etc::preferencesparts={state}/preferences.d"),
        "Dir::Etc::preferences=/dev/null".to_owned(),
        "APT::Install-Essential=false".to_owned(),
        "APT::Sandbox::User=root".to_owned(),
        "Acquire::Languages=none".to_owned(),
        "Debug::NoLocking=true".to_owned(),
    ]
}

fn unpack_all(archives: &Path, folder: &Path) -> Result<(), Error> {
    let entries = fs::read_dir(archives).map_err(|it| Error::io("list", archives, it))?;
    for entry in entries {
        let archive = entry.map_err(|it| Error::io("list", archives, it))?.path();
        if archive.extension().is_some_and(|it| it == "deb") {
            let mut unpack = Command::new("dpkg-deb");
            unpack.arg("--extract").arg(&archive).arg(folder);
            quietly(unpack)?;
        }
    }
    Ok(())
}

/// Returns the address of Debian that this machine's apt uses.
fn mirror() -> Option<String> {
    let mut lists = vec![PathBuf::from("/etc/apt/sources.list")];
    let parts = fs::read_dir("/etc/apt/sources.list.d").ok();
    lists.extend(
        parts
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path()),
    );
    lists.sort();
    let texts = lists
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    texts.filter_map(|text| mirror_in(&text)).next()
}

fn mirror_in(sources: &str) -> Option<String> {
    let lines = sources
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    let mirror = words
        .find(|word| word.starts_with("http") && word.trim_end_matches('/').ends_with("/debian"));
    mirror.map(str::to_owned)
}

/// Runs a program of another release of Debian: by its own loader, with its own
/// libraries. Its child processes run with those of the machine.
pub(super) struct Loader {
    libraries: &'static str,
    name: &'static str,
}

impl Loader {
    /// Returns the loader of this kind of machine, if it is known.
    pub(super) fn here() -> Option<Self> {
        let (libraries, name) = match ARCH {
            "x86_64" => ("usr/lib/x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
            "aarch64" => ("usr/lib/aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
            _ => return None,
        };
        cfg!(target_os = "linux").then_some(Self { libraries, name })
    }

    /// Returns the program `name` in the folder of an unpacked release.
    pub(super) fn command(&self, folder: &Path, name: &str) -> Command {
        let libraries = folder.join(self.libraries);
        let program = folder.join("usr/bin").join(name);
        let mut command = Command::new(libraries.join(self.name));
        command
            .arg("--argv0")
            .arg(&program)
            .arg("--library-path")
            .arg(&libraries)
            .arg(&program);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::mirror_in;

    #[test]
    fn both_forms_of_sources_name_the_mirror() {
        let old = "deb [signed-by=/k.gpg] http://a.example/debian bookworm main\n";
        assert_eq!(mirror_in(old).as_deref(), Some("http://a.example/debian"));
        let new = "Types: deb\n# http://old.example/debian/\nURIs: https://b.example/debian/\n";
        assert_eq!(mirror_in(new).as_deref(), Some("https://b.example/debian/"));
    }

    #[test]
    fn other_archives_are_not_the_mirror() {
        let other = "deb http://a.example/debian-security bookworm main\n";
        assert_eq!(mirror_in(other), None);
    }
}
