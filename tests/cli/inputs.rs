//! Errors in admission inputs, as `check` reports them.

use crate::project::{GOOD, Project};
use serde_json::Value;

const RIGHT: &str = "object: {apiVersion: apps/v1, kind: Deployment}\n";
const WRONG: &str = "objct: {apiVersion: apps/v1, kind: Deployment}\n";

/// The findings of a run: path, line, code and message.
fn found(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|it| {
            let word = |field: &str| it[field].as_str().unwrap();
            let line = &it["range"]["start"]["line"];
            let (path, code, message) = (word("path"), word("code"), word("message"));
            format!("{path}:{line} {code} {message}")
        })
        .collect()
}

/// The findings of the rule about inputs. The policies of a test may have one name.
fn of_inputs(report: &Value) -> Vec<String> {
    let found = found(report).into_iter();
    found.filter(|it| it.contains(" invalid-input ")).collect()
}

const UNKNOWN_KEY: &str = "invalid-input Unknown key `objct`. Did you mean `object`?";

#[test]
fn inputs_files_of_policies_are_checked() {
    let unknown = format!("policy: replica-limits\n{RIGHT}");
    let project = Project::new(&[
        ("a.yaml", GOOD),
        ("a.inputs.yaml", WRONG),
        ("a.inputs/one.yaml", &unknown),
        ("a.inputs/two.yaml", RIGHT),
        (
            "tests/replica-limit.x.deny.request.yaml",
            "operation: DELETE\n",
        ),
        // No policy file belongs to them.
        ("other.inputs.yaml", WRONG),
        ("loose.yaml", WRONG),
    ]);
    project.write("replica-limit.yaml", GOOD);
    let expected = [
        "a.inputs/one.yaml:1 invalid-input Policy `replica-limits` not found in a.yaml. Did you \
         mean `replica-limit`?"
            .to_owned(),
        format!("a.inputs.yaml:1 {UNKNOWN_KEY}"),
        "tests/replica-limit.x.deny.request.yaml:1 invalid-input DELETE requires `oldObject`, the \
         existing object."
            .to_owned(),
    ];
    assert_eq!(of_inputs(&project.json(["."])), expected);
    // `eval` uses the same words.
    let run = project.run(["eval", "a.yaml"]);
    run.reports("Unknown key `objct`.");
}

#[test]
fn files_that_comments_name_are_checked_once() {
    let named = format!("# admissible: input common/one.yaml\n# admissible: input no.yaml\n{GOOD}");
    let project = Project::new(&[
        ("a.yaml", named.as_str()),
        ("b.yaml", &named.replace("no.yaml", "common/two.yaml")),
        ("common/one.yaml", WRONG),
        ("common/two.yaml", RIGHT),
    ]);
    let missing = "a.yaml:2 invalid-input `no.yaml` cannot be read: no such file or directory. \
                   The path is relative to this file.";
    let report = project.json(["a.yaml", "b.yaml", "common"]);
    let named = format!("common/one.yaml:1 {UNKNOWN_KEY}");
    assert_eq!(of_inputs(&report), [missing, &named]);
    // A file that is not checked itself is reported at the comment.
    let report = project.json(["a.yaml"]);
    let there = "a.yaml:1 invalid-input Error in `one.yaml`: Unknown key `objct`. Did you mean \
                 `object`?";
    assert_eq!(found(&report), [there, missing]);
}

#[test]
fn settings_and_comments_silence_errors_in_inputs() {
    let config = "[rules]\ninvalid-input = 'warning'\n";
    let silenced = format!("# admissible: ignore[invalid-input] later\n{WRONG}");
    let project = Project::new(&[
        ("a.yaml", GOOD),
        ("a.inputs.yaml", WRONG),
        ("a.inputs/one.yaml", &silenced),
        ("admissible.toml", config),
    ]);
    let report = project.json(["."]);
    assert_eq!(found(&report), [format!("a.inputs.yaml:1 {UNKNOWN_KEY}")]);
    assert_eq!(report["findings"][0]["severity"], "warning");
    let run = project.run(["check", "--format", "sarif", "."]);
    run.prints("\"ruleId\": \"invalid-input\"");
}

#[test]
fn inputs_from_standard_input_are_checked() {
    let project = Project::new(&[("a.yaml", GOOD), ("a.inputs.yaml", RIGHT)]);
    let arguments = ["check", "-", "--stdin-filename", "a.inputs.yaml"];
    let run = project.run_with_input(arguments, WRONG.as_bytes());
    run.prints("invalid-input");
    assert_eq!(run.code, 1);
    let run = project.run_with_input(arguments, RIGHT.as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
}
