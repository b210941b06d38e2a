//! `check.jsonl`: a policy with many variables, and which of them Kubernetes rejects.
//!
//! Errors of the engine are useless if `check` does not report them. So only the findings are
//! compared: an error inside each expression that Kubernetes rejects, and inside no other.

use super::case::{Case, Outcome};
use ide::{Severity, SourceFile};
use policy::Role;
use serde_json::{Map, Value};
use std::fmt;

/// The comparison of findings with the errors of Kubernetes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FindingComparison {
    /// The expressions.
    pub(super) expressions: usize,
    /// The rejected ones without an error, by field path.
    pub(super) missed: Vec<String>,
    /// The accepted ones with an error, by field path, with its message.
    pub(super) wrong: Vec<String>,
}

impl FindingComparison {
    /// Returns the outcome: a case passes if no finding is missing and none is wrong.
    pub(super) fn outcome(&self) -> Outcome {
        if self.missed.is_empty() && self.wrong.is_empty() {
            return Ok(());
        }
        let (missed, wrong) = (self.missed.join("; "), self.wrong.join("; "));
        Err(format!("missed: [{missed}]; false: [{wrong}]"))
    }
}

impl fmt::Display for FindingComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (missed, wrong) = (self.missed.len(), self.wrong.len());
        let all = self.expressions;
        write!(f, "{all} expressions, {missed} missed, {wrong} false")
    }
}

/// Compares the findings of a case.
pub(super) type Check = fn(&Case) -> Result<FindingComparison, String>;

/// Returns the findings of all cases in a file, without malformed cases.
pub(super) fn sum(text: &[u8], check: Check) -> FindingComparison {
    let mut sum = FindingComparison::default();
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    let cases = lines.filter_map(|(at, line)| Case::read(at + 1, line).ok());
    for comparison in cases.filter_map(|case| check(&case).ok()) {
        sum.expressions += comparison.expressions;
        sum.missed.extend(comparison.missed);
        sum.wrong.extend(comparison.wrong);
    }
    sum
}

/// Checks that `check` is right about every expression.
pub(super) fn check(case: &Case) -> Outcome {
    compare_findings(case)?.outcome()
}

/// Returns the result of `check` for every expression.
///
/// # Errors
/// If the case is malformed.
pub(super) fn compare_findings(case: &Case) -> Result<FindingComparison, String> {
    let rejected = case.get(&["rejected"]).and_then(Value::as_object);
    let rejected = rejected.ok_or("malformed: no object `rejected`")?;
    let file = SourceFile::new(case.require(&["manifest"])?);
    let [document] = file.policies() else {
        return Err(format!("{} policies instead of one", file.policies().len()));
    };
    let found = ide::diagnose(&file, &ide::Settings::default());
    let errors: Vec<_> = found
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    let mut comparison = FindingComparison::default();
    let mut unknown: Map<String, Value> = rejected.clone();
    let expressions = document.expressions().iter();
    for expression in expressions.filter(|it| matches!(it.role, Role::Variable { .. })) {
        let range = document.node(expression.node).range();
        let path = expression.path.to_string();
        let error = errors
            .iter()
            .find(|error| range.contains_range(error.range));
        comparison.expressions += 1;
        match (unknown.remove(&path), error) {
            (Some(words), None) => comparison.missed.push(format!("{path}: {words}")),
            (None, Some(error)) => comparison.wrong.push(format!("{path}: {}", error.message)),
            _ => {}
        }
    }
    match unknown.keys().next() {
        Some(path) => Err(format!("malformed: no expression at {path}")),
        None => Ok(comparison),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn case(rejected: &Value) -> Case {
        let manifest = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: 'nope'}]
  variables:
  - {name: a, expression: \"1 + '😀'\"}
  - {name: b, expression: '1'}
";
        let case = json!({ "id": "a", "manifest": manifest, "rejected": rejected });
        Case::read(1, case.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn missed_and_false_errors_are_counted_by_expression() {
        let (a, b) = (
            "spec.variables[0].expression",
            "spec.variables[1].expression",
        );
        assert_eq!(check(&case(&json!({ a: "words" }))), Ok(()));
        let line = case(&json!({ b: "words" }));
        let comparison = compare_findings(&line).unwrap();
        assert_eq!(comparison.to_string(), "2 expressions, 1 missed, 1 false");
        assert!(comparison.outcome().is_err_and(|why| why.contains(b)));
        let unknown = check(&case(&json!({ a: "words", "spec.a": "words" })));
        assert_eq!(unknown, Err("malformed: no expression at spec.a".into()));
    }
}
