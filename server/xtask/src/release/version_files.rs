//! The files that have the version.
//!
//! Everything else takes it from these: the wheel and the Nix package from Cargo.toml, the
//! formula and the krew manifest from their templates.

use crate::error::Error;
use crate::repository;
use serde_json::Value;
use std::path::Path;
use toml::Table;

/// A file with the version.
pub(super) struct VersionFile {
    /// Its path from the root of the repository.
    pub(super) path: &'static str,
    form: Form,
}

/// How a file has the version.
enum Form {
    /// TOML, with the version in this table, and not in the same form before it.
    Toml(&'static [&'static str]),
    /// The packages without a source, which are those of the workspace.
    Lock,
    /// JSON, with the version at these pointers, which come before any other `"version"`.
    Json(&'static [&'static str]),
}

/// All files with the version.
pub(super) const VERSION_FILES: &[VersionFile] = &[
    VersionFile {
        path: "Cargo.toml",
        form: Form::Toml(&["workspace", "package"]),
    },
    VersionFile {
        path: "Cargo.lock",
        form: Form::Lock,
    },
    VersionFile {
        path: "editors/vscode/package.json",
        form: Form::Json(&["/version"]),
    },
    VersionFile {
        path: "editors/vscode/package-lock.json",
        form: Form::Json(&["/version", "/packages//version"]),
    },
    VersionFile {
        path: "editors/zed/Cargo.toml",
        form: Form::Toml(&["package"]),
    },
    VersionFile {
        path: "editors/zed/Cargo.lock",
        form: Form::Lock,
    },
    VersionFile {
        path: "editors/zed/extension.toml",
        form: Form::Toml(&[]),
    },
    VersionFile {
        path: "grammars/tree-sitter-cel/tree-sitter.json",
        form: Form::Json(&["/metadata/version"]),
    },
];

/// Returns the version, which all files share.
///
/// # Errors
/// When they disagree, or one cannot be read.
pub(super) fn version(root: &Path) -> Result<String, Error> {
    let mut common: Option<String> = None;
    for file in VERSION_FILES {
        for version in file.versions(root)? {
            let common = common.get_or_insert_with(|| version.clone());
            if *common != version {
                let path = file.path;
                return Err(Error::Failed(format!("{path} has {version}, not {common}")));
            }
        }
    }
    common.ok_or_else(|| Error::Failed("no file has a version".into()))
}

/// Writes the version to all files.
///
/// # Errors
/// When a file cannot be read or written, or has the version in an unexpected form.
pub(super) fn set(root: &Path, new: &str) -> Result<(), Error> {
    let old = version(root)?;
    for file in VERSION_FILES {
        let path = root.join(file.path);
        let text = repository::read(&path)?;
        repository::write(&path, &file.replaced(&text, &old, new))?;
    }
    if version(root)? == new {
        Ok(())
    } else {
        Err(Error::Failed(format!("cannot change {old} to {new}")))
    }
}

impl VersionFile {
    /// Returns every version in the file.
    fn versions(&self, root: &Path) -> Result<Vec<String>, Error> {
        let text = repository::read(&root.join(self.path))?;
        let invalid = |error: String| Error::Failed(format!("{}: {error}", self.path));
        let versions: Vec<Option<String>> = match &self.form {
            Form::Json(pointers) => {
                let json: Value =
                    serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
                let at = |pointer: &&str| Some(json.pointer(pointer)?.as_str()?.to_owned());
                pointers.iter().map(at).collect()
            }
            Form::Toml(path) => {
                let table: Table = text.parse().map_err(|error| invalid(format!("{error}")))?;
                let table = toml::Value::Table(table);
                let mut names = path.iter();
                let table = names.try_fold(&table, |table, name| table.get(name));
                vec![table.and_then(version_of)]
            }
            Form::Lock => {
                let table: Table = text.parse().map_err(|error| invalid(format!("{error}")))?;
                let packages = table.get("package").and_then(toml::Value::as_array);
                let ours = packages.into_iter().flatten();
                let ours = ours.filter(|package| package.get("source").is_none());
                ours.map(version_of).collect()
            }
        };
        let versions: Option<Vec<String>> = versions.into_iter().collect();
        versions.ok_or_else(|| invalid("the version is missing".into()))
    }

    /// Returns the text of the file with another version.
    fn replaced(&self, text: &str, old: &str, new: &str) -> String {
        match &self.form {
            Form::Json(pointers) => {
                let line = |version: &str| format!("\"version\": \"{version}\"");
                text.replacen(&line(old), &line(new), pointers.len())
            }
            Form::Toml(_) => {
                let line = |version: &str| format!("\nversion = \"{version}\"\n");
                text.replacen(&line(old), &line(new), 1)
            }
            Form::Lock => {
                let line = |version: &str| format!("\nversion = \"{version}\"\n");
                let replaced = text.split("[[package]]").map(|package| {
                    if package.contains("\nsource = ") {
                        package.to_owned()
                    } else {
                        package.replacen(&line(old), &line(new), 1)
                    }
                });
                replaced.collect::<Vec<_>>().join("[[package]]")
            }
        }
    }
}

fn version_of(package: &toml::Value) -> Option<String> {
    Some(package.get("version")?.as_str()?.to_owned())
}
