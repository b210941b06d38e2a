//! The results of the expressions of a policy, over many requests.
//!
//! A test suite evaluates a policy many times, on several servers. The author needs the
//! coverage of all of them together, so the recorder is separate from the policy, and any
//! number of compiled forms share it.

use cel::eval::Coverage;
use policy::PolicyDocument;
use std::sync::Arc;

/// The results of the expressions of a policy, in all evaluations that record them by
/// [`CompiledPolicy::recorded`](super::CompiledPolicy::recorded). Threads may share it.
#[derive(Debug)]
pub struct PolicyCoverage {
    /// In the order of [`PolicyDocument::expressions`].
    expressions: Vec<Arc<Coverage>>,
}

impl PolicyCoverage {
    /// Returns the coverage of a policy before any evaluation.
    #[must_use]
    pub fn new(document: &PolicyDocument) -> Self {
        let expressions = document.expressions().iter();
        let expressions = expressions.map(|it| Arc::new(Coverage::new(it.ast())));
        Self {
            expressions: expressions.collect(),
        }
    }

    /// Returns the results of the parts of an expression, by its index in
    /// [`PolicyDocument::expressions`].
    #[must_use]
    pub fn expression(&self, index: usize) -> Option<&Coverage> {
        self.expressions.get(index).map(|coverage| &**coverage)
    }

    /// Adds the outcomes of another coverage of the same policy.
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
