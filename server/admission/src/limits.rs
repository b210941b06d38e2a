//! The cost limits of an evaluation.
//!
//! Upstream: kubernetes/apiserver, pkg/apis/cel/config.go.

use cel::eval::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Limit: the bytes that an evaluation may allocate. Kubernetes has no such limit; objects
/// have some megabytes at most.
const MEMORY: usize = 256 * 1024 * 1024;

/// Limits of an evaluation other than its cost.
#[derive(Clone, Debug, Default)]
pub struct EvaluationLimits {
    /// Ends the evaluation when it becomes true.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl EvaluationLimits {
    /// The limits of one expression.
    pub(super) fn of_call(&self, cost: u64) -> Limits<'_> {
        Limits {
            cost: Some(cost),
            cancelled: self.cancelled.as_deref(),
            memory: MEMORY,
        }
    }

    /// Returns whether the evaluation is canceled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let cancelled = self.cancelled.as_ref();
        cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}
