//! The files of cases that the runner supports, and the function for each.

use super::case::{Case, Outcome, cases};
use super::report::{Report, Tally};
use super::{
    availability, compilation, defaults, difference, evaluation, findings, formatting, kinds,
    mutation, recorded, scenario, specification, traps, validation,
};
use crate::error::Error;
use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Answers a case and compares.
pub(super) type Check = fn(&Case) -> Outcome;

/// Compares the verdict that syntax alone decides; `None` if syntax does not decide it.
pub(super) type SyntaxCheck = fn(&Case) -> Option<Outcome>;

/// A file of cases, by the name that it always has.
struct CaseFile {
    file: &'static str,
    /// The complete check.
    whole: Check,
    /// The verdict that syntax alone decides: whether the expression can be parsed.
    syntax: Option<SyntaxCheck>,
    /// The comparison of findings, for files that compare them expression by expression.
    findings: Option<findings::Check>,
}

impl CaseFile {
    const fn new(file: &'static str, whole: Check) -> Self {
        Self {
            file,
            whole,
            syntax: None,
            findings: None,
        }
    }

    const fn with_syntax(file: &'static str, whole: Check, syntax: SyntaxCheck) -> Self {
        Self {
            file,
            whole,
            syntax: Some(syntax),
            findings: None,
        }
    }

    const fn with_findings(file: &'static str, whole: Check, findings: findings::Check) -> Self {
        Self {
            file,
            whole,
            syntax: None,
            findings: Some(findings),
        }
    }
}

const CASE_FILES: &[CaseFile] = &[
    CaseFile::new("admission.jsonl", scenario::check),
    CaseFile::new("availability.jsonl", availability::check),
    CaseFile::new("cases.jsonl", recorded::check),
    CaseFile::with_syntax(
        "cel-spec-kubernetes.jsonl",
        traps::check,
        traps::check_syntax,
    ),
    CaseFile::with_syntax(
        "cel-spec.jsonl",
        specification::check,
        traps::check_specification,
    ),
    CaseFile::with_syntax("cel-traps.jsonl", traps::check, traps::check_syntax),
    CaseFile::with_syntax("cel.jsonl", compilation::check, compilation::check_syntax),
    CaseFile::with_findings("check.jsonl", findings::check, findings::compare_findings),
    CaseFile::new("default.jsonl", defaults::check),
    CaseFile::new("evaluate.jsonl", evaluation::check),
    CaseFile::new("mutate.jsonl", mutation::check),
    CaseFile::new("typecheck.jsonl", kinds::check),
    CaseFile::new("validate.jsonl", validation::check),
];

/// Runs the cases of every known file in `folder`; other files are ignored.
///
/// # Errors
/// If the folder contains no known file, or one that cannot be read.
pub(super) fn run(folder: &Path) -> Result<Vec<Report>, Error> {
    let mut reports = Vec::new();
    let kubernetes = difference::kubernetes(folder)?;
    for known in CASE_FILES {
        let path = folder.join(known.file);
        if path.is_file() {
            let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
            let bytes = recorded::with_files(folder, &bytes);
            let mut report = report(known, &bytes);
            difference::set_apart(known.file, &bytes, &kubernetes, &mut report.whole);
            reports.push(report);
        }
    }
    if reports.is_empty() {
        let folder = folder.display();
        return Err(Error::Failed(format!("no file of cases in {folder}")));
    }
    Ok(reports)
}

/// Formats the expressions in the files of the reports.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn format(folder: &Path, reports: &mut [Report]) -> Result<(), Error> {
    for report in reports {
        let path = folder.join(&report.file);
        let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
        report.formatted = tally(&bytes, formatting::check);
    }
    Ok(())
}

/// Runs the cases in a known file.
fn report(known: &CaseFile, text: &[u8]) -> Report {
    Report {
        file: known.file.into(),
        whole: tally(text, |case| Some((known.whole)(case))),
        syntax: known.syntax.map(|check| tally(text, check)),
        findings: known.findings.map(|findings| findings::sum(text, findings)),
        formatted: Tally::default(),
    }
}

/// Checks every case in a file. A line that is not a case counts as failed.
pub(super) fn tally(text: &[u8], check: impl Fn(&Case) -> Option<Outcome>) -> Tally {
    let mut tally = Tally::default();
    for case in cases(text) {
        match case {
            Ok(case) => {
                if let Some(outcome) = guarded(&case, &check) {
                    tally.add(&case.id, outcome);
                }
            }
            Err((id, why)) => tally.add(&id, Err(why)),
        }
    }
    tally
}

/// Checks a case. A panic is the failure of that case alone.
fn guarded(case: &Case, check: &impl Fn(&Case) -> Option<Outcome>) -> Option<Outcome> {
    catch_unwind(AssertUnwindSafe(|| check(case)))
        .unwrap_or_else(|panic| Some(Err(format!("panicked: {}", words(panic.as_ref())))))
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without words")
}
