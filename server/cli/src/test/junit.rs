//! `--format junit`: test results for CI.

use super::Run;
use super::case::{Case, Status};
use super::failure::Failure;
use super::suite::Suite;
use crate::problem::{Problem, ProblemLocation};
use crate::report::Source;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write as _;
use std::io::{self, Write};
use text::TextRange;

/// The type of a test case for an error in a file.
const PROBLEM: &str = "problem";

/// Limit: characters of a value in a line.
const MAX_VALUE: usize = 200;

/// Writes a run.
///
/// # Errors
/// If the output cannot be written.
pub(super) fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new("admissible");
    report.set_time(run.elapsed);
    for suite in run.tested() {
        report.add_test_suite(suite_of(suite));
    }
    if !run.problems.is_empty() {
        let mut suite = TestSuite::new("admissible");
        suite.add_test_cases(run.problems.iter().map(problem));
        report.add_test_suite(suite);
    }
    let report = report.to_string().map_err(io::Error::other)?;
    out.write_all(without_skipped(&report).as_bytes())?;
    out.flush()
}

/// Returns the report without the attribute `skipped` of its root, which the schema of Jenkins does
/// not have. No test is skipped.
///
/// Upstream: jenkinsci/xunit-plugin, junit-10.xsd, element `testsuites`.
fn without_skipped(report: &str) -> String {
    report.replacen(" skipped=\"0\"", "", 1)
}

fn suite_of(suite: &Suite) -> TestSuite {
    let mut out = TestSuite::new(suite.path.as_str());
    out.set_time(suite.elapsed);
    if let Some(coverage) = &suite.coverage {
        let totals = coverage.totals;
        let counts = [
            ("coverage.expressions", totals.expressions),
            ("coverage.branches", totals.branches),
        ];
        out.add_property((
            "coverage.percent",
            format!("{:.1}", coverage.percent()).as_str(),
        ));
        for (name, count) in counts {
            let count = format!("{}/{}", count.covered, count.total);
            out.add_property((name, count.as_str()));
        }
    }
    out.add_test_cases(suite.cases.iter().map(|case| case_of(suite, case)));
    out.add_test_cases(suite.problems.iter().map(problem));
    out
}

fn case_of(suite: &Suite, case: &Case) -> TestCase {
    let status = match &case.status {
        Status::Passed(_) => TestCaseStatus::success(),
        Status::Failed(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let first = failure.differences.first();
            status.set_message(first.map_or("", |it| it.message.as_str()));
            status.set_description(description(suite, failure));
            status
        }
        Status::Broken(reason) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(reason.as_str());
            status
        }
    };
    let mut out = TestCase::new(case.name.as_str(), status);
    out.set_classname(case.policy.as_str());
    out.set_time(case.elapsed);
    out
}

/// Writes an error in a file as a test that could not run.
fn problem(problem: &Problem) -> TestCase {
    let path = &problem.path;
    let name = match &problem.place {
        Some(ProblemLocation::Text(source, range)) => at(path, source, *range),
        Some(ProblemLocation::Stream(at)) => format!("{path}:{}:{}", at.line, at.column),
        None => path.clone(),
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status
        .set_message(problem.message.as_str())
        .set_type(PROBLEM);
    TestCase::new(name, status)
}

/// Returns a failure as text.
fn description(suite: &Suite, failure: &Failure) -> String {
    let mut out = String::new();
    for differing in &failure.differences {
        let location = differing.place.as_ref();
        let location = location
            .map(|(source, range)| at(&differing.path, source, *range))
            .unwrap_or_else(|| differing.path.clone());
        let _ = writeln!(out, "{location}: {}", differing.message);
        match (differing.diff(), differing.difference.expected_and_found()) {
            (Some(diff), _) => out.push_str(&diff),
            (None, (expected, found)) => {
                let found = found.as_deref().unwrap_or("nothing");
                let _ = writeln!(out, "expected: {expected}\nactual: {found}");
            }
        }
    }
    for deciding in &failure.deciders {
        let location = suite.source.as_ref().zip(deciding.range);
        let location = location
            .map(|(source, range)| at(&suite.path, source, range))
            .unwrap_or_else(|| suite.path.clone());
        let _ = writeln!(
            out,
            "{location}: {} {}",
            deciding.field,
            deciding.description()
        );
        for step in &deciding.steps {
            let indent = "  ".repeat(step.depth + 1);
            let value = step.value.sized(MAX_VALUE);
            let _ = writeln!(out, "{indent}{} = {value}", step.text);
        }
    }
    out
}

/// Returns a location as `path:line:column`.
fn at(path: &str, source: &Source, range: TextRange) -> String {
    let start = source.region(range).start;
    format!("{path}:{}:{}", start.line, start.column)
}
