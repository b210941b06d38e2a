//! Gathering the files of a tree, and the limits of the search.

use super::{Gathered, ProjectLimits, gather};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const POLICY: &str =
    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n";
const PARAMS: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: limits\n";

fn check(limits: ProjectLimits, known: &str) -> (Vec<String>, bool) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, text) in [
        ("b/policy.yaml", POLICY),
        ("a.yml", PARAMS),
        ("values.yaml", "a: 1\n"),
        ("ignored/policy.yaml", POLICY),
        (".gitignore", "ignored/\n"),
    ] {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    let is_known = |path: &Path| path.ends_with(known);
    let Gathered { files, is_cut } =
        gather(&[root.to_path_buf()], &Arc::default(), limits, &is_known);
    let names = files.iter().map(|file| {
        let name = file.file.strip_prefix(root).unwrap();
        name.to_string_lossy().replace('\\', "/")
    });
    (names.collect(), is_cut)
}

#[test]
fn what_is_of_interest_is_gathered_in_order() {
    let (files, is_cut) = check(ProjectLimits::default(), "nothing");
    assert_eq!(files, ["a.yml", "b/policy.yaml"]);
    assert!(!is_cut);
}

#[test]
fn known_files_are_not_read_again() {
    let (files, _) = check(ProjectLimits::default(), "a.yml");
    assert_eq!(files, ["b/policy.yaml"]);
}

#[test]
fn a_search_that_ends_early_says_so() {
    let limits = ProjectLimits::default();
    let (files, is_cut) = check(ProjectLimits { files: 1, ..limits }, "nothing");
    assert!(is_cut && files.len() <= 1);
    let none = Duration::ZERO;
    let (files, is_cut) = check(
        ProjectLimits {
            time: none,
            ..limits
        },
        "nothing",
    );
    assert!(is_cut && files.is_empty());
    let (files, is_cut) = check(
        ProjectLimits {
            file_size: 9,
            ..limits
        },
        "nothing",
    );
    assert!(!is_cut && files.is_empty());
}
