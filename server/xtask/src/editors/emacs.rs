//! Tests of the configurations on the page for Emacs, for Eglot and lsp-mode, in Emacs.

use super::debian::{self, Loader};
use super::surroundings::{Editors, Stop, copy_folder};
use crate::error::Error;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The packages: Eglot is part of Emacs.
const PACKAGES: &[&str] = &["emacs-nox", "elpa-lsp-mode", "elpa-yaml-mode"];

/// The release of Debian that they come from.
const RELEASE: &str = "forky";

/// The clients that the page configures.
const CLIENTS: [&str; 2] = ["eglot", "lsp-mode"];

/// Installs Emacs in the cache. Returns its folder.
///
/// # Errors
/// If it cannot be set up.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<PathBuf, Stop> {
    let folder = editors.kept("emacs");
    editors.set_up("set up Emacs of Debian", &folder, RELEASE, || {
        debian::unpack(RELEASE, PACKAGES, &folder)
    })?;
    Ok(folder)
}

/// Runs the tests of each client.
///
/// # Errors
/// If Emacs cannot be set up.
pub(super) fn test(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let Some(loader) = Loader::here() else {
        return Err(Stop::Missing("Emacs is only tested on Linux".into()));
    };
    let folder = set_up(editors)?;
    for client in CLIENTS {
        run(editors, &loader, &folder, client)?;
    }
    Ok(())
}

fn run(
    editors: &mut Editors<'_>,
    loader: &Loader,
    folder: &Path,
    client: &str,
) -> Result<(), Stop> {
    let place = editors.kept("emacs-run").join(client);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|source| Error::io("remove", &place, source))?;
    }
    let workspace = place.join("workspace");
    copy_folder(&editors.source("editors/fixtures"), &workspace)?;
    let version = only(&folder.join("usr/share/emacs"), |name| {
        name.starts_with(|first: char| first.is_ascii_digit())
    })?;
    let programs = only(
        &folder.join("usr/libexec/emacs").join(name_of(&version)),
        |_| true,
    )?;
    let dump = only(&programs, |name| name.ends_with(".pdmp"))?;
    let mut lisp = folders(&version.join("lisp"))?;
    lisp.extend(folders(&folder.join("usr/share/emacs/site-lisp/elpa-src"))?);
    let mut emacs = loader.command(folder, "emacs-nox");
    emacs
        .arg(format!("--dump-file={}", dump.display()))
        .args(["--batch", "-Q", "-l"])
        .arg(editors.source("editors/emacs/test/run.el"))
        .arg(client)
        .env("EMACSLOADPATH", joined(&lisp)?)
        .env("EMACSDATA", version.join("etc"))
        .env("EMACSPATH", &programs)
        .env("HOME", &place)
        .env("ADMISSIBLE_TEST_PROGRAM", &editors.program)
        .env("ADMISSIBLE_TEST_WORKSPACE", &workspace)
        .stdin(Stdio::null());
    editors.tests(&format!("Emacs ({client})"), emacs)
}

fn joined(folders: &[PathBuf]) -> Result<OsString, Error> {
    env::join_paths(folders).map_err(|error| Error::Failed(format!("a path has a colon: {error}")))
}

fn name_of(path: &Path) -> &Path {
    path.file_name().map_or(path, Path::new)
}

/// Returns the only entry of a folder with such a name.
fn only(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<PathBuf, Error> {
    let found = entries(folder)?.into_iter().find(|path| {
        let name = path.file_name().map(|it| it.to_string_lossy());
        name.is_some_and(|name| is_wanted(&name))
    });
    found.ok_or_else(|| Error::Failed(format!("{} is not as expected", folder.display())))
}

/// Returns a folder and all folders in it.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = vec![folder.to_path_buf()];
    let mut next = 0;
    while let Some(folder) = found.get(next).cloned() {
        found.extend(entries(&folder)?.into_iter().filter(|it| it.is_dir()));
        next += 1;
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::io("list", folder, source);
    let entries = fs::read_dir(folder).map_err(failed)?;
    entries
        .map(|it| it.map(|entry| entry.path()).map_err(failed))
        .collect()
}
