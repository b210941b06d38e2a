//! `--format json`: one object, for programs.

use super::{Outcome, PolicyOutcome};
use crate::problem::Problem;
use crate::report::Source;
use crate::report::columns::Columns;
use crate::report::json::JsonRange;
use ide::evaluate::{DecisionOutcome, ExpressionEvaluation, Shown, VerdictKind};
use serde_json::{Value, json};
use std::io::{self, Write};
use text::TextRange;

/// Writes what the policies decide.
///
/// # Errors
/// When the output cannot be written.
pub(super) fn write(outcome: &Outcome, trace: bool, out: &mut dyn Write) -> io::Result<()> {
    let policies = outcome.policies.iter();
    let policies: Vec<Value> = policies
        .map(|policy| policy_json(policy, outcome, trace))
        .collect();
    let problems: Vec<Value> = outcome.problems.iter().map(Problem::json).collect();
    let output = json!({ "version": 1, "policies": policies, "problems": problems });
    write_value(&output, out)
}

/// Writes why it could not run.
///
/// # Errors
/// When the output cannot be written.
pub(super) fn write_problems(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let problems: Vec<Value> = problems.iter().map(Problem::json).collect();
    let output = json!({ "version": 1, "policies": [], "problems": problems });
    write_value(&output, out)
}

fn write_value(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(out);
    serde_json::to_writer_pretty(&mut buffered, value)?;
    writeln!(buffered)?;
    buffered.flush()
}

fn policy_json(policy: &PolicyOutcome, outcome: &Outcome, trace: bool) -> Value {
    let evaluation = &policy.evaluation;
    let source = &outcome.source;
    let denials = evaluation.objections().map(|denial| {
        let reason = match &denial.outcome {
            DecisionOutcome::Denies { reason, .. } => Some(reason),
            DecisionOutcome::Holds | DecisionOutcome::Fails { .. } => None,
        };
        json!({
            "field": denial.path,
            "message": denial.message(),
            "reason": reason,
            "denies": denial.denies(),
            "range": range(source, denial.range),
        })
    });
    let annotations = evaluation.audit_annotations.iter();
    let annotations = annotations.map(|(key, value)| json!({ "key": key, "value": value }));
    let expressions = policy.expressions.iter();
    json!({
        "path": outcome.path,
        "name": policy.name,
        "decision": match &evaluation.verdict {
            VerdictKind::Allowed => "allowed",
            VerdictKind::Denied => "denied",
            VerdictKind::Ignored => "ignored",
            VerdictKind::Skipped { .. } => "skipped",
        },
        "denials": denials.collect::<Vec<_>>(),
        "auditAnnotations": annotations.collect::<Vec<_>>(),
        "cost": evaluation.cost,
        "expressions": expressions
            .map(|expression| expression_json(expression, source, trace))
            .collect::<Vec<_>>(),
    })
}

fn expression_json(expression: &ExpressionEvaluation, source: &Source, trace: bool) -> Value {
    let mut output = json!({
        "field": expression.path,
        "value": value(&expression.result),
        "error": error(&expression.result),
        "cost": expression.cost,
        "range": range(source, expression.range),
    });
    if let (true, Some(fields)) = (trace, output.as_object_mut()) {
        let steps = expression.trace.iter().map(|step| {
            json!({
                "text": step.text,
                "value": value(&step.result),
                "error": error(&step.result),
                "range": range(source, step.range),
            })
        });
        fields.insert("trace".to_owned(), steps.collect());
    }
    output
}

fn value(shown: &Shown) -> Option<&str> {
    match shown {
        Shown::Value(text) => Some(text),
        Shown::Failure(_) => None,
    }
}

fn error(shown: &Shown) -> Option<&str> {
    match shown {
        Shown::Value(_) => None,
        Shown::Failure(reason) => Some(reason),
    }
}

fn range(source: &Source, range: TextRange) -> JsonRange {
    Columns::new(source).places(range).into()
}
