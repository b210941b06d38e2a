//! The result of an object: the findings of policies, and the policies that match it.

use super::change::Change;
use super::effect::Effect;
use super::name::Name;
use admission::Operation;

/// A finding for an object.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The row of the policy with its binding.
    pub(super) row: usize,
    pub(super) effect: Effect,
    /// The message of the API server; empty if there is none.
    pub(super) message: String,
    /// Whether the policy could not be evaluated.
    pub(super) is_failure: bool,
    /// The change, with `--diff`.
    pub(super) change: Option<Box<Change>>,
}

/// The result of an object.
#[derive(Debug, Default)]
pub(super) struct ObjectOutcome {
    pub(super) findings: Vec<Finding>,
    /// The names of the object, if there are findings.
    pub(super) name: Option<Name>,
    /// The rows that match it.
    pub(super) matched: Vec<usize>,
    /// The rows that a match condition skips.
    pub(super) skipped: Vec<usize>,
    /// The message of the response, if the request is denied.
    pub(super) response: Option<String>,
    /// The operations that were evaluated.
    pub(super) operations: Vec<Operation>,
}

impl ObjectOutcome {
    /// Returns the part of some rows: their findings and whether they match.
    pub(super) fn of_rows(&self, is_of: impl Fn(usize) -> bool) -> Self {
        let rows = |rows: &[usize]| rows.iter().copied().filter(|row| is_of(*row)).collect();
        let findings = self.findings.iter().filter(|it| is_of(it.row));
        Self {
            findings: findings.cloned().collect(),
            matched: rows(&self.matched),
            skipped: rows(&self.skipped),
            ..Self::default()
        }
    }

    /// Adds the part of other rows.
    pub(super) fn add(&mut self, part: &Self) {
        self.findings.extend(part.findings.iter().cloned());
        self.matched.extend(&part.matched);
        self.skipped.extend(&part.skipped);
    }
}
