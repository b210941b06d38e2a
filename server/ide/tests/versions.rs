//! The versions of a file share results. The findings of each are those of a file that is analyzed
//! for the first time.

mod widgets;
mod work;

use ide::{Project, Settings, SourceFile, diagnose};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use widgets::definition;
use work::work;

/// The edits of each file.
const EDITS: usize = 40;

/// Texts that change what an expression reads, guards or means.
const INSERTED: &[&str] = &[
    "x", "(", "'", "!", " || ", " && ", ".y", "has(", "\n", "    ",
];

/// Returns the YAML files below a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut waiting = vec![root.join(folder)];
    while let Some(path) = waiting.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => waiting.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) if path.extension().is_some_and(|it| it == "yaml") => found.push(path),
            Err(_) => {}
        }
    }
    found.sort();
    found
}

/// Returns a character boundary that depends on a number.
fn boundary(text: &str, number: usize) -> usize {
    let at = number.wrapping_mul(0x9E37_79B9) % (text.len() + 1);
    text.ceil_char_boundary(at)
}

/// Returns the text with an insertion, or without some characters.
fn edited(text: &str, number: usize) -> String {
    let (before, after) = text.split_at(boundary(text, number));
    match INSERTED.get(number % (INSERTED.len() + 3)) {
        Some(new) => format!("{before}{new}{after}"),
        None => format!(
            "{before}{}",
            after.chars().skip(number % 7).collect::<String>()
        ),
    }
}

/// Checks that each version of a file has the findings of a new one. Returns how many of them are
/// about unguarded fields.
fn check(versions: impl IntoIterator<Item = String>) -> usize {
    let (project, results) = (Arc::new(Project::default()), Arc::default());
    let mut unguarded = 0;
    for text in versions {
        let file = SourceFile::next(text.as_str(), Arc::clone(&project), Arc::clone(&results));
        let expected = diagnose(&SourceFile::new(text.as_str()), &Settings::default());
        let found = diagnose(&file, &Settings::default());
        assert_eq!(found, expected, "{text}");
        let codes = found.iter().map(|finding| finding.code);
        unguarded += codes.filter(|code| *code == "unguarded-field").count();
    }
    unguarded
}

#[test]
fn a_version_has_the_findings_of_a_new_file() {
    let files = ["tests/examples", "examples", "server/bench/fixtures"].map(files);
    assert!(files.iter().all(|files| !files.is_empty()));
    for path in files.iter().flatten() {
        let text = std::fs::read_to_string(path).unwrap();
        check((0..EDITS).flat_map(|number| {
            let first = edited(&text, number);
            // A second edit elsewhere, and back.
            let second = edited(&first, number * 31 + 7);
            [text.clone(), first, second]
        }));
    }
}

const CONDITIONS: &[&str] = &["true", "has(object.spec.paused)", "has(object.spec.paused"];
const VALIDATIONS: &[&str] = &["object.spec.paused", "true"];
const VARIABLES: &[&str] = &["object.metadata.labels", "{'app': 'a'}", "object.metadata."];
const RESOURCES: &[&str] = &["deployments", "daemonsets", "'*'"];

/// Returns a policy for each combination of these, the conditions in turn.
fn policies() -> Vec<String> {
    let mut policies = Vec::new();
    for resource in RESOURCES {
        for variable in VARIABLES {
            for validation in VALIDATIONS {
                policies.extend(CONDITIONS.iter().map(|condition| {
                    format!(
                        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: paused.example.com}}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE]
      resources: [{resource}]
  matchConditions:
  - {{name: has-paused, expression: \"{condition}\"}}
  variables:
  - {{name: labels, expression: \"{variable}\"}}
  - {{name: app, expression: variables.labels.app}}
  validations:
  - expression: {validation} && variables.app == 'a'
    messageExpression: \"object.spec.paused ? 'a' : 'b'\"
"
                    )
                }));
            }
        }
    }
    policies
}

#[test]
fn a_version_has_the_findings_for_its_conditions_and_variables() {
    let policies = policies();
    // Versions that differ only in the condition, the validation, the variable or the kind.
    let numbers = [1, 3, 6, 18].into_iter().flat_map(|stride| {
        let count = policies.len();
        (0..stride).flat_map(move |first| (first..count).step_by(stride))
    });
    assert!(check(numbers.map(|number| policies[number].clone())) > 0);
}

/// Returns webhooks for these resources, the first ones without a match condition.
fn webhooks(resources: &[&str], without: usize) -> String {
    let mut text = String::from(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: paused.example.com}
webhooks:
",
    );
    for (at, resources) in resources.iter().enumerate() {
        text.push_str(&format!(
            "- name: w{at}.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {{url: 'https://example.com'}}
  rules:
  - apiGroups: ['', apps]
    apiVersions: [v1]
    operations: [CREATE]
    resources: [{resources}]
"
        ));
        if at >= without {
            text.push_str(
                "  matchConditions:
  - {name: a, expression: has(object.spec.replicas) && object.spec.paused}
",
            );
        }
    }
    text
}

#[test]
fn a_condition_of_another_webhook_has_its_own_findings() {
    let resources = ["deployments", "pods, deployments", "pods"];
    let versions = [0, 1, 2, 1, 0].map(|without| webhooks(&resources, without));
    assert!(check(versions) > 0);
}

/// Returns a definition with a rule for two objects, of which only the first requires the field.
fn rules(rule: &str) -> String {
    let schema = |required: &str| {
        let rules = match rule {
            "" => String::new(),
            rule => format!(", x-kubernetes-validations: [{{rule: {rule}, message: wrong}}]"),
        };
        format!("{{type: object{required}, properties: {{size: {{type: integer}}}}{rules}}}")
    };
    let (one, two) = (schema(", required: [size]"), schema(""));
    definition(&format!(
        "            properties:
              one: {one}
              two: {two}
"
    ))
}

#[test]
fn a_definition_has_the_findings_for_its_rules() {
    let versions = ["", "self.size > 1", "self.size > 2", "", "self.size > 1"];
    assert_eq!(check(versions.map(rules)), 3);
}

#[test]
fn a_version_repeats_little_work() {
    let path = files("server/bench/fixtures").into_iter().next().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let (project, results) = (Arc::new(Project::default()), Arc::default());
    // The work of all findings in the version with this value.
    let work = |value: &str, limit: u32| {
        let text = text.replace("'production'", value);
        let file = SourceFile::next(text, Arc::clone(&project), Arc::clone(&results));
        work(limit, || diagnose(&file, &Settings::default()))
    };
    let first = work("'production'", u32::MAX);
    let second = work("'staging'", u32::MAX);
    assert!(second * 2 < first, "{second} of {first}");
    // A version that is canceled near its end leaves the results of the others.
    work("'test'", second - 1);
    let last = work("'other'", u32::MAX);
    assert!(last < second * 2, "{last} after {second}");
}
