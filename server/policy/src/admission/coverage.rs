//! What the expressions of a policy came out as, over many requests.
//!
//! A suite of tests asks a policy many times, on several servers that are made for them. The
//! author wants to know what all of them together have tried, so the recorder lives beside
//! the policy and not in it, and any number of compiled forms share it.

use crate::document::PolicyDocument;
use cel::eval::Coverage;
use std::sync::Arc;

/// What the expressions of a policy came out as, in all evaluations that were asked to
/// record it by [`CompiledPolicy::recorded`](super::CompiledPolicy::recorded). Threads may
/// share it.
#[derive(Debug)]
pub struct PolicyCoverage {
    /// In the order of [`PolicyDocument::expressions`].
    expressions: Vec<Arc<Coverage>>,
}

impl PolicyCoverage {
    /// The coverage of a policy that has not been asked.
    #[must_use]
    pub fn new(document: &PolicyDocument) -> Self {
        let expressions = document.expressions().iter();
        let expressions = expressions.map(|it| Arc::new(Coverage::of(it.ast())));
        Self {
            expressions: expressions.collect(),
        }
    }

    /// What the parts of an expression came out as, by its place in
    /// [`PolicyDocument::expressions`].
    #[must_use]
    pub fn expression(&self, index: usize) -> Option<&Coverage> {
        self.expressions.get(index).map(|coverage| &**coverage)
    }

    /// Adds what another coverage of the same policy has.
    pub fn merge(&self, other: &Self) {
        for (own, other) in self.expressions.iter().zip(&other.expressions) {
            own.merge(other);
        }
    }

    pub(super) fn shared(&self, index: usize) -> Option<Arc<Coverage>> {
        self.expressions.get(index).cloned()
    }
}

#[cfg(test)]
mod tests;
