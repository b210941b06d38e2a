//! The hooks of pre-commit: the commands in `.pre-commit-hooks.yaml`, run on files as it does.

use crate::project::{GOOD, Project, Run, bad};
use std::fs;

const HOOKS: &str = include_str!("../../.pre-commit-hooks.yaml");

/// Runs the command of a hook.
fn run(project: &Project, hook: &str, files: &[&str]) -> Run {
    let (_, rest) = HOOKS.split_once(&format!("- id: {hook}\n")).unwrap();
    let (_, rest) = rest.split_once("  entry: admissible ").unwrap();
    let entry = rest.lines().next().unwrap().split(' ');
    let hook = rest.split("- id: ").next().unwrap();
    let args = hook.contains("  args: [--]\n").then_some("--");
    let is_given_files = !hook.contains("pass_filenames: false");
    let files = if is_given_files { files } else { &[] };
    project.run(entry.chain(args).chain(files.iter().copied()))
}

#[test]
fn check_fails_on_findings_only() {
    let bad = bad();
    let files = [
        ("good.yaml", GOOD),
        ("bad.yaml", &bad),
        ("web.yaml", "a: 1\n"),
    ];
    let project = Project::new(&files);
    let hook = |files: &[&str]| run(&project, "admissible-check", files).code;
    assert_eq!(hook(&["good.yaml", "web.yaml"]), 0);
    assert_eq!(hook(&["good.yaml", "bad.yaml"]), 1);
}

#[test]
fn a_name_that_begins_with_a_dash_is_a_file() {
    let spaces = GOOD.replace("<=", " <= ");
    let project = Project::new(&[("-x.yaml", spaces)]);
    assert_eq!(run(&project, "admissible-check", &["-x.yaml"]).code, 0);
    assert_eq!(run(&project, "admissible-fmt", &["-x.yaml"]).code, 0);
    let formatted = fs::read_to_string(project.path().join("-x.yaml")).unwrap();
    assert_eq!(formatted, GOOD);
}

#[test]
fn fmt_formats_the_files() {
    let spaces = GOOD.replace("<=", " <= ");
    let project = Project::new(&[("good.yaml", spaces)]);
    assert_eq!(run(&project, "admissible-fmt", &["good.yaml"]).code, 0);
    let formatted = fs::read_to_string(project.path().join("good.yaml")).unwrap();
    assert_eq!(formatted, GOOD);
}

#[test]
fn test_runs_all_tests_of_the_project() {
    let inputs = "expect: deny\nobject:\n  apiVersion: apps/v1\n  kind: Deployment\n  \
                  metadata: {name: a}\n  spec: {replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    let project = Project::new(&[("good.yaml", GOOD), ("good.inputs.yaml", inputs)]);
    let failed = run(&project, "admissible-test", &["other.yaml"]);
    assert_eq!(failed.code, 1, "{}", failed.stdout);
    let project = Project::new(&[("good.yaml", GOOD)]);
    assert_eq!(run(&project, "admissible-test", &[]).code, 0);
}
