//! `--format json` and `--format ndjson`, for programs.

use super::object_evaluator::{Effect, Finding, Name, Row, Rows};
use super::policies::Policies;
use super::tally::{Counts, Group, PartResult};
use super::{Outcome, Tally};
use crate::problem::Problem;
use crate::report::json::write_value;
use admission::Operation;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use workspace::StreamPosition;

/// Writes the result of a replay.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(
    outcome: &Outcome,
    problems: &[Problem],
    out: &mut dyn Write,
) -> io::Result<()> {
    let Outcome {
        tally, policies, ..
    } = outcome;
    let rows = tally.rows.iter().zip(&tally.counts);
    let rows: Vec<Value> = rows
        .map(|(row, counts)| row_json(row, counts, policies))
        .collect();
    let groups = tally.sorted_groups();
    let findings: Vec<Value> = groups
        .into_iter()
        .map(|group| group_json(group, tally, policies))
        .collect();
    let mut summary = counts_json(&tally.totals);
    summary.insert("objects".to_owned(), tally.objects.into());
    summary.insert("problems".to_owned(), problem_count(problems, tally).into());
    summary.insert("partial".to_owned(), outcome.is_partial.into());
    let output = json!({
        "version": 1,
        "summary": summary,
        "policies": rows,
        "findings": findings,
        "problems": problems.iter().map(Problem::json).collect::<Vec<_>>(),
    });
    write_value(&output, out)
}

/// Writes why nothing could be evaluated.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_stopped(problems: &[Problem], out: &mut dyn Write) -> io::Result<()> {
    let output = json!({
        "version": 1,
        "summary": null,
        "policies": [],
        "findings": [],
        "problems": problems.iter().map(Problem::json).collect::<Vec<_>>(),
    });
    write_value(&output, out)
}

/// Writes a line for each object of a part with a finding.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_lines(
    part: &PartResult,
    policies: &Policies,
    rows: &Rows,
    out: &mut dyn Write,
) -> io::Result<()> {
    for object in &part.found {
        let findings = object.findings.iter();
        let findings: Vec<Value> = findings
            .map(|finding| finding_json(finding, policies, rows))
            .collect();
        let operations = object.operations.iter().map(|it| Operation::as_str(*it));
        let mut line = object_json(&part.path, object.position, &object.name);
        let more = json!({
            "operations": operations.collect::<Vec<_>>(),
            "response": object.response,
            "findings": findings,
        });
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        serde_json::to_writer(&mut *out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}

fn finding_json(finding: &Finding, policies: &Policies, rows: &Rows) -> Value {
    let row = rows.0.get(finding.row);
    let policy = row.and_then(|row| policies.policies.get(row.policy));
    let mut output = json!({
        "policy": policy.map(|it| it.name.as_str()),
        "binding": row.and_then(|row| row.binding.as_deref()),
        "effect": finding.effect.as_str(),
        "failed": finding.is_failure,
        "message": (!finding.message.is_empty()).then_some(&finding.message),
    });
    if let (Some(change), Some(output)) = (&finding.change, output.as_object_mut()) {
        output.insert("fields".to_owned(), change.fields.as_slice().into());
        output.insert("diff".to_owned(), change.diff.as_deref().into());
    }
    output
}

fn object_json(path: &str, position: StreamPosition, name: &Name) -> Value {
    let Name {
        kind,
        namespace,
        name,
    } = name;
    json!({
        "path": path, "line": position.line, "column": position.column,
        "kind": kind, "namespace": namespace, "name": name,
    })
}

fn row_json(row: &Row, counts: &Counts, policies: &Policies) -> Value {
    let policy = policies.policies.get(row.policy);
    let mut fields = Map::new();
    for (field, value) in [
        ("path", policy.map(|it| it.path.as_str())),
        ("kind", policy.map(|it| it.document.kind().as_str())),
        ("name", policy.map(|it| it.name.as_str())),
        ("binding", row.binding.as_deref()),
    ] {
        fields.insert(field.to_owned(), value.into());
    }
    fields.extend(counts_json(counts));
    fields.insert("skipped".to_owned(), counts.skipped.into());
    fields.into()
}

fn counts_json(counts: &Counts) -> Map<String, Value> {
    let effects = Effect::ALL.map(|effect| (effect.as_str().to_owned(), counts.get(effect).into()));
    let mut fields = Map::new();
    fields.insert("matched".to_owned(), counts.matched.into());
    fields.extend(effects);
    fields.insert("failed".to_owned(), counts.failed.into());
    fields
}

fn group_json(group: &Group, tally: &Tally, policies: &Policies) -> Value {
    let row = tally.rows.get(group.row);
    let policy = row.and_then(|row| policies.policies.get(row.policy));
    let objects = group.examples.iter().map(|example| {
        let mut object = object_json(&example.path, example.position, &example.name);
        if let (Some(diff), Some(object)) = (&example.diff, object.as_object_mut()) {
            object.insert("diff".to_owned(), diff.as_str().into());
        }
        object
    });
    let message = group.message.as_deref();
    let message = message.filter(|it| !it.is_empty() && group.fields.is_empty());
    let mut output = json!({
        "policy": policy.map(|it| it.name.as_str()),
        "binding": row.and_then(|row| row.binding.as_deref()),
        "effect": group.effect.as_str(),
        "message": message,
        "count": group.count,
        "objects": objects.collect::<Vec<_>>(),
    });
    if let (false, Some(output)) = (group.fields.is_empty(), output.as_object_mut()) {
        output.insert("fields".to_owned(), group.fields.as_slice().into());
    }
    output
}

fn problem_count(problems: &[Problem], tally: &Tally) -> u64 {
    problems.len() as u64 + tally.more_problems
}
