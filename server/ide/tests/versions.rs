//! The versions of a file share results. The findings of each are those of a file that is analyzed
//! for the first time.

use ide::{Project, Settings, SourceFile, diagnose};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

fn check(path: &Path, text: &str) {
    let (project, results) = (Arc::new(Project::default()), Arc::default());
    let check = |text: &str| {
        let file = SourceFile::next(text, Arc::clone(&project), Arc::clone(&results));
        let expected = diagnose(&SourceFile::new(text), &Settings::default());
        let found = diagnose(&file, &Settings::default());
        assert_eq!(found, expected, "{} with\n{text}", path.display());
    };
    check(text);
    for number in 0..EDITS {
        let first = edited(text, number);
        check(&first);
        // A second edit elsewhere, and back.
        check(&edited(&first, number * 31 + 7));
        check(text);
    }
}

#[test]
fn a_version_has_the_findings_of_a_new_file() {
    let files = ["tests/examples", "examples", "server/bench/fixtures"].map(files);
    assert!(files.iter().all(|files| !files.is_empty()));
    for path in files.iter().flatten() {
        check(path, &std::fs::read_to_string(path).unwrap());
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
    let (project, results) = (Arc::new(Project::default()), Arc::default());
    let expected: Vec<_> = policies
        .iter()
        .map(|text| diagnose(&SourceFile::new(text.as_str()), &Settings::default()))
        .collect();
    let mut codes = expected.iter().flatten().map(|finding| finding.code);
    assert!(codes.any(|code| code == "unguarded-field"));
    // Versions that differ only in the condition, the validation, the variable or the kind.
    for stride in [1, 3, 6, 18] {
        for number in (0..stride).flat_map(|first| (first..policies.len()).step_by(stride)) {
            let text = policies[number].as_str();
            let file = SourceFile::next(text, Arc::clone(&project), Arc::clone(&results));
            let found = diagnose(&file, &Settings::default());
            assert_eq!(found, expected[number], "{text}");
        }
    }
}
