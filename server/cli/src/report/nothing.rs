//! The searched files and kinds, if a run found nothing to do.
//!
//! A wrong directory, an ignored folder and a file without policies look the same in a summary
//! line. These lines tell them apart.

use super::{shown, summary::counted};
use policy::Kind;
use std::path::PathBuf;
use std::sync::Arc;
use workspace::{ConfigCache, find_files, skipped_manifests};

/// The argument for standard input.
const STDIN: &str = "-";

/// Returns where a run has searched, how many files it has found and skipped, and the kinds that it
/// handles. Nothing if it has read only standard input.
pub(crate) fn lines(paths: &[PathBuf], handled: impl Fn(Kind) -> bool) -> Vec<String> {
    let paths = paths.iter().filter(|path| path.as_os_str() != STDIN);
    let paths: Vec<PathBuf> = paths.cloned().collect();
    if paths.is_empty() {
        return Vec::new();
    }
    let kinds = Kind::ALL.into_iter().filter(|kind| handled(*kind));
    let kinds: Vec<&str> = kinds.map(Kind::as_str).collect();
    let kinds = format!("Looked for the kinds {}", kinds.join(", "));
    vec![searched(&paths), kinds]
}

fn searched(paths: &[PathBuf]) -> String {
    let configs = Arc::new(ConfigCache::default());
    let found = counted(find_files(paths, &configs).files.len(), "file", "files");
    let names: Vec<String> = paths.iter().map(|path| shown(path)).collect();
    let names = names.join(", ");
    let mut line = format!("Searched {names} for .yaml, .yml and .json files: {found} found");
    match skipped_manifests(paths, &configs) {
        0 => {}
        skipped => line.push_str(&format!(
            "; {skipped} skipped as hidden, ignored (.gitignore, .ignore) or excluded \
             (admissible.toml)"
        )),
    }
    line
}
