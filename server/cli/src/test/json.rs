//! `--format json`: one object, for programs.

use super::Run;
use super::case::{Case, Status};
use super::coverage::{self, FileCoverage};
use super::failure::{Deciding, Differing, Failure};
use super::suite::Suite;
use super::summary::Summary;
use crate::arguments::Test;
use crate::problem::Problem;
use crate::report::Source;
use crate::report::json::{JsonRange, write_value};
use evaluation::coverage::Totals;
use evaluation::expectation::RequestOutcome;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;
use text::TextRange;

/// Writes a run.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(run: &Run, options: &Test, out: &mut dyn Write) -> io::Result<()> {
    let is_reported = |suite: &&Suite| suite.is_shown() || suite.coverage.is_some();
    let problems = || {
        let of_suites = run.suites.iter().flat_map(|suite| &suite.problems);
        of_suites.chain(&run.problems).map(Problem::json)
    };
    let all = options.covers().then(|| coverage::of_all(run));
    let output = Output {
        version: 1,
        files: Each(|| run.suites.iter().filter(is_reported).map(suite_json)),
        problems: Each(problems),
        coverage: all.map(|all| totals_json(&all)),
        summary: Summary::new(run),
        milliseconds: milliseconds(run.elapsed),
    };
    write_value(&output, out)
}

#[derive(Serialize)]
struct Output<F, P> {
    version: u32,
    files: F,
    problems: P,
    coverage: Option<Value>,
    summary: Summary,
    milliseconds: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a, T> {
    path: &'a str,
    tests: T,
    inputs_without_expect: usize,
    coverage: Option<Value>,
}

/// A list whose elements are created while it is written: a run may have many tests that fail.
struct Each<F>(F);

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

fn suite_json(suite: &Suite) -> impl Serialize + '_ {
    let coverage = suite.coverage.as_ref();
    File {
        path: &suite.path,
        tests: Each(|| suite.cases.iter().map(|case| case_json(suite, case))),
        inputs_without_expect: suite.without_expect,
        coverage: coverage.map(|it| coverage_json(suite, it)),
    }
}

fn case_json(suite: &Suite, case: &Case) -> Value {
    let (status, outcome, error) = match &case.status {
        Status::Passed(outcome) => ("passed", Some(*outcome), None),
        Status::Failed(failure) => ("failed", Some(failure.outcome), None),
        Status::Broken(reason) => ("error", None, Some(reason)),
    };
    let failure = case.failure();
    let differences = failure.map_or(&[][..], |it: &Failure| &it.differences);
    let deciders = failure.map_or(&[][..], |it: &Failure| &it.deciders);
    let deciders = deciders.iter().map(|it| decider_json(suite, it));
    json!({
        "name": case.name,
        "policy": case.policy,
        "input": case.path,
        "range": case.place.as_ref().map(|(source, at)| range(source, *at)),
        "status": status,
        "outcome": outcome.map(outcome_word),
        "error": error,
        "caveats": case.caveats.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
        "failures": differences.iter().map(difference_json).collect::<Vec<_>>(),
        "decidedBy": deciders.collect::<Vec<_>>(),
        "milliseconds": milliseconds(case.elapsed),
    })
}

fn difference_json(differing: &Differing) -> Value {
    let (expected, actual) = differing.difference.expected_and_found();
    let location = differing.place.as_ref();
    json!({
        "field": differing.field.key(),
        "message": differing.message,
        "expected": expected,
        "actual": actual,
        "diff": differing.diff(),
        "path": differing.path,
        "range": location.map(|(source, at)| range(source, *at)),
    })
}

fn decider_json(suite: &Suite, deciding: &Deciding) -> Value {
    let source = suite.source.as_ref();
    let steps = deciding.steps.iter().map(|step| {
        let (value, error) = (step.value.value(), step.value.error());
        json!({ "text": step.text, "value": value, "error": error })
    });
    json!({
        "field": deciding.field,
        "message": deciding.label,
        "bindings": deciding.bindings,
        "path": suite.path,
        "range": source.zip(deciding.range).map(|(source, at)| range(source, at)),
        "trace": steps.collect::<Vec<_>>(),
    })
}

fn coverage_json(suite: &Suite, coverage: &FileCoverage) -> Value {
    let source = suite.source.as_ref();
    let missing = coverage.missing.iter().map(|never| {
        json!({
            "field": never.field,
            "text": never.text,
            "missing": never.missing.description(),
            "range": source.map(|source| range(source, never.range)),
        })
    });
    let missing: Vec<Value> = missing.collect();
    let covered: Vec<Value> = coverage.covered.iter().map(
        |(field, at)| json!({ "field": field, "range": source.map(|source| range(source, *at)) }),
    ).collect();
    let mut output = totals_json(coverage);
    if let Some(fields) = output.as_object_mut() {
        fields.insert("covered".to_owned(), Value::Array(covered));
        fields.insert("missing".to_owned(), Value::Array(missing));
    }
    output
}

fn totals_json(coverage: &FileCoverage) -> Value {
    let Totals {
        expressions,
        branches,
    } = coverage.totals;
    json!({
        "percent": (coverage.percent() * 10.0).round() / 10.0,
        "expressions": { "covered": expressions.covered, "total": expressions.total },
        "branches": { "covered": branches.covered, "total": branches.total },
    })
}

/// Returns the name of an outcome.
fn outcome_word(outcome: RequestOutcome) -> &'static str {
    match outcome {
        RequestOutcome::Skipped => "skipped",
        RequestOutcome::Allowed => "allowed",
        RequestOutcome::Warned => "warned",
        RequestOutcome::Audited => "audited",
        RequestOutcome::Ignored => "errorIgnored",
        RequestOutcome::Denied => "denied",
        RequestOutcome::Failed => "errorDenied",
        RequestOutcome::NotConfigured => "notConfigured",
        RequestOutcome::DeniedByKind => "deniedByKind",
        RequestOutcome::Unknown => "unknown",
    }
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

fn range(source: &Source, range: TextRange) -> JsonRange {
    source.region(range).into()
}
