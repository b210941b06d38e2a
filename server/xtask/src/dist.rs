//! `cargo xtask dist`: the program as users install it.
//!
//! Creates an archive for a target, with the program, licenses, completions and man pages, and its
//! checksum. The release workflow runs this on each system; `--test` installs the result as a user
//! would, which finds errors that a test of the built program cannot find, such as a missing file.

mod archive;
mod checksum;
mod install;
mod licenses;
mod pages;
mod templates;
#[cfg(test)]
mod tests;
mod wheel;

use crate::error::Error;
use crate::{process, repository};
use archive::Entry;
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of the results, from the root of the repository.
const FOLDER: &str = "target/dist";

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// The target to build for, such as `aarch64-apple-darwin` [default: the host].
    #[arg(long)]
    target: Option<String>,
    /// Also build the Python wheel, with the `maturin` on PATH.
    #[arg(long)]
    wheel: bool,
    /// Install the archive, and with --wheel the wheel, as a user would, and run the program.
    #[arg(long)]
    test: bool,
    /// Build nothing: fill the templates of packages with the checksums in target/dist.
    #[arg(long, conflicts_with_all = ["target", "wheel", "test"])]
    templates: bool,
}

/// Builds and packs the program, or fills the templates.
///
/// # Errors
/// When something cannot be built, or an installed program does not work.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let root = repository::root();
    let folder = root.join(FOLDER);
    if options.templates {
        return templates::run(&root, &folder, out);
    }
    let target = match &options.target {
        Some(target) => target.clone(),
        None => host()?,
    };
    let program = process::build_for_release(Some(&target), &target)?;
    let name = format!("admissible-{target}");
    let archive = write_archive(&root, &target, &program, &folder)?;
    let sum = checksum::write(&archive)?;
    writeln!(out, "wrote {}\n{sum}", archive.display())?;
    let wheel = options.wheel.then(|| wheel::build(&root, &folder, &target));
    let wheel = wheel.transpose()?;
    if options.test {
        install::test_archive(&root, &archive, &name, out)?;
        match &wheel {
            // The Python of a system with glibc does not install a wheel for musl.
            Some(wheel) if target == host()? => install::test_wheel(&root, wheel, out)?,
            Some(_) => writeln!(out, "not installed: the wheel, which is not for this host")?,
            None => {}
        }
    }
    Ok(())
}

/// Packs a program for this machine into an archive in `folder`. Returns its path.
///
/// # Errors
/// When a file cannot be read or written.
pub(crate) fn pack(program: &Path, folder: &Path) -> Result<PathBuf, Error> {
    write_archive(&repository::root(), &host()?, program, folder)
}

fn write_archive(
    root: &Path,
    target: &str,
    program: &Path,
    folder: &Path,
) -> Result<PathBuf, Error> {
    let name = format!("admissible-{target}");
    let entries = entries(root, &name, target, program)?;
    archive::write(folder, &name, is_windows(target), &entries)
}

/// Returns the target of this machine's compiler.
///
/// # Errors
/// When `rustc` does not name it.
pub(crate) fn host() -> Result<String, Error> {
    let mut rustc = std::process::Command::new("rustc");
    rustc.arg("-vV");
    let about = process::output(rustc)?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Error::Failed("rustc -vV names no host".into()))?;
    Ok(host.to_owned())
}

fn is_windows(target: &str) -> bool {
    target.contains("-windows-")
}

/// Returns the name of the program in an archive, whatever its file is called.
fn program_name(target: &str) -> &'static str {
    if is_windows(target) {
        "admissible.exe"
    } else {
        "admissible"
    }
}

/// Returns the files of an archive, in one folder.
fn entries(root: &Path, name: &str, target: &str, program: &Path) -> Result<Vec<Entry>, Error> {
    let mut entries = vec![Entry {
        path: program_name(target).to_owned(),
        content: read(program)?,
        is_program: true,
    }];
    for page in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
        entries.push(Entry::page(page, read(&root.join(page))?));
    }
    let licenses = licenses::of_dependencies(target)?;
    entries.push(Entry::page("LICENSES-third-party.txt", licenses.into()));
    entries.extend(pages::completions());
    entries.extend(pages::man_pages()?);
    for entry in &mut entries {
        entry.path = format!("{name}/{}", entry.path);
    }
    Ok(entries)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::io("read", path, source))
}
