//! `test`: policies and inputs that expect something in, what passes and what does not out.

use crate::project::{GOOD, Project, Run};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdout};

fn input(name: &str, replicas: i32, expect: &str) -> String {
    format!(
        "name: {name}\nobject:\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {{name: web}}\n  spec: {{replicas: {replicas}, selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{{name: a, image: b}}]}}}}}}\nexpect: {expect}\n"
    )
}

fn inputs(all: &[String]) -> String {
    all.join("---\n")
}

/// A policy with two tests that pass and the ones that are given.
fn project(more: &[String]) -> Project {
    let mut all = vec![input("few", 3, "allow"), input("many 😀", 7, "deny")];
    all.extend(more.iter().cloned());
    Project::new(&[
        ("limit.yaml", GOOD.to_owned()),
        ("limit.inputs.yaml", inputs(&all)),
    ])
}

#[track_caller]
fn json(project: &Project, arguments: &[&str], code: i32) -> Value {
    let all = ["test", "--format", "json"].iter().chain(arguments);
    let run = project.run(all);
    assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn has(run: &Run, lines: &[&str]) {
    for line in lines {
        run.prints(line);
    }
}

#[test]
fn tests_that_pass_are_listed() {
    let run = project(&[]).run(["test"]);
    has(
        &run,
        &[
            "limit.yaml\n  ok     few\n  ok     many 😀\n",
            "2 passed in ",
        ],
    );
    assert_eq!(run.code, 0);
    let quiet = project(&[]).run(["test", "--quiet"]);
    assert!(quiet.stdout.starts_with("2 passed in "), "{}", quiet.stdout);
}

#[test]
fn a_test_that_fails_is_shown_with_its_places_and_values() {
    let run = project(&[input("wrong", 4, "deny")]).run(["test", "limit.yaml"]);
    assert_eq!(run.code, 1);
    has(
        &run,
        &[
            "  FAILED wrong\n",
            "FAILED replica-limit/wrong\n",
            "error: expected decision `deny`, but the request is allowed",
            "--> limit.inputs.yaml:23:9",
            "--> limit.yaml:13:19",
            "object.spec.replicas <= 5 = true",
            "object.spec.replicas = 4",
            "2 passed, 1 failed in ",
        ],
    );
}

#[test]
fn github_shows_a_failure_at_the_line_of_the_expectation() {
    let project = project(&[
        input("'wrong: 50%, or more'", 4, "deny"),
        input("typo", 1, "no"),
    ]);
    let run = project.run(["test", "--format", "github", "--fail-uncovered", "100"]);
    assert_eq!(run.code, 2);
    has(
        &run,
        &[
            "::error file=limit.inputs.yaml,line=23,title=replica-limit/wrong%3A 50%25%2C or more::expected decision `deny`, but the request is allowed%0A",
            "::error file=limit.inputs.yaml,line=31,title=problem::",
            "\n2 passed, 1 failed, 1 problem\n",
        ],
    );
}

#[test]
fn github_shows_a_test_that_cannot_run() {
    let policy = GOOD.replace("replicas <= 5", "replicas <= five");
    let files = [
        ("a.yaml", policy),
        ("a.inputs.yaml", input("few", 3, "allow")),
    ];
    let run = Project::new(&files).run(["test", "--format", "github"]);
    assert_eq!(run.code, 2);
    has(
        &run,
        &[
            "::error file=a.inputs.yaml,title=replica-limit/few::the policy does not compile\n",
            "::error file=a.yaml,line=13,title=problem::",
        ],
    );
}

#[test]
fn a_message_that_differs_is_shown_beside_the_expected_one() {
    let more = input(
        "words",
        9,
        "{message: 'failed expression: object.spec.replicas <= 6'}",
    );
    let run = project(&[more]).run(["test"]);
    has(
        &run,
        &[
            "  expected  failed expression: object.spec.replicas <= 6\n",
            "  actual    failed expression: object.spec.replicas <= 5\n",
        ],
    );
}

#[test]
fn a_mistake_in_an_input_leaves_the_other_tests_alone() {
    let run = project(&[input("typo", 4, "denied")]).run(["test"]);
    assert_eq!(run.code, 2);
    has(&run, &["2 passed, 1 problem in "]);
    run.reports("limit.inputs.yaml:23:9");
}

#[test]
fn a_test_for_a_policy_that_is_not_there_cannot_run() {
    let more = format!("policy: replica-limits\n{}", input("other", 4, "allow"));
    let run = project(&[more]).run(["test"]);
    assert_eq!(run.code, 2);
    run.reports("Did you mean `replica-limit`?");
    run.reports("limit.inputs.yaml:17:9");
    has(&run, &["2 passed, 1 problem in "]);
}

#[test]
fn a_name_that_is_there_twice_is_a_mistake() {
    let run = project(&[input("few", 4, "allow")]).run(["test"]);
    assert_eq!(run.code, 2);
    run.reports("limit.inputs.yaml:17:7");
    has(&run, &["2 passed, 1 problem in "]);
}

#[test]
fn the_tests_of_a_policy_that_does_not_compile_cannot_run() {
    let policy = GOOD.replace("object.spec.replicas <= 5", "object.spec.replicas <= five");
    let files = [
        ("a.yaml", policy),
        ("a.inputs.yaml", input("few", 3, "allow")),
        ("b.yaml", GOOD.to_owned()),
        ("b.inputs.yaml", input("few", 3, "allow")),
    ];
    let run = Project::new(&files).run(["test"]);
    assert_eq!(run.code, 2);
    run.reports("a.yaml:13:19");
    has(&run, &["1 passed, 1 could not run, 1 problem"]);
}

#[test]
fn a_filter_takes_a_part_of_the_name() {
    let project = project(&[]);
    let run = project.run(["test", "--filter", "limit/fe"]);
    has(&run, &["ok     few", "1 passed in "]);
    let run = project.run(["test", "--filter", "nothing"]);
    assert_eq!(run.code, 2);
    has(&run, &["No test has `nothing` in its name"]);
}

#[test]
fn without_tests_only_a_named_path_is_wrong() {
    let project = Project::new(&[("limit.yaml", GOOD)]);
    let run = project.run(["test"]);
    assert_eq!(run.code, 0);
    has(&run, &["No tests: 1 file with policies"]);
    assert_eq!(project.run(["test", "limit.yaml"]).code, 2);
}

#[test]
fn json_has_all_that_people_see() {
    let project = project(&[input("wrong", 4, "deny")]);
    let output = json(&project, &["--coverage"], 1);
    assert_eq!(output["summary"]["passed"], 2);
    let test = &output["files"][0]["tests"][2];
    assert_eq!(test["status"], "failed");
    assert_eq!(test["outcome"], "allowed");
    assert_eq!(test["range"]["start"]["line"], 23);
    assert_eq!(test["failures"][0]["range"]["start"]["line"], 23);
    assert_eq!(test["decidedBy"][0]["range"]["start"]["line"], 13);
    assert_eq!(test["decidedBy"][0]["trace"][0]["value"], "true");
    let coverage = &output["files"][0]["coverage"];
    assert_eq!(coverage["percent"], 100.0);
    let covered = &coverage["covered"][0];
    assert_eq!(covered["field"], "spec.validations[0].expression");
    assert_eq!(covered["range"]["start"]["line"], 13);
}

#[test]
fn junit_has_a_case_for_each_test() {
    let run = project(&[input("wrong", 4, "deny")]).run(["test", "--format", "junit"]);
    assert_eq!(run.code, 1);
    has(
        &run,
        &[
            "<testsuite name=\"limit.yaml\" tests=\"3\" skipped=\"0\" errors=\"0\" failures=\"1\"",
            "<testcase name=\"wrong\" classname=\"replica-limit\"",
            "<failure message=\"expected decision `deny`, but the request is allowed\">",
        ],
    );
    // The schema of Jenkins does not have it.
    let root = run.stdout.lines().find(|it| it.contains("<testsuites"));
    assert!(!root.unwrap().contains("skipped"), "{}", run.stdout);
}

#[test]
fn what_no_test_tries_is_named() {
    let files = [
        ("a.yaml", GOOD.to_owned()),
        ("a.inputs.yaml", input("few", 3, "allow")),
        ("b.yaml", GOOD.to_owned()),
    ];
    let project = Project::new(&files);
    let run = project.run(["test", "--coverage"]);
    assert_eq!(run.code, 0);
    has(
        &run,
        &[
            "a.yaml: 0% (0 of 1) of the expressions, no branches\n",
            "a.yaml:13:19: never false: object.spec.replicas <= 5",
            "b.yaml: no tests",
        ],
    );
    assert_eq!(project.run(["test", "--fail-uncovered", "50"]).code, 1);
    assert_eq!(project.run(["test", "--fail-uncovered", "0"]).code, 0);
}

/// A run that watches, and the lines that it writes.
struct Watching {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watching {
    fn start(project: &Project) -> Self {
        let mut child = project.command().args(["test", "--watch"]).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Returns the output until it waits for changes.
    fn said(&mut self) -> String {
        let mut seen = String::new();
        for line in self.lines.by_ref() {
            let line = line.unwrap();
            if line.starts_with("Waiting") {
                break;
            }
            seen.push_str(&line);
            seen.push('\n');
        }
        seen
    }

    fn stop(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn what_changes_is_run_again() {
    let project = project(&[]);
    let mut watching = Watching::start(&project);
    assert!(watching.said().contains("2 passed"));
    project.write("limit.inputs.yaml", input("few", 3, "deny"));
    let again = watching.said();
    assert!(again.contains("Changed: limit.inputs.yaml"), "{again}");
    assert!(again.contains("FAILED"), "{again}");
    watching.stop();
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of changes")]
fn a_binding_or_a_parameter_runs_the_tests_of_its_policies_again() {
    let params = |max: u32| {
        format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: m, namespace: d}}, data: {{max: '{max}'}}}}\n"
        )
    };
    let binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec:\n  policyName: replica-limit\n  validationActions: [Deny]\n";
    let with_params = GOOD
        .replace("replica-limit", "with-params")
        .replace("<= 5", "<= int(params.data.max)")
        .replace(
            "spec:\n",
            "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n",
        );
    let files = [
        ("a.yaml", GOOD.to_owned()),
        ("a.inputs.yaml", input("many", 9, "deny")),
        ("b.yaml", with_params),
        ("b.inputs.yaml", input("few", 3, "allow")),
        ("config/binding.yaml", binding.to_owned()),
        ("config/params.yaml", params(4)),
    ];
    let project = Project::new(&files);
    let mut watching = Watching::start(&project);
    assert!(watching.said().contains("2 passed"));
    for (file, content, expected, total) in [
        (
            "config/binding.yaml",
            binding.replace("[Deny]", "[Audit]"),
            "a.yaml\n  FAILED many\n",
            "All tests: 1 passed, 1 failed\n",
        ),
        (
            "config/params.yaml",
            params(1),
            "b.yaml\n  FAILED few\n",
            "All tests: 0 passed, 2 failed\n",
        ),
        // The binding leaves the policy, which is not bound any more.
        (
            "config/binding.yaml",
            binding.replace("replica-limit", "other"),
            "a.yaml\n  ok     many\n",
            "All tests: 1 passed, 1 failed\n",
        ),
        (
            "config/other.yaml",
            "{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: [{name: a, image: b}]}}".to_owned(),
            "No test depends on this file\n",
            "",
        ),
    ] {
        project.write(file, content);
        let again = watching.said();
        let listed = again.matches(".yaml\n  ").count();
        assert_eq!(listed, usize::from(!total.is_empty()), "{again}");
        assert!(again.contains(expected) && again.contains(total), "{again}");
    }
    watching.stop();
}

#[test]
fn an_update_shows_the_difference_and_writes_it() {
    let wrong = "{decision: deny, message: old} # why 😀";
    let project = project(&[input("wrong", 9, wrong), input("gone", 2, "deny")]);
    let path = project.path().join("limit.inputs.yaml");
    let before = fs::read_to_string(&path).unwrap();
    let run = project.run(["test", "--update", "--dry-run"]);
    has(
        &run,
        &[
            "--- limit.inputs.yaml",
            "-expect: {decision: deny, message: old} # why 😀",
            "+expect: {decision: deny, message: \"failed expression: object.spec.replicas <= 5\"} # why 😀",
            "+expect: allow",
            "2 tests to update",
        ],
    );
    assert_eq!(run.code, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let run = project.run(["test", "--update"]);
    has(&run, &["+expect: allow", "2 tests updated"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(project.run(["test"]).code, 0);
    let run = project.run(["test", "--update"]);
    assert_eq!((run.stdout.as_str(), run.code), ("0 tests updated\n", 0));
}

#[test]
fn an_invalid_object_shows_why_the_server_rejects_it() {
    let inputs = input("short", 3, "allow").replace("{name: a, image: b}", "");
    let project = Project::new(&[("p.yaml", GOOD.to_owned()), ("p.inputs.yaml", inputs)]);
    let run = project.run(["test", "p.yaml"]);
    assert_eq!(run.code, 1);
    let expected = "expected decision `allow`, but the request is rejected by the API server, not denied by a \
         policy: Deployment.apps \"web\" is invalid: spec.template.spec.containers: Required value. \
         Correct the input, or write `raw: true` to use its object as written";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn an_update_refuses_what_it_cannot_change_exactly() {
    let project = project(&[input("fails", 2, "{decision: deny, messageContains: &x x}")]);
    let path = project.path().join("limit.inputs.yaml");
    let before = fs::read_to_string(&path).unwrap();
    let run = project.run(["test", "--update"]);
    run.reports("edit them by hand");
    assert_eq!(run.code, 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    let run = project.run(["test", "--update", "--format", "json"]);
    assert_eq!(run.code, 2);
}
