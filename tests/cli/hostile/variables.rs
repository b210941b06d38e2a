//! Variables in chains, depths and widths far beyond what a cluster has, in every command.

use super::{LONGEST, limited};
use crate::project::{Project, finish};
use std::fmt::Write as _;
use std::time::Instant;

const OBJECT: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}\n";

/// A policy with these variables, which ends with the values of the last one.
fn policy(kind: &str, variables: &[String], rest: &str) -> String {
    let mut text = format!(
        "apiVersion: admissionregistration.k8s.io/v1
kind: {kind}AdmissionPolicy
metadata: {{name: a.example.com}}
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}
  variables:
"
    );
    for (index, variable) in variables.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: v{index}, expression: \"{variable}\"}}");
    }
    text + rest
}

/// A chain in which each variable is made of the one before.
fn chain(first: &str, length: usize, next: impl Fn(usize) -> String) -> Vec<String> {
    let rest = (1..length).map(|it| next(it - 1));
    [first.to_owned()].into_iter().chain(rest).collect()
}

fn validating(variables: &[String]) -> String {
    let last = variables.len() - 1;
    let rest = format!(
        "  validations:\n  - expression: variables.v{last} == variables.v{last}\n    \
         messageExpression: string(variables.v{last} == variables.v0)\n"
    );
    policy("Validating", variables, &rest)
}

/// Runs every command, of which each must end with an answer.
#[track_caller]
fn run_all(policy: &str) {
    let inputs = format!("expect: allow\nobject: {OBJECT}");
    run_on(policy, &inputs, OBJECT);
}

/// The same with other inputs and another object.
#[track_caller]
pub(super) fn run_on(policy: &str, inputs: &str, object: &str) {
    let files = [
        ("a.yaml", policy),
        ("a.inputs.yaml", inputs),
        ("object.yaml", object),
    ];
    let project = Project::new(&files);
    for arguments in [
        &["check", "a.yaml"][..],
        &["fmt", "--check", "a.yaml"],
        &["eval", "a.yaml", "--object", "object.yaml", "--trace"],
        &[
            "eval",
            "a.yaml",
            "--object",
            "object.yaml",
            "--trace",
            "--format",
            "json",
        ],
        &["test", "a.yaml", "--coverage"],
        &["replay", "a.yaml", "object.yaml"],
        &["init-input", "a.yaml", "-o", "-"],
    ] {
        let mut command = limited();
        project.prepare(&mut command);
        command.env("RAYON_NUM_THREADS", "2").args(arguments);
        let start = Instant::now();
        let run = finish(command.spawn().unwrap(), b"");
        let took = start.elapsed();
        assert!(took < LONGEST, "{arguments:?} {took:?}");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert!((0..=2).contains(&run.code), "{arguments:?} {run:?}");
        assert!(run.stdout.len() < 20_000_000, "{arguments:?}");
    }
}

#[test]
fn long_chains() {
    let next = |it| format!("variables.v{it} + 1");
    run_all(&validating(&chain("1", 1000, next)));
    let (open, close) = ("(".repeat(200), ")".repeat(200));
    let next = |it| format!("{open}variables.v{it}{close}");
    run_all(&validating(&chain("1", 100, next)));
}

#[test]
fn the_error_of_a_chain_names_its_ends() {
    let next = |it| format!("variables.v{it} + 1");
    let policy = validating(&chain("object.none", 400, next));
    let project = Project::new(&[("a.yaml", &*policy), ("object.yaml", OBJECT)]);
    let run = project.run([
        "eval",
        "a.yaml",
        "--object",
        "object.yaml",
        "--format",
        "json",
    ]);
    let response: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let message = response["inputs"][0]["response"]["message"]
        .as_str()
        .unwrap();
    assert!(message.len() < 5_000, "{}", message.len());
    assert!(
        message.contains("composited variable \"v399\" fails to evaluate: …"),
        "{message}"
    );
    assert!(
        message.contains("composited variable \"v0\" fails to evaluate: no such key: none"),
        "{message}"
    );
}

#[test]
fn deep_values() {
    let (open, close) = ("[".repeat(240), "]".repeat(240));
    let next = |it| format!("{open}variables.v{it}{close}");
    run_all(&validating(&chain("1", 100, next)));
    let next = |it| format!("{{'a': variables.v{it}}}");
    run_all(&validating(&chain("{'a': 1}", 500, next)));
}

#[test]
fn values_that_share_their_parts() {
    let next = |it| format!("[variables.v{it}, variables.v{it}]");
    run_all(&validating(&chain("[1, 2]", 90, next)));
    let next = |it| format!("{{'a': variables.v{it}, 'b': variables.v{it}}}");
    run_all(&validating(&chain("{'a': 1}", 90, next)));
}

#[test]
fn sums_that_double() {
    let next = |it| format!("variables.v{it} + variables.v{it}");
    run_all(&validating(&chain("[1, 2]", 60, next)));
    run_all(&validating(&chain("'ab'", 60, next)));
}

#[test]
fn many_variables_in_one() {
    let mut variables = vec!["[1]".to_owned(); 2000];
    let all: Vec<String> = (0..2000).map(|it| format!("variables.v{it}")).collect();
    variables.push(format!("[{}]", all.join(", ")));
    run_all(&validating(&variables));
}

#[test]
fn patches_that_share_their_parts() {
    let next = |it| format!("{{'a': variables.v{it}, 'b': variables.v{it}}}");
    let variables = chain("{'a': 'b'}", 90, next);
    let patch = "  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: \"[JSONPatch{op: 'add', path: '/data', value: variables.v89}]\"
";
    run_all(&policy("Mutating", &variables, patch));
}
