//! SHA-256 checksums of archives, in the form that `sha256sum --check` reads.

use crate::error::Error;
use crate::repository;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Writes the checksum of a file next to it, as `FILE.sha256`. Returns its line.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn write(file: &Path) -> Result<String, Error> {
    let content = fs::read(file).map_err(|source| Error::io("read", file, source))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let line = format!("{}  {name}", sha256(&content));
    let mut path = file.as_os_str().to_owned();
    path.push(".sha256");
    repository::write(Path::new(&path), &format!("{line}\n"))?;
    Ok(line)
}

/// Returns the SHA-256 checksum of bytes, in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
