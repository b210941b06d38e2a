//! The Python wheel: the program as a package of PyPI, built by maturin.

use crate::error::Error;
use crate::process;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the wheel for a target into `folder`. Returns its path.
///
/// # Errors
/// When maturin is missing or fails.
pub(super) fn build(root: &Path, folder: &Path, target: &str) -> Result<PathBuf, Error> {
    let wheels = folder.join("wheels").join(target);
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|source| Error::io("remove", &wheels, source))?;
    }
    let mut maturin = Command::new("maturin");
    maturin
        .current_dir(root.join("deploy/python"))
        .args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--target",
            target,
            "--out",
        ])
        .arg(&wheels);
    if !process::run(maturin)?.success() {
        return Err(Error::Failed("maturin cannot build the wheel".into()));
    }
    let listed = fs::read_dir(&wheels).map_err(|source| Error::io("list", &wheels, source))?;
    let wheel = listed.flatten().next().map(|entry| entry.path());
    wheel.ok_or_else(|| Error::Failed("maturin has written no wheel".into()))
}
