//! The licenses of the crates that the program contains.
//!
//! Their licenses require that copies carry them. The license files come from the sources of the
//! build; crates with the same license text share it.

use crate::error::Error;
use crate::process;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the licenses of all crates that a build for `target` links.
///
/// # Errors
/// When Cargo fails, or a crate has neither a license file nor an expression.
pub(super) fn of_dependencies(target: &str) -> Result<String, Error> {
    let folders = folders(target)?;
    let mut crates_by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for stamp in linked(target)? {
        let Some((folder, license)) = folders.get(&stamp) else {
            return Err(Error::Failed(format!("cargo metadata has no {stamp}")));
        };
        let texts = texts(folder)?;
        let text = if texts.is_empty() {
            format!("{license}\n")
        } else {
            texts.join("\n")
        };
        crates_by_text.entry(text).or_default().push(stamp);
    }
    let mut sections: Vec<(Vec<String>, String)> = crates_by_text
        .into_iter()
        .map(|(text, crates)| (crates, text))
        .collect();
    sections.sort();
    let sections = sections
        .iter()
        .map(|(crates, text)| format!("{}\n\n{text}", crates.join("\n")));
    Ok(sections.collect::<Vec<_>>().join("\n----\n\n"))
}

/// Returns the linked third-party crates, each as `name version`.
fn linked(target: &str) -> Result<BTreeSet<String>, Error> {
    let mut arguments = vec![
        "tree",
        "--locked",
        "--package",
        "admissible",
        "--target",
        target,
    ];
    arguments.extend(["--edges", "normal", "--prefix", "none", "--no-dedupe"]);
    arguments.extend(["--format", "{p}"]);
    let tree = process::output(process::cargo(&arguments))?;
    // A crate of the workspace is followed by its path.
    let of_others = tree
        .lines()
        .filter(|line| !line.ends_with(')') || line.ends_with("(proc-macro)"));
    let stamps = of_others.filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let version = rest.split(' ').next()?;
        Some(format!("{name} {version}"))
    });
    Ok(stamps.collect())
}

/// Returns the folder and the license expression of each crate in the lock file.
fn folders(target: &str) -> Result<BTreeMap<String, (PathBuf, String)>, Error> {
    let arguments = [
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        target,
    ];
    let metadata: Value = serde_json::from_str(&process::output(process::cargo(&arguments))?)
        .map_err(|error| Error::Failed(format!("cargo metadata printed no JSON: {error}")))?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    let folders = packages.into_iter().flatten().filter_map(|package| {
        let text = |key| package.get(key).and_then(Value::as_str);
        let folder = Path::new(text("manifest_path")?).parent()?.to_path_buf();
        let stamp = format!("{} {}", text("name")?, text("version")?);
        Some((
            stamp,
            (folder, text("license").unwrap_or_default().to_owned()),
        ))
    });
    Ok(folders.collect())
}

/// Returns the license files of a crate, in the order of their names.
fn texts(folder: &Path) -> Result<Vec<String>, Error> {
    let listed = fs::read_dir(folder).map_err(|source| Error::io("list", folder, source))?;
    let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_ascii_uppercase();
        path.is_file()
            && ["LICEN", "COPYING", "NOTICE"]
                .iter()
                .any(|it| name.starts_with(it))
    });
    paths.sort();
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|source| Error::io("read", path, source))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    paths.iter().map(read).collect()
}
