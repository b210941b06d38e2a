//! `cargo xtask package-vscode`: the extension as a file to install, with or without the program.

use super::{install_packages, script_of};
use crate::editors::npm::npm;
use crate::editors::surroundings::{Editors, Stop, quietly};
use crate::error::Error;
use clap::Args;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use zip::{ZipArchive, ZipWriter};

/// The output folder, from the root of the repository.
const FOLDER: &str = "editors/vscode";

/// The level of compression: 5 iterations of Zopfli, after the 9 levels of other encoders. More
/// iterations save less than 0.1 %.
const ZOPFLI: i64 = 9 + 5;

/// The bytes that Zopfli divides into blocks at once. It makes at most 15 of them, so more bytes
/// make larger blocks, which fit their content worse.
const BLOCKS: usize = 1 << 20;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Pack this program instead of a new build for this machine.
    #[arg(long, requires = "target")]
    pub(in crate::editors) program: Option<PathBuf>,
    /// The platform of VS Code that the program is for, such as `linux-arm64`.
    #[arg(long, requires = "program")]
    target: Option<String>,
    /// Pack no program. The extension then runs the one on PATH, on every platform.
    #[arg(long, conflicts_with = "program")]
    pub(in crate::editors) without_program: bool,
}

/// A program and the platform of VS Code that it is for.
pub(super) struct Bundled<'a> {
    pub(super) program: &'a Path,
    pub(super) target: &'a str,
}

/// Builds the extension for release and packs it.
///
/// # Errors
/// When something cannot be built.
pub(in crate::editors) fn run(editors: &mut Editors<'_>, options: &Options) -> Result<(), Stop> {
    let extension = editors.source(FOLDER);
    install_packages(editors, &extension)?;
    script_of(&extension, "build", &["--release"])?;
    let program = editors.program.clone();
    let (name, bundled) = match &options.target {
        Some(target) => (format!("admissible-{target}.vsix"), Some(target.as_str())),
        None if options.without_program => ("admissible-universal.vsix".to_owned(), None),
        None => ("admissible.vsix".to_owned(), Some(platform()?)),
    };
    let bundled = bundled.map(|target| Bundled {
        program: &program,
        target,
    });
    pack_for_release(&extension, bundled.as_ref(), &extension.join(&name))?;
    editors.print_line(&format!("wrote {FOLDER}/{name}"))?;
    Ok(())
}

/// Packs the built extension as small as its format allows, which takes half a minute.
///
/// # Errors
/// As [`pack`].
pub(super) fn pack_for_release(
    extension: &Path,
    bundled: Option<&Bundled<'_>>,
    file: &Path,
) -> Result<(), Stop> {
    pack(extension, bundled, file)?;
    let packed = fs::read(file).map_err(|source| Error::io("read", file, source))?;
    let smaller = shrink(&packed).map_err(|source| Error::io("compress", file, source))?;
    Ok(fs::write(file, smaller).map_err(|source| Error::io("write", file, source))?)
}

/// Returns a ZIP archive with the same files, compressed by Zopfli.
fn shrink(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut from = ZipArchive::new(Cursor::new(packed))?;
    let mut to = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let mut file = from.by_index(index)?;
        let options = file.options().compression_level(Some(ZOPFLI));
        let options = options.with_zopfli_buffer(Some(BLOCKS));
        to.start_file(file.name()?, options)?;
        io::copy(&mut file, &mut to)?;
    }
    Ok(to.finish()?.into_inner())
}

/// Packs the built extension.
///
/// # Errors
/// When the extension does not fit the rules of the Marketplace, or a file cannot be
/// read or written.
pub(super) fn pack(
    extension: &Path,
    bundled: Option<&Bundled<'_>>,
    file: &Path,
) -> Result<(), Stop> {
    let mut pack = npm(extension, &["run", "--silent", "pack", "--"])?;
    pack.arg(file);
    if let Some(Bundled { program, target }) = bundled {
        pack.arg(target).arg(program);
    }
    quietly(pack)?;
    Ok(())
}

/// Returns the platform name of VS Code for this machine.
///
/// # Errors
/// If VS Code has none.
pub(super) fn platform() -> Result<&'static str, Stop> {
    Ok(match (OS, ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        ("windows", "x86_64") => "win32-x64",
        ("windows", "aarch64") => "win32-arm64",
        _ => {
            let missing = format!("VS Code has no platform for {OS} on {ARCH}");
            return Err(Stop::Missing(missing));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use zip::write::SimpleFileOptions;

    #[test]
    fn a_shrunk_archive_has_the_same_files() {
        let content = "resources: [deployments]\n".repeat(100);
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().unix_permissions(0o755);
        archive.start_file("server/admissible", options).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
        let packed = archive.finish().unwrap().into_inner();

        let smaller = shrink(&packed).unwrap();

        assert!(smaller.len() < packed.len());
        let mut archive = ZipArchive::new(Cursor::new(smaller)).unwrap();
        let mut file = archive.by_index(0).unwrap();
        assert_eq!(file.name().unwrap(), "server/admissible");
        assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o755));
        let mut read = String::new();
        file.read_to_string(&mut read).unwrap();
        assert_eq!(read, content);
    }
}
