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
