//! `--format json` and `--format ndjson`, for programs.

use super::Outcome;
use super::effect::Effect;
use super::name::Name;
use super::object_outcome::Finding;
use super::policies::Policies;
use super::result::{Common, GroupResult, RowName, SHARD_VERSION, Segment, ShardResult};
use super::row_table::RowTable;
use super::tally::{Counts, Example, PartResult, Tally};
use crate::arguments::Shard;
use crate::problem::Problem;
use crate::report::json::write_value;
use admission::Operation;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use workspace::StreamPosition;

/// The result of a replay, as written.
#[derive(Debug)]
pub(super) struct Report<'r> {
    pub(super) policies: &'r [RowName],
    pub(super) result: &'r Segment,
    pub(super) problems: &'r [Value],
    pub(super) is_partial: bool,
}

impl Report<'_> {
    /// Writes the result of a replay.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Segment {
            totals,
            objects,
            counts,
            more_problems,
            ..
        } = self.result;
        let rows = self.policies.iter().zip(counts);
        let rows: Vec<Value> = rows.map(|(row, counts)| row_json(row, counts)).collect();
        let groups = self.result.sorted_groups().into_iter();
        let findings: Vec<Value> = groups.map(|group| self.group(group)).collect();
        let problems = self.problems.len() as u64 + more_problems;
        let mut summary = counts_json(totals);
        summary.insert("objects".to_owned(), (*objects).into());
        summary.insert("problems".to_owned(), problems.into());
        summary.insert("partial".to_owned(), self.is_partial.into());
        let output = json!({
            "version": 1,
            "summary": summary,
            "policies": rows,
            "findings": findings,
            "problems": self.problems,
        });
        write_value(&output, out)
    }

    fn group(&self, group: &GroupResult) -> Value {
        let row = self.policies.get(group.row);
        let message = group.message.as_deref();
        let message = message.filter(|it| !it.is_empty() && group.fields.is_empty());
        let mut output = json!({
            "policy": row.map(|it| it.name.as_str()),
            "binding": row.and_then(|it| it.binding.as_deref()),
            "effect": group.effect.as_str(),
            "message": message,
            "count": group.count,
            "objects": group.objects,
        });
        if let (false, Some(output)) = (group.fields.is_empty(), output.as_object_mut()) {
            output.insert("fields".to_owned(), group.fields.as_slice().into());
        }
        output
    }
}

/// Returns the result of the objects that were counted.
pub(super) fn segment(tally: &Tally) -> Segment {
    Segment::new(tally, example_json)
}

/// Returns the result of a shard.
pub(super) fn shard(shard: Shard, outcome: &Outcome, common: Common) -> ShardResult {
    let tally = &outcome.tally;
    let continued = tally.continued.iter().map(|it| Segment {
        continues: Some(it.0.clone()),
        ..segment(&it.1)
    });
    let result = ShardResult {
        version: SHARD_VERSION,
        digest: String::new(),
        shard: shard.into(),
        replay: common,
        partial: outcome.is_partial,
        segments: continued.chain([segment(tally)]).collect(),
    };
    result.with_digest()
}

/// Writes a value without line breaks.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut buffered = io::BufWriter::new(out);
    serde_json::to_writer(&mut buffered, value)?;
    writeln!(buffered)?;
    buffered.flush()
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
    rows: &RowTable,
    out: &mut dyn Write,
) -> io::Result<()> {
    for object in &part.found {
        let findings: Vec<Value> = object
            .findings
            .iter()
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

fn finding_json(finding: &Finding, policies: &Policies, rows: &RowTable) -> Value {
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

fn row_json(row: &RowName, counts: &Counts) -> Value {
    let mut fields = Map::new();
    for (field, value) in [
        ("path", Some(&row.path)),
        ("kind", Some(&row.kind)),
        ("name", Some(&row.name)),
        ("binding", row.binding.as_ref()),
    ] {
        fields.insert(field.to_owned(), value.map(String::as_str).into());
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

fn example_json(example: &Example) -> Value {
    let mut object = object_json(&example.path, example.position, &example.name);
    if let (Some(diff), Some(object)) = (&example.diff, object.as_object_mut()) {
        object.insert("diff".to_owned(), diff.as_str().into());
    }
    object
}
