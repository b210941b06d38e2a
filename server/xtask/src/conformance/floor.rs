//! The number of cases of each file that passed last.
//!
//! A change that fixes one case and breaks two looks like progress to its author. The floor turns
//! it into a failed test.

use super::report::Report;
use crate::error::Error;
use crate::repository;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The file name, next to the cases.
const FILE: &str = "floor.json";

/// The cases of a file that passed last.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Passed {
    passed: usize,
    total: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    syntax: Option<usize>,
}

/// The floor by the name of the file of cases.
pub(super) type Floor = BTreeMap<String, Passed>;

/// Writes the cases that pass now.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(folder: &Path, reports: &[Report]) -> Result<(), Error> {
    let floor: Floor = reports.iter().map(passed).collect();
    let text = serde_json::to_string_pretty(&floor)
        .map_err(|error| Error::Failed(format!("cannot write the floor: {error}")))?;
    repository::write(&folder.join(FILE), &format!("{text}\n"))
}

/// Returns the stored floor.
///
/// # Errors
/// If the file cannot be read.
#[cfg(test)]
pub(super) fn read(folder: &Path) -> Result<Floor, Error> {
    let text = repository::read(&folder.join(FILE))?;
    serde_json::from_str(&text).map_err(|error| Error::Failed(format!("{FILE}: {error}")))
}

fn passed(report: &Report) -> (String, Passed) {
    let passed = Passed {
        passed: report.whole.passed,
        total: report.whole.total(),
        syntax: report.syntax.as_ref().map(|syntax| syntax.passed),
    };
    (report.file.clone(), passed)
}

/// Returns a sentence for each number below the floor, and for each missing file.
#[cfg(test)]
pub(super) fn below(floor: &Floor, reports: &[Report]) -> Vec<String> {
    let mut below = Vec::new();
    for (file, kept) in floor {
        let Some(report) = reports.iter().find(|report| report.file == *file) else {
            below.push(format!("{file} is gone"));
            continue;
        };
        let syntax = report.syntax.as_ref().map_or(0, |tally| tally.passed);
        let numbers = [
            ("passed", report.whole.passed, kept.passed),
            ("there", report.whole.total(), kept.total),
            ("right by syntax", syntax, kept.syntax.unwrap_or(0)),
        ];
        for (what, now, last) in numbers {
            if now < last {
                below.push(format!("{file}: {now} {what}, {last} before"));
            }
        }
    }
    below
}
