//! The extension for Zed, compiled for this machine. Zed itself cannot be run here, and its build
//! for WebAssembly needs a standard library that this machine may lack.

use super::surroundings::{Editors, Stop};
use crate::process;

/// Compiles the extension.
///
/// # Errors
/// If Cargo cannot be run.
pub(super) fn test(editors: &mut Editors<'_>) -> Result<(), Stop> {
    let target = editors.kept("zed");
    let mut cargo = process::cargo(&["check", "--locked", "--quiet", "--target-dir"]);
    cargo
        .arg(target)
        .arg("--manifest-path")
        .arg(editors.source("editors/zed/Cargo.toml"));
    let compiles = editors.step("compile the extension for Zed", |_| {
        Ok(process::run(cargo)?.success())
    })?;
    let name = "the extension for Zed compiles";
    Ok(editors.case(name, compiles, "the errors are above")?)
}
