//! `cargo xtask release`: the version of the next release, in all files.
//!
//! Cargo, npm and their lock files all contain the version, so one list has all files, and a
//! test compares them.

mod changelog;
#[cfg(test)]
mod tests;
mod version_files;

use crate::error::Error;
use crate::{process, repository};
use clap::Args;
use semver::Version;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Version of the release, such as 0.2.0.
    version: Version,
    /// Change nothing: print the changelog of this release, and fail if a file has another version.
    #[arg(long)]
    notes: bool,
}

/// Changes all files, or prints the notes of a release.
///
/// # Errors
/// If the repository has changes, the version is not newer, or locations disagree.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    let Options { version, notes } = options;
    if *notes {
        let found = version_files::version(&root)?;
        if found != version.to_string() {
            return Err(Error::Failed(format!(
                "the version of the source is {found}"
            )));
        }
        let text = repository::read(&root.join(changelog::FILE))?;
        return Ok(write!(out, "{}", changelog::section(&text, version)?)?);
    }
    let mut status = Command::new("git");
    status.current_dir(&root).args(["status", "--porcelain"]);
    let changes = process::output(status)?;
    if !changes.is_empty() {
        return Err(Error::Failed(format!(
            "commit these changes first:\n{changes}"
        )));
    }
    prepare(&root, version, &today())?;
    writeln!(
        out,
        "All files have version {version}. Read `git diff`, then:\n  \
         git commit --all --message 'release: {version}'\n  \
         git tag v{version}\n  \
         git push origin main v{version}"
    )?;
    Ok(())
}

/// Writes the version and the changelog of a release.
fn prepare(root: &Path, version: &Version, date: &str) -> Result<(), Error> {
    let path = root.join(changelog::FILE);
    let text = repository::read(&path)?;
    let last = changelog::last(&text);
    let source: Version = parse(&version_files::version(root)?)?;
    let is_newer = last.as_ref().is_none_or(|last| version > last) && *version >= source;
    if !is_newer {
        let last = last.unwrap_or(source);
        return Err(Error::Failed(format!("{version} is not newer than {last}")));
    }
    let text = changelog::release(&text, version, date)?;
    version_files::set(root, &version.to_string())?;
    repository::write(&path, &text)
}

/// Returns the version of the source.
///
/// # Errors
/// If files disagree.
pub(crate) fn version(root: &Path) -> Result<String, Error> {
    version_files::version(root)
}

/// Returns the address of the repository, as Cargo.toml has it.
///
/// # Errors
/// When it has none.
pub(crate) fn repository_url(root: &Path) -> Result<String, Error> {
    let manifest: toml::Table = repository::read(&root.join("Cargo.toml"))?
        .parse()
        .map_err(|error| Error::Failed(format!("Cargo.toml: {error}")))?;
    let package = manifest.get("workspace").and_then(|it| it.get("package"));
    let url = package
        .and_then(|it| it.get("repository"))
        .and_then(toml::Value::as_str);
    url.map(str::to_owned)
        .ok_or_else(|| Error::Failed("Cargo.toml has no repository".into()))
}

fn parse(version: &str) -> Result<Version, Error> {
    Version::parse(version).map_err(|error| Error::Failed(format!("{version}: {error}")))
}

/// Returns the date in UTC, such as 2026-01-31.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}
