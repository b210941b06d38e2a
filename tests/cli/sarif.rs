//! `check --format sarif`: the properties that SARIF 2.1.0 requires.

use crate::project::{GOOD, Project, bad};
use serde_json::Value;

/// Checks a log with the published schema of SARIF 2.1.0.
#[track_caller]
pub(crate) fn assert_valid(log: &Value) {
    // The pattern of a language has a bracket that not every dialect of expressions accepts.
    let schema = include_str!("schemas/sarif-2.1.0.json").replace("{2}]?$", r"{2}\\]?$");
    let schema = serde_json::from_str(&schema).unwrap();
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.build(&schema).unwrap();
    let errors = validator.iter_errors(log);
    let errors: Vec<String> = errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn a_log_follows_the_published_schema() {
    let project = Project::new(&[
        ("a.yaml", bad()),
        ("b.yaml", GOOD.replace("  validations:", "  validation:")),
        ("c.yaml", "a: \0".to_owned()),
        ("admissible.toml", "rule = 1\n".to_owned()),
    ]);
    let run = project.run(["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(log["runs"][0]["results"].as_array().unwrap().len() > 1);
    assert_valid(&log);
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(std::panic::catch_unwind(|| assert_valid(&wrong)).is_err());
}

/// The only run of the log.
fn sarif_run(project: &Project, paths: &[&str]) -> Value {
    let arguments = ["check", "--format", "sarif"].iter().chain(paths);
    let run = project.run(arguments);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    assert!(
        log["$schema"]
            .as_str()
            .unwrap()
            .ends_with("sarif-schema-2.1.0.json")
    );
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    runs[0].clone()
}

#[test]
fn the_driver_describes_every_rule() {
    let project = Project::new(&[("a.yaml", GOOD)]);
    let run = sarif_run(&project, &[]);
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "admissible");
    assert_eq!(driver["semanticVersion"], env!("CARGO_PKG_VERSION"));
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!(run["results"], Value::Array(Vec::new()));
    let rules = driver["rules"].as_array().unwrap();
    assert!(rules.len() > 15);
    for rule in rules {
        let words = |field: &str| !rule[field]["text"].as_str().unwrap().is_empty();
        assert!(words("shortDescription") && words("help"), "{rule}");
        assert!(
            !rule["help"]["markdown"].as_str().unwrap().is_empty(),
            "{rule}"
        );
        let level = rule["defaultConfiguration"]["level"].as_str().unwrap();
        assert!(["error", "warning", "note"].contains(&level), "{rule}");
    }
}

#[test]
fn a_result_points_at_its_rule_and_region() {
    let expression = "true && '😀' == (object.spec.replicas <= 5";
    let text = GOOD.replace("object.spec.replicas <= 5", expression);
    let project = Project::new(&[("a b/ü.yaml", text.as_str())]);
    let run = sarif_run(&project, &["."]);
    let result = &run["results"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(result["ruleId"], rules[index]["id"]);
    assert_eq!(result["ruleId"], "cel-syntax");
    assert_eq!(result["level"], "error");
    assert!(!result["message"]["text"].as_str().unwrap().is_empty());

    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%BC.yaml");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    let region = &place["region"];
    let number = |field: &str| usize::try_from(region[field].as_u64().unwrap()).unwrap();
    assert_eq!(number("startLine"), 13);
    assert!(number("endLine") >= number("startLine"));
    let report = project.json(["."]);
    let column = &report["findings"][0]["range"]["start"]["column"];
    // The emoji is one character and two code units.
    assert_eq!(number("startColumn") as u64, column.as_u64().unwrap() + 1);
}

#[test]
fn a_fix_replaces_a_region() {
    let text = GOOD.replace("  validations:", "  validation:");
    let project = Project::new(&[("a.yaml", text.as_str())]);
    let run = sarif_run(&project, &["."]);
    let results = run["results"].as_array().unwrap();
    let fixes = results
        .iter()
        .filter_map(|result| result["fixes"].as_array());
    let fix = &fixes.flatten().next().unwrap();
    assert!(!fix["description"]["text"].as_str().unwrap().is_empty());
    let change = &fix["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "a.yaml");
    let replacement = &change["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "validations");
    assert_eq!(replacement["deletedRegion"]["startLine"], 12);
    assert_eq!(replacement["deletedRegion"]["startColumn"], 3);
}

#[test]
fn what_could_not_be_done_is_a_notification() {
    let project = Project::new(&[
        ("admissible.toml", b"[rules]\nnope = 'off'\n".as_slice()),
        ("a.yaml", bad().as_bytes()),
        ("b.yaml", b"a: \xFF"),
    ]);
    let run = sarif_run(&project, &["."]);
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let tool = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        tool["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "b.yaml"
    );
    let config = &invocation["toolConfigurationNotifications"][0];
    assert_eq!(
        config["locations"][0]["physicalLocation"]["region"]["startLine"],
        2
    );
    assert_eq!(run["results"].as_array().unwrap().len(), 1);
}
