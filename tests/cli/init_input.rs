//! `init-input`: a policy in, a first input beside it.

use crate::project::{GOOD, Project, Run};
use expect_test::{Expect, expect};
use std::fs;

fn init(project: &Project, arguments: &[&str]) -> Run {
    project.run(["init-input", "p.yaml"].iter().chain(arguments))
}

#[track_caller]
fn check(run: &Run, code: i32, expected: &Expect) {
    expected.assert_eq(&format!("{}{}", run.stdout, run.stderr));
    assert_eq!(run.code, code);
}

#[test]
fn the_inputs_are_beside_the_policy_and_pass() {
    let project = Project::new(&[("p.yaml", GOOD)]);
    check(
        &init(&project, &[]),
        0,
        &expect![[r#"
        Wrote p.inputs.yaml with inputs for replica-limit. Change the values that matter, then run `admissible test p.yaml`.
    "#]],
    );
    let written = fs::read_to_string(project.path().join("p.inputs.yaml")).unwrap();
    let of_keys = |key: &str| {
        let lines = written.lines().filter(|it| it.trim().starts_with(key));
        lines.map(str::trim).collect::<Vec<_>>()
    };
    assert_eq!(of_keys("decision:"), ["decision: allow", "decision: deny"]);
    assert_eq!(of_keys("replicas:"), ["replicas: 6"]);
    let run = project.run(["test", "p.yaml"]);
    run.prints("2 passed");
    assert_eq!(run.code, 0);
}

#[test]
fn a_file_that_is_there_stays_as_it_is() {
    let project = Project::new(&[("p.yaml", GOOD), ("p.inputs.yaml", "mine: 1\n")]);
    check(
        &init(&project, &[]),
        2,
        &expect![[r#"
        error: p.inputs.yaml: the file already exists; overwrite it with --force, or print the input with `-o -`
    "#]],
    );
    let kept = fs::read_to_string(project.path().join("p.inputs.yaml")).unwrap();
    assert_eq!(kept, "mine: 1\n");
    assert_eq!(init(&project, &["--force"]).code, 0);
    let written = fs::read_to_string(project.path().join("p.inputs.yaml")).unwrap();
    assert_ne!(written, "mine: 1\n");
}

#[test]
fn each_policy_of_a_file_has_its_own() {
    let other = GOOD.replace("name: replica-limit", "name: other");
    let both = format!("{GOOD}---\n{other}");
    let project = Project::new(&[("p.yaml", both.as_str())]);
    let run = init(&project, &["-o", "-"]);
    let names: Vec<_> = run
        .stdout
        .lines()
        .filter(|it| it.starts_with("policy:"))
        .collect();
    let [limit, other] = ["policy: replica-limit", "policy: other"];
    assert_eq!(names, [limit, limit, other, other]);
    let run = init(&project, &["-o", "-", "--policy", "other"]);
    assert_eq!(run.stdout.matches("policy:").count(), 2);
    check(
        &init(&project, &["--policy", "third"]),
        2,
        &expect![[r#"
            error: p.yaml: no policy in the file is named `third`; available: replica-limit, other
        "#]],
    );
}

#[test]
fn a_file_without_a_policy_says_so() {
    let project = Project::new(&[("p.yaml", "a: 1\n")]);
    check(
        &init(&project, &[]),
        2,
        &expect![[r#"
            error: p.yaml: the file has no policy and no CustomResourceDefinition
        "#]],
    );
}

#[test]
fn a_denied_input_that_is_not_found_is_named() {
    let policy = GOOD.replace("object.spec.replicas <= 5", "1 == 1");
    let project = Project::new(&[("p.yaml", policy)]);
    let run = project.run(["init-input", "p.yaml"]);
    assert_eq!(run.code, 0);
    run.prints("No input that replica-limit denies was found: write one.");
    let inputs = std::fs::read_to_string(project.path().join("p.inputs.yaml")).unwrap();
    assert!(
        inputs.ends_with("# No input that the policy denies was found.\n"),
        "{inputs}"
    );
}
