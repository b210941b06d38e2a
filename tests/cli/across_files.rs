//! Findings that depend on other files of a project.

use crate::project::{GOOD, Project};
use serde_json::Value;

fn binding(policy: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata:\n  name: limit\nspec:\n  policyName: {policy}\n  validationActions: [Deny]\n"
    )
}

/// The findings of a run, each with its path and its code.
fn codes(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    let word = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    findings
        .map(|finding| format!("{} {}", word(finding, "path"), word(finding, "code")))
        .collect()
}

#[test]
fn a_binding_finds_its_policy_in_another_file() {
    let files = [
        ("a/policy.yaml", GOOD.to_owned()),
        ("b.yaml", binding("replica-limit")),
    ];
    let project = Project::new(&files);
    assert_eq!(codes(&project.json(["."])), [] as [&str; 0]);

    let files = [
        ("a/policy.yaml", GOOD.to_owned()),
        ("b.yaml", binding("replica-limits")),
    ];
    let project = Project::new(&files);
    let report = project.json(["."]);
    assert_eq!(codes(&report), ["b.yaml unknown-policy"]);
    let related = &report["findings"][0]["related"][0];
    assert_eq!(related["path"], "a/policy.yaml");
    assert_eq!(related["range"]["start"]["line"], 4);
    let run = project.run(["check"]);
    run.prints("a/policy.yaml:4:9");
}

#[test]
fn one_file_is_judged_within_its_project() {
    let files = [
        ("a/policy.yaml", GOOD.to_owned()),
        ("b.yaml", binding("replica-limits")),
    ];
    // Without a configuration, the rest of the project is unknown.
    let project = Project::new(&files);
    assert_eq!(codes(&project.json(["b.yaml"])), [] as [&str; 0]);
    let mut files = files.to_vec();
    files.push(("admissible.toml", String::new()));
    let project = Project::new(&files);
    assert_eq!(codes(&project.json(["b.yaml"])), ["b.yaml unknown-policy"]);
    let input = binding("replica-limits");
    let arguments = [
        "check",
        "-",
        "--stdin-filename",
        "b.yaml",
        "--format",
        "json",
    ];
    let run = project.run_with_input(arguments, input.as_bytes());
    run.prints("unknown-policy");
}

#[test]
fn schemas_that_are_not_there_are_shown_in_the_configuration() {
    let project = Project::new(&[
        ("admissible.toml", "schemas = ['crds']\n"),
        ("a.yaml", GOOD),
    ]);
    let run = project.run(["check"]);
    assert_eq!(run.code, 2);
    run.reports("admissible.toml:1:12");
    run.reports("no such file or directory");
}

#[test]
fn an_object_is_validated_if_the_rule_is_on() {
    let definition = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
";
    let object = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: x, other: 1}\n";
    let check = |config: &str, definition_at: &str| {
        let project = Project::new(&[
            (definition_at, definition),
            ("project/a.yaml", object),
            ("project/admissible.toml", config),
        ]);
        codes(&project.json(["project/a.yaml"]))
    };
    let found = ["project/a.yaml invalid-object"; 2];
    let on = "[rules]\ninvalid-object = 'on'\n";
    assert_eq!(check("", "project/crd.yaml"), [] as [&str; 0]);
    assert_eq!(check(on, "project/crd.yaml"), found);
    let schemas = format!("schemas = ['../crds']\n{on}");
    assert_eq!(check(&schemas, "crds/crd.yaml"), found);
}
