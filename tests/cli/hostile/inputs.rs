//! Inputs files that are wrong in thousands of places, or that lead out of the project, and deep
//! directories.

use super::{LONGEST, limited};
use crate::project::{GOOD, Project, finish};
use std::time::Instant;

/// The documents with errors.
const ERRORS: usize = 700;

/// The tests that fail.
const FAILURES: usize = 3_000;

#[test]
fn thousands_of_errors_in_one_file() {
    let errors = "---\nexpec: allow\nobjec: {}\n".repeat(ERRORS);
    // A copy of the file for each error would not fit into memory.
    let inputs = errors + &"#\n".repeat(300_000);
    let project = Project::new(&[("p.yaml", GOOD), ("p.inputs.yaml", &inputs)]);
    for arguments in [
        &["test", "p.yaml"][..],
        &["eval", "p.yaml"],
        &["eval", "p.yaml", "--input", "p.inputs.yaml"],
    ] {
        let mut command = limited();
        project.prepare(&mut command);
        let start = Instant::now();
        let run = finish(command.args(arguments).spawn().unwrap(), b"");
        let took = start.elapsed();
        assert!(took < LONGEST, "{arguments:?} {took:?}");
        assert_eq!(run.code, 2, "{arguments:?} {}", run.stderr);
        let shown = run.stderr.matches("| expec: allow").count();
        assert_eq!(shown, ERRORS, "{arguments:?}");
    }
}

#[test]
fn thousands_of_failing_tests_in_one_file() {
    let object = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 9, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}";
    let test = |it| format!("---\nname: t{it}\nexpect: allow\nobject: {object}\n");
    let tests: String = (0..FAILURES).map(test).collect();
    // A copy of the file for each failure would not fit into memory.
    let inputs = tests + &"#\n".repeat(100_000);
    let project = Project::new(&[("p.yaml", GOOD), ("p.inputs.yaml", &inputs)]);
    for format in ["human", "json", "junit", "github"] {
        let mut command = limited();
        project.prepare(&mut command);
        command.args(["test", "p.yaml", "--format", format]);
        let start = Instant::now();
        let run = finish(command.spawn().unwrap(), b"");
        let took = start.elapsed();
        assert!(took < LONGEST, "{format} {took:?}");
        assert_eq!(run.code, 1, "{format} {}", run.stderr);
    }
}

#[test]
fn a_directory_hundreds_of_levels_deep() {
    let path = "d/".repeat(700) + "p.yaml";
    let project = Project::new(&[(path.as_str(), GOOD)]);
    let start = Instant::now();
    let run = project.run(["check"]);
    let took = start.elapsed();
    assert!(took < LONGEST, "{took:?}");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn no_line_of_a_file_outside_of_the_project_is_shown() {
    let project = Project::new(&[("a/p.yaml", GOOD), ("a/admissible.toml", "")]);
    let other = Project::new(&[("secret.yaml", "s3cret: 1\n")]);
    let link = project.path().join("a/p.inputs.yaml");
    std::os::unix::fs::symlink(other.path().join("secret.yaml"), link).unwrap();
    for command in ["test", "eval", "check"] {
        let run = project.run([command, "a/p.yaml"]);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains("s3cret"), "{all}");
        assert_eq!(all.contains("outside the project"), command != "check");
    }
}
