//! `eval --format json`: the same, for programs.

use super::*;
use serde_json::{Value, json};

fn json_of(files: &[(&str, String)], arguments: &[&str]) -> Value {
    let run = eval(files, arguments);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
#[expect(clippy::too_many_lines, reason = "the whole output")]
fn programs_get_the_same_as_json() {
    let files = [("p.yaml", GOOD.to_owned()), ("o.yaml", many())];
    let arguments = [
        "p.yaml", "--object", "o.yaml", "--format", "json", "--trace",
    ];
    let output = json_of(&files, &arguments);
    assert_eq!(output["version"], 1);
    let input = &output["inputs"][0];
    assert_eq!(
        (&input["name"], &input["request"]["namespace"]),
        (&Value::Null, &json!("default"))
    );
    let response = &input["response"];
    assert_eq!(
        (&response["allowed"], &response["code"], &response["reason"]),
        (&json!(false), &json!(422), &json!("Invalid"))
    );
    assert_eq!(
        response["causes"][0]["message"],
        "ValidatingAdmissionPolicy 'replica-limit' denied request: failed expression: object.spec.replicas <= 5"
    );
    let policy = &input["policies"][0];
    assert_eq!(policy["decision"], "denied");
    assert_eq!(policy["name"], "replica-limit");
    assert_eq!(
        (&policy["binding"], &policy["actions"]),
        (&Value::Null, &json!(["Deny"]))
    );
    let denial = &policy["decisions"][0];
    assert_eq!(denial["outcome"], "denies");
    assert_eq!(denial["field"], "spec.validations[0].expression");
    assert_eq!(
        denial["message"],
        "failed expression: object.spec.replicas <= 5"
    );
    assert_eq!(denial["reason"], "Invalid");
    assert_eq!(
        denial["range"]["start"],
        json!({ "line": 13, "column": 19, "offset": 308 })
    );
    let expression = &policy["expressions"][0];
    assert_eq!(
        (&expression["value"], &expression["error"]),
        (&json!("false"), &Value::Null)
    );
    assert_eq!(expression["trace"][1]["text"], "object.spec.replicas");
    assert_eq!(expression["trace"][1]["value"], "7");
}

#[test]
fn programs_get_the_problems_too() {
    let files = [
        ("p.yaml", GOOD.to_owned()),
        ("o.yaml", "a: 'b\n".to_owned()),
    ];
    let arguments = ["p.yaml", "--object", "o.yaml", "--format", "json"];
    let output = json_of(&files, &arguments);
    assert_eq!(output["inputs"], json!([]));
    let problem = &output["problems"][0];
    assert_eq!(problem["path"], "o.yaml");
    assert_eq!(problem["range"]["start"]["line"], 1);
}

#[test]
fn values_are_cut_for_people_with_their_size_and_whole_for_programs() {
    let policy = GOOD.replace(
        "object.spec.replicas <= 5",
        "object.metadata.annotations.all(a, a != '')",
    );
    let annotations: String = (0..300)
        .map(|number| format!("    note-{number}: '😀'\n"))
        .collect();
    let object = FEW.replace(
        "  name: web\n",
        &format!("  name: web\n  annotations:\n{annotations}"),
    );
    let files = [("p.yaml", policy), ("o.yaml", object)];
    let arguments = ["p.yaml", "--object", "o.yaml", "--trace"];
    let run = eval(&files, &arguments);
    let longest = run.stdout.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(200), "{}", run.stdout);
    run.prints("… (300 fields)\n");
    let output = json_of(&files, &[&arguments[..], &["--format", "json"]].concat());
    let trace = &output["inputs"][0]["policies"][0]["expressions"][0]["trace"];
    let whole = trace[1]["value"].as_str().unwrap();
    assert!(whole.contains("\"note-299\": \"😀\"") && whole.ends_with('}'));
}
