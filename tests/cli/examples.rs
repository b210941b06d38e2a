//! The examples in the README: the good ones are clean, the findings of each bad one are in a
//! snapshot, and the tests of those that have inputs pass.

use crate::project::Project;
use expect_test::expect_file;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples");

/// Policies with inputs.
const TRIED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn files(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(EXAMPLES).join(directory);
    let entries = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    files
}

#[test]
fn good_examples_are_clean() {
    let project = Project::new::<&str>(&[]);
    for file in files("good") {
        let run = project.run(["check".as_ref(), file.as_os_str()]);
        assert_eq!(run.code, 0, "{}", run.stdout);
        assert!(
            run.stdout.starts_with("No findings in 1 file ("),
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("(0 policies)"), "{}", file.display());
    }
}

#[test]
fn bad_examples_have_findings() {
    let project = Project::new::<&str>(&[]);
    for file in files("bad") {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read(&file).unwrap();
        let arguments = ["check", "-", "--stdin-filename", name];
        let run = project.run_with_input(arguments, &text);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{name}");
        let snapshot = format!("examples/{}.txt", name.trim_end_matches(".yaml"));
        expect_file![snapshot].assert_eq(&run.stdout);
    }
}

#[test]
fn the_first_command_of_the_readme_exits_with_0() {
    let run = Project::new::<&str>(&[]).run(["check", EXAMPLES, "--fail-level", "never"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.prints(" errors");
}

#[test]
fn the_examples_with_inputs_try_everything_and_have_no_findings() {
    let project = Project::new::<&str>(&[]);
    let run = project.run(["test", TRIED, "--fail-uncovered", "100"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.contains("\n8 passed in "), "{}", run.stdout);
    let run = project.run(["check", TRIED]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let policy = format!("{TRIED}/require-owner.yaml");
    let name = "a user takes a namespace";
    let run = project.run(["eval", &policy, "--name", name, "--trace"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{}", run.stdout);
}
