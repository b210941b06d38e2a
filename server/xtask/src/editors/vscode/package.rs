//! `cargo xtask package-vscode`: one file with the extension and the program, to install.

use super::{install_packages, script_of};
use crate::editors::npm::npm;
use crate::editors::surroundings::{Editors, Stop, quietly};
use std::env::consts::{ARCH, OS};
use std::path::Path;

/// Where the file goes, from the root of the repository.
const FILE: &str = "editors/vscode/admissible.vsix";

/// Builds everything for release and packs it.
///
/// # Errors
/// When something cannot be built.
pub(in crate::editors) fn run(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let extension = editors.source("editors/vscode");
    install_packages(editors, &extension)?;
    script_of(&extension, "build", &["--release"])?;
    let file = editors.source(FILE);
    let program = editors.program.clone();
    pack(&extension, &program, &file, &[])?;
    editors.say(&format!("wrote {FILE}"))?;
    Ok(())
}

/// Packs the built extension with a program.
///
/// # Errors
/// When VS Code does not know this machine, or something cannot be read or written.
pub(super) fn pack(
    extension: &Path,
    program: &Path,
    file: &Path,
    options: &[&str],
) -> Result<(), Stop> {
    let target = platform()
        .ok_or_else(|| Stop::Missing(format!("VS Code has no platform for {OS} on {ARCH}")))?;
    let mut pack = npm(extension, &["run", "--silent", "pack", "--"])?;
    pack.arg(program).arg(target).arg(file).args(options);
    quietly(pack)?;
    Ok(())
}

/// Returns the platform name of VS Code for this machine.
fn platform() -> Option<&'static str> {
    Some(match (OS, ARCH) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("macos", "x86_64") => "darwin-x64",
        ("macos", "aarch64") => "darwin-arm64",
        ("windows", "x86_64") => "win32-x64",
        ("windows", "aarch64") => "win32-arm64",
        _ => return None,
    })
}
