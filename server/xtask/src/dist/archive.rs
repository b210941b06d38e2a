//! Archives of one folder: `.tar.gz`, and `.zip` for Windows.
//!
//! They are identical for identical files: without times and users, and in a fixed order.

use crate::error::Error;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// A file in an archive.
pub(super) struct Entry {
    /// Its path in the archive, with slashes.
    pub(super) path: String,
    pub(super) content: Vec<u8>,
    pub(super) is_program: bool,
}

impl Entry {
    /// Returns a file that is read.
    pub(super) fn page(path: impl Into<String>, content: Vec<u8>) -> Self {
        Self {
            path: path.into(),
            content,
            is_program: false,
        }
    }

    /// Returns the permissions on Unix.
    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Writes `name.tar.gz` or `name.zip` to `folder`. Returns its path.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(
    folder: &Path,
    name: &str,
    is_zip: bool,
    entries: &[Entry],
) -> Result<PathBuf, Error> {
    fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, source))?;
    let end = if is_zip { "zip" } else { "tar.gz" };
    let path = folder.join(format!("{name}.{end}"));
    let written = File::create(&path).and_then(|file| {
        if is_zip {
            zip(file, entries)
        } else {
            tar(file, entries)
        }
    });
    written.map_err(|source| Error::io("write", &path, source))?;
    Ok(path)
}

fn tar(file: File, entries: &[Entry]) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.content.len() as u64);
        header.set_mode(entry.mode());
        archive.append_data(&mut header, &entry.path, entry.content.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()
}

fn zip(file: File, entries: &[Entry]) -> io::Result<()> {
    let mut archive = zip::ZipWriter::new(file);
    for entry in entries {
        let options = SimpleFileOptions::default().unix_permissions(entry.mode());
        archive.start_file(&entry.path, options)?;
        archive.write_all(&entry.content)?;
    }
    archive.finish()?.flush()
}
