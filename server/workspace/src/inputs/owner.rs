//! Finding the policy file of an input.

use super::{EXTENSIONS, SUFFIX, TESTS};
use crate::is_manifest;
use evaluation::input;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The names of policy files next to `tests/`, in addition to the name of the policy.
///
/// Upstream: zemanlx/kat, internal/loader/policy.go, isPolicyFile.
const OF_KAT: [&str; 2] = ["policy", "policies"];

/// Returns whether a file is an inputs file by its name or its folder: `policy.inputs.yaml`, a
/// manifest in `policy.inputs/`, or a part of a kat test.
#[must_use]
pub fn is_inputs_file(path: &Path) -> bool {
    let is_named = |name: Option<&OsStr>| {
        let name = name.and_then(OsStr::to_str);
        name.is_some_and(|name| name.ends_with(SUFFIX))
    };
    let folder = path.parent().and_then(Path::file_name);
    let name = path.file_name().and_then(OsStr::to_str);
    is_manifest(path) && (is_named(path.file_stem()) || is_named(folder))
        || name.is_some_and(|name| input::kat_name(name).is_some())
}

/// Returns whether a policy file without comments for this program may include an input, by the
/// names alone: from its own folder or from one in it.
#[must_use]
pub fn may_include(policy_file: &Path, path: &Path) -> bool {
    let mut folders = path.ancestors().skip(1).take(2);
    is_inputs_file(path) && folders.any(|it| Some(it) == policy_file.parent())
}

/// Returns the policy file of an input, by the names alone. `None` if only a comment in the
/// policy file could name the input.
#[must_use]
pub fn policy_of_input(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let of_folder = || {
        let stem = folder.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
        existing(folder.parent()?, stem)
    };
    let of_file = || {
        let stem = path.file_stem()?.to_str()?.strip_suffix(SUFFIX)?;
        existing(folder, stem)
    };
    of_folder()
        .or_else(of_file)
        .or_else(|| of_kat(path, folder))
}

/// Returns the policy file of a kat test: named like the policy, or as in kat.
fn of_kat(path: &Path, folder: &Path) -> Option<PathBuf> {
    let base = input::kat_name(path.file_name()?.to_str()?)?.base;
    let is_tests = folder.file_name() == Some(OsStr::new(TESTS));
    let folder = match folder.parent() {
        Some(parent) if is_tests => parent,
        _ => folder,
    };
    let dots = base.char_indices().rev().filter(|(_, it)| *it == '.');
    let mut names = dots.filter_map(|(dot, _)| base.get(..dot));
    let named = names.find_map(|name| {
        let other = format!("{name}.policy");
        existing(folder, name).or_else(|| existing(folder, &other))
    });
    named.or_else(|| OF_KAT.iter().find_map(|name| existing(folder, name)))
}

fn existing(folder: &Path, stem: &str) -> Option<PathBuf> {
    let mut files = EXTENSIONS.iter().map(|extension| {
        let name = format!("{stem}.{extension}");
        folder.join(name)
    });
    files.find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: bool) {
        let found = may_include(Path::new("/a/p.yaml"), Path::new(path));
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn a_policy_file_includes_inputs_by_their_names() {
        check("/a/p.inputs.yaml", true);
        check("/a/p.inputs/b.yaml", true);
        check("/a/p.pass.object.yaml", true);
        check("/a/tests/p.pass.object.yaml", true);
        check("/a/b.yaml", false);
        check("/a/tests/b.yaml", false);
        check("/b/p.inputs.yaml", false);
        check("/a/b/c/p.inputs.yaml", false);
    }
}
