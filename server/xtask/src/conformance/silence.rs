//! Every error of the engine is a finding, in all cases.
//!
//! Some rules leave errors to other, more specific rules. An error that none of them reports would
//! be silent.

use super::own_folder;
use ide::{Diagnostic, Severity, SourceFile};
use policy::validation::validate;
use serde_json::Value;
use std::fmt::Write;
use text::TextRange;

/// Returns the manifests in a file of cases, by id.
fn texts(file: &str, text: impl Fn(&Value) -> Option<String>) -> Vec<(String, String)> {
    let cases = std::fs::read_to_string(own_folder().join(file)).unwrap();
    let lines = cases.lines().enumerate();
    lines
        .filter_map(|(at, line)| {
            let case: Value = serde_json::from_str(line).unwrap();
            Some((format!("{file}:{}", at + 1), text(&case)?))
        })
        .collect()
}

fn manifest(case: &Value) -> Option<String> {
    case.get("manifest")?.as_str().map(str::to_owned)
}

/// Expressions as the variables of a policy with parameters.
fn policy(expressions: &[(String, String)]) -> (String, String) {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: [UPDATE], resources: [widgets]}]}
  validations: [{expression: 'true'}]
  variables:
"
    .to_owned();
    for (at, (_, expression)) in expressions.iter().enumerate() {
        let _ = writeln!(text, "  - {{name: v{at}, expression: {expression}}}");
    }
    let id = expressions.first().map_or("", |(id, _)| id);
    (id.to_owned(), text)
}

/// Returns the errors of the engine in a manifest without a finding at their position.
fn silent(id: &str, manifest: &str) -> String {
    let file = SourceFile::new(manifest);
    let found = ide::diagnose(&file, &ide::Settings::default());
    let errors = found.iter().filter(|it| it.severity == Severity::Error);
    let errors: Vec<&Diagnostic> = errors.collect();
    let has_error = |range: TextRange| errors.iter().any(|it| it.range.intersect(range).is_some());
    let mut silent = String::new();
    for document in file.policies() {
        for error in validate(document) {
            let node = error.node.filter(|_| error.rule.is_of_compiler());
            let range = node.map_or(error.range, |node| document.node(node).range());
            // The server reports the same for two fields, and does not know that a rejected rule
            // uses `oldSelf`.
            let is_second = error.field == "spec.auditAnnotations"
                || error.detail.contains("total")
                || error.detail.contains("oldSelf is not used");
            if !has_error(range) && (!is_second || errors.is_empty()) {
                let _ = writeln!(silent, "{id} {}: {}", error.field, error.detail);
            }
        }
        for (expression, problem) in document.lasting_problems() {
            let range = document.range(expression, problem.span);
            if problem.kind.is_refused() && !has_error(range) {
                let _ = writeln!(silent, "{id} {}: {:?}", expression.text(), problem.kind);
            }
        }
    }
    silent
}

#[test]
fn whatever_is_rejected_is_a_finding() {
    let files = [
        "validate.jsonl",
        "check.jsonl",
        "typecheck.jsonl",
        "evaluate.jsonl",
        "mutate.jsonl",
    ];
    let manifests = files.iter().flat_map(|file| texts(file, manifest));
    let expressions: Vec<_> = ["cel.jsonl", "cel-traps.jsonl", "availability.jsonl"]
        .iter()
        .flat_map(|file| texts(file, |case| Some(case.get("expr")?.to_string())))
        .collect();
    let all = manifests.chain(expressions.chunks(50).map(policy));
    let silent: String = all.map(|(id, text)| silent(&id, &text)).collect();
    assert!(silent.is_empty(), "{silent}");
}
