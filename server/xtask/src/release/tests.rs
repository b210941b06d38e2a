//! A release of a copy of the repository.

use super::*;
use expect_test::expect;
use tempfile::TempDir;

/// Returns a copy of the files with the version, with a changelog.
fn copy(changelog: &str) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in version_files::VERSION_FILES {
        let text = repository::read(&repository::root().join(file.path)).unwrap();
        repository::write(&copy.path().join(file.path), &text).unwrap();
    }
    repository::write(&copy.path().join(changelog::FILE), changelog).unwrap();
    copy
}

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

const CHANGELOG: &str =
    "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.0.9 - 2026-01-01\n\n- Old.\n";

#[test]
fn all_files_agree() {
    let root = repository::root();
    assert_eq!(
        version_files::version(&root).unwrap(),
        env!("CARGO_PKG_VERSION")
    );
    let package = repository::read(&root.join("editors/vscode/package.json")).unwrap();
    let url = repository_url(&root).unwrap();
    assert!(package.contains(&format!("\"{url}.git\"")), "{url}");
}

#[test]
fn a_release_changes_all_files_and_the_changelog() {
    let copy = copy(CHANGELOG);
    let before = repository::read(&copy.path().join("Cargo.lock")).unwrap();
    prepare(copy.path(), &version("7.8.9"), "2026-02-03").unwrap();
    assert_eq!(version_files::version(copy.path()).unwrap(), "7.8.9");
    let after = repository::read(&copy.path().join("Cargo.lock")).unwrap();
    let changed = before.lines().zip(after.lines()).filter(|(a, b)| a != b);
    assert_eq!(
        changed.count(),
        after.matches("\nversion = \"7.8.9\"").count()
    );
    let text = repository::read(&copy.path().join(changelog::FILE)).unwrap();
    expect![[r#"
        # Changelog

        ## Unreleased

        ## 7.8.9 - 2026-02-03

        - New.

        ## 0.0.9 - 2026-01-01

        - Old.
    "#]]
    .assert_eq(&text);
    assert_eq!(
        changelog::section(&text, &version("7.8.9")).unwrap(),
        "- New.\n"
    );
    assert_eq!(
        changelog::section(&text, &version("0.0.9")).unwrap(),
        "- Old.\n"
    );
    assert!(changelog::section(&text, &version("1.0.0")).is_err());
}

#[test]
fn a_release_is_newer_and_has_changes() {
    let text = CHANGELOG.replace("0.0.9", "7.0.0");
    for (changelog, wanted, expected) in [
        (text.as_str(), "7.0.0", "7.0.0 is not newer than 7.0.0"),
        (&text, "6.9.0", "6.9.0 is not newer than 7.0.0"),
        (&text, "7.0.0-rc.1", "7.0.0-rc.1 is not newer than 7.0.0"),
        (
            &CHANGELOG.replace("- New.\n", ""),
            "8.0.0",
            "server/CHANGELOG.md has no unreleased change",
        ),
        (
            "# Changelog\n",
            "8.0.0",
            "server/CHANGELOG.md has no line `## Unreleased`",
        ),
    ] {
        let copy = copy(changelog);
        let before = version_files::version(copy.path()).unwrap();
        let error = prepare(copy.path(), &version(wanted), "2026-02-03").unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(version_files::version(copy.path()).unwrap(), before);
    }
}

#[test]
fn the_first_release_may_have_the_version_of_the_source() {
    let copy = copy("# Changelog\n\n## Unreleased\n\n- New.\n");
    let source = version_files::version(copy.path()).unwrap();
    prepare(copy.path(), &version(&source), "2026-02-03").unwrap();
}

#[test]
fn files_that_disagree_are_an_error() {
    let copy = copy(CHANGELOG);
    let file = copy.path().join("editors/vscode/package.json");
    let text = repository::read(&file).unwrap();
    let source = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    repository::write(&file, &text.replacen(&source, "\"version\": \"9.9.9\"", 1)).unwrap();
    let error = version_files::version(copy.path()).unwrap_err().to_string();
    assert!(
        error.starts_with("editors/vscode/package.json has 9.9.9, not "),
        "{error}"
    );
}
