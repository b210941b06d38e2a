//! Tests of the configuration on the page for Helix, as Helix reads it: the server, the grammar,
//! the queries.
//!
//! Helix cannot be run without a terminal, so its own report on a language is compared.

use super::debian::{self, Loader};
use super::grammar;
use super::surroundings::{Editors, Stop, block, copy_file, copy_folder, quietly};
use crate::error::Error;
use crate::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// The release of Debian that it comes from.
const RELEASE: &str = "forky";

/// The lines that the report of a language must have.
const REPORTS: [(&str, &[&str]); 2] = [
    ("yaml", &["✓ admissible:"]),
    (
        "cel",
        &[
            "Tree-sitter parser: ✓",
            "Highlight queries: ✓",
            "Indent queries: ✓",
        ],
    ),
];

/// Installs Helix in the cache. Returns its folder.
///
/// # Errors
/// If it cannot be set up.
pub(super) fn set_up(editors: &mut Editors<'_>) -> Result<PathBuf, Stop> {
    let folder = editors.kept("helix");
    editors.set_up("set up Helix of Debian", &folder, RELEASE, || {
        debian::unpack(RELEASE, &["hx"], &folder)
    })?;
    Ok(folder)
}

/// Compares the reports.
///
/// # Errors
/// If Helix cannot be set up.
pub(super) fn test(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let Some(loader) = Loader::here() else {
        return Err(Stop::Missing("Helix is only tested on Linux".into()));
    };
    let folder = set_up(editors)?;
    let grammar = grammar::set_up(editors)?;
    let place = editors.kept("helix-run");
    configure(editors, &place, &grammar.parsers)?;
    for (language, lines) in REPORTS {
        let mut helix = loader.command(&folder, "hx");
        helix
            .args(["--health", language])
            .env("HELIX_RUNTIME", folder.join("usr/lib/hx/runtime"))
            .env("XDG_CONFIG_HOME", &place)
            .env("XDG_CACHE_HOME", &place)
            .env("PATH", editors.program.parent().unwrap_or(&folder));
        let report = plain(&quietly(helix)?);
        for line in lines {
            let name = format!("Helix, {language}: {line}");
            editors.case(&name, report.contains(line), &report)?;
        }
    }
    Ok(())
}

/// Writes the configuration of the page and copies what it refers to.
fn configure(editors: &Editors<'_>, place: &Path, parsers: &Path) -> Result<(), Stop> {
    if place.exists() {
        fs::remove_dir_all(place).map_err(|source| Error::io("remove", place, source))?;
    }
    let page = repository::read(&editors.source("editors/helix/README.md"))?;
    let config = place.join("helix");
    repository::write(&config.join("languages.toml"), block(&page, "toml")?)?;
    let runtime = config.join("runtime");
    copy_folder(
        &editors.source("editors/helix/queries/cel"),
        &runtime.join("queries/cel"),
    )?;
    let grammars = runtime.join("grammars");
    fs::create_dir_all(&grammars).map_err(|source| Error::io("create", &grammars, source))?;
    Ok(copy_file(
        &parsers.join("cel.so"),
        &grammars.join("cel.so"),
    )?)
}

/// Returns a string without colors.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |plain, part| {
        plain + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}
