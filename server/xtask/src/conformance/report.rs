//! The results of the cases of a file, as text and as JSON.

use super::case::Outcome;
use super::findings::FindingComparison;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A case that did not pass.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    id: String,
    why: String,
}

/// The number of cases that passed, and those that failed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: Vec<Failure>,
    /// The cases that differ as they should, by the reason.
    pub(super) accepted_differences: BTreeMap<&'static str, Vec<String>>,
}

/// The results of the cases of a file.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The name of the file.
    pub(super) file: String,
    /// The cases.
    pub(super) whole: Tally,
    /// The verdicts that syntax alone decides, for files that have some.
    pub(super) syntax: Option<Tally>,
    /// The comparison of findings, for files that compare them.
    pub(super) findings: Option<FindingComparison>,
    /// The cases whose expressions keep their trees when they are formatted.
    pub(super) formatted: Tally,
}

impl Tally {
    pub(super) fn add(&mut self, id: &str, outcome: Outcome) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(why) => self.failed.push(Failure { id: id.into(), why }),
        }
    }

    /// Counts a case that failed as an accepted difference, if the parts that must be correct are.
    /// Returns whether it failed.
    pub(super) fn excuse(
        &mut self,
        id: &str,
        reason: &'static str,
        verdict: impl FnOnce() -> Outcome,
    ) -> bool {
        let Some(at) = self.failed.iter().position(|failure| failure.id == id) else {
            return false;
        };
        match verdict() {
            Ok(()) => {
                let case = self.failed.remove(at);
                self.accepted_differences
                    .entry(reason)
                    .or_default()
                    .push(case.id);
            }
            Err(why) => {
                if let Some(failure) = self.failed.get_mut(at) {
                    failure.why = why;
                }
            }
        }
        true
    }

    fn differing(&self) -> usize {
        self.accepted_differences.values().map(Vec::len).sum()
    }

    pub(super) fn total(&self) -> usize {
        self.passed + self.failed.len() + self.differing()
    }

    fn json(&self) -> Value {
        let ids: Vec<&str> = self.failed.iter().map(|case| case.id.as_str()).collect();
        let mut json = json!({ "passed": self.passed, "total": self.total(), "failed": ids });
        if let Some(json) = json.as_object_mut()
            && !self.accepted_differences.is_empty()
        {
            json.insert("known_differences".into(), json!(self.accepted_differences));
        }
        json
    }

    fn text(&self, why: bool) -> String {
        let mut text = format!("{}/{}\n", self.passed, self.total());
        for (reason, ids) in &self.accepted_differences {
            let _ = writeln!(text, "  {} known to differ: {reason}", ids.len());
        }
        if why {
            for Failure { id, why } in &self.failed {
                let _ = writeln!(text, "  {id}: {}", why.replace('\n', "\n    "));
            }
        } else if self.failed.len() == self.total() && self.total() > 0 {
            text.push_str("  failed: all\n");
        } else if !self.failed.is_empty() {
            let ids: Vec<&str> = self.failed.iter().map(|case| case.id.as_str()).collect();
            let _ = writeln!(text, "  failed: {}", ids.join(", "));
        }
        text
    }
}

impl Report {
    /// Returns one JSON object on one line, without a line break.
    pub(super) fn json(&self) -> Value {
        let mut json = self.whole.json();
        let mut object = json!({ "file": self.file });
        if let (Some(object), Some(whole)) = (object.as_object_mut(), json.as_object_mut()) {
            object.append(whole);
            if let Some(syntax) = &self.syntax {
                object.insert("syntax".into(), syntax.json());
            }
            if let Some(findings) = &self.findings {
                object.insert("missed".into(), findings.missed.len().into());
                object.insert("false".into(), findings.wrong.len().into());
            }
            if self.formatted.total() > 0 {
                object.insert("formatted".into(), self.formatted.json());
            }
        }
        object
    }

    /// Returns a line with the numbers, then the cases that failed, with the reason if `why`.
    pub(super) fn text(&self, why: bool) -> String {
        let mut text = format!("{} {}", self.file, self.whole.text(why));
        if let Some(syntax) = &self.syntax {
            let _ = write!(text, "{} (syntax verdicts) {}", self.file, syntax.text(why));
        }
        if let Some(findings) = &self.findings {
            let _ = writeln!(text, "{} ({findings})", self.file);
        }
        if self.formatted.total() > 0 {
            let _ = write!(
                text,
                "{} (formatted) {}",
                self.file,
                self.formatted.text(why)
            );
        }
        text
    }
}
