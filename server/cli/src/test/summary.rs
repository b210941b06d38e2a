//! The counts of a run, and its summary line.

use super::Run;
use super::case::Status;
use crate::report::summary::counted;
use admission::Caveat;
use serde::Serialize;

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary {
    pub(super) passed: usize,
    pub(super) failed: usize,
    /// Tests that could not run.
    pub(super) errors: usize,
    /// Tests with an object of which a part is not validated.
    pub(super) not_validated: usize,
    /// Tests whose object depends on the order of the mutating policies.
    pub(super) any_order: usize,
    /// Inputs without `expect`.
    pub(super) without_expect: usize,
    /// Errors in files.
    pub(super) problems: usize,
    /// The files with policies.
    pub(super) files: usize,
    /// Files with tests.
    pub(super) files_with_tests: usize,
}

impl Summary {
    pub(super) fn new(run: &Run) -> Self {
        let mut summary = Self {
            problems: run.problems.len(),
            files: run.suites.len(),
            ..Self::default()
        };
        for suite in &run.suites {
            summary.without_expect += suite.without_expect;
            summary.problems += suite.problems.len();
            summary.files_with_tests += usize::from(!suite.cases.is_empty());
            for case in &suite.cases {
                let has = |is: fn(&Caveat) -> bool| usize::from(case.caveats.iter().any(is));
                summary.not_validated += has(|it| matches!(it, Caveat::NotValidated(_)));
                summary.any_order += has(|it| *it == Caveat::AnyOrder);
                match case.status {
                    Status::Passed(_) => summary.passed += 1,
                    Status::Failed(_) => summary.failed += 1,
                    Status::Broken(_) => summary.errors += 1,
                }
            }
        }
        summary
    }

    /// Returns the number of tests.
    pub(super) fn tests(&self) -> usize {
        self.passed + self.failed + self.errors
    }

    /// Returns the summary line, without the time.
    pub(super) fn line(&self, filter: Option<&str>) -> String {
        let mut parts = Vec::new();
        if self.tests() == 0 {
            parts.push(match (filter, self.files) {
                (_, 0) => "No tests: no policy was found".to_owned(),
                (Some(filter), _) => format!("No test has `{filter}` in its name"),
                (None, files) => {
                    let files = counted(files, "file", "files");
                    format!("No tests: {files} with policies, and no input with `expect`")
                }
            });
        } else {
            parts.push(format!("{} passed", self.passed));
        }
        let others = [
            (self.failed, "failed".to_owned()),
            (self.errors, "could not run".to_owned()),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0);
        parts.extend(others.map(|(count, word)| format!("{count} {word}")));
        if self.any_order > 0 {
            let objects = counted(self.any_order, "object depends", "objects depend");
            parts.push(format!("{objects} on the order of policies"));
        }
        if self.without_expect > 0 {
            let inputs = counted(self.without_expect, "input", "inputs");
            parts.push(format!("{inputs} without expect"));
        }
        if self.problems > 0 {
            parts.push(counted(self.problems, "problem", "problems"));
        }
        parts.join(", ")
    }
}
