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
fn the_input_lies_beside_the_policy_and_eval_takes_it() {
    let project = Project::new(&[("p.yaml", GOOD)]);
    check(
        &init(&project, &[]),
        0,
        &expect![[r#"
        Wrote p.inputs.yaml with an input for replica-limit. Put in the values that matter, then run `admissible eval p.yaml`.
    "#]],
    );
    let written = fs::read_to_string(project.path().join("p.inputs.yaml")).unwrap();
    expect![[r#"
        object:
          apiVersion: apps/v1
          kind: Deployment
          metadata:
            name: example
            namespace: default
          spec:
            replicas: 1
            selector: {}
            template: {}
        request:
          operation: CREATE
        expect:
          decision: allow
    "#]]
    .assert_eq(&written);
    let run = project.run(["eval", "p.yaml"]);
    check(
        &run,
        0,
        &expect![[r#"
        Deployment default/example (p.inputs.yaml)
        Allowed: CREATE of deployments (apps/v1) by replica-limit (no binding: asked as with the action Deny; cost 4)
        HTTP 201: allowed
    "#]],
    );
}

#[test]
fn a_file_that_is_there_stays_as_it_is() {
    let project = Project::new(&[("p.yaml", GOOD), ("p.inputs.yaml", "mine: 1\n")]);
    check(
        &init(&project, &[]),
        2,
        &expect![[r#"
        error: p.inputs.yaml: the file is there already; --force writes over it, and `-o -` shows the input
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
    assert_eq!(names, ["policy: replica-limit", "policy: other"]);
    let run = init(&project, &["-o", "-", "--policy", "other"]);
    assert_eq!(run.stdout.matches("policy:").count(), 1);
    check(
        &init(&project, &["--policy", "third"]),
        2,
        &expect![[r#"
        error: p.yaml: no policy in the file has the name `third`; there are: replica-limit, other
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
        error: p.yaml: there is no ValidatingAdmissionPolicy and no MutatingAdmissionPolicy in the file
    "#]],
    );
}
