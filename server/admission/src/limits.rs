//! The cost limits of an evaluation.
//!
//! Upstream: kubernetes/apiserver, pkg/apis/cel/config.go.

use cel::eval::Limits;
use cel::value::{EvalError, EvalErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Limit: the bytes that the expressions and variables of one filter may allocate. Kubernetes has
/// no such limit: there, concatenating lists does not allocate. Objects have a few megabytes at
/// most.
pub(super) const MEMORY: usize = 64 * 1024 * 1024;

/// The reason of an evaluation that was stopped by its deadline or canceled.
pub const TAKES_TOO_LONG: &str = "stopped: the evaluation takes too long";

/// Limits of an evaluation other than its cost.
#[derive(Clone, Debug, Default)]
pub struct EvaluationLimits {
    /// Ends the evaluation when it becomes true.
    pub canceled: Option<Arc<AtomicBool>>,
    /// Ends the evaluation at this time.
    pub deadline: Option<Instant>,
}

impl EvaluationLimits {
    /// Returns the limits of an evaluation that begins now.
    #[must_use]
    pub fn within(patience: Duration) -> Self {
        Self {
            canceled: None,
            deadline: Instant::now().checked_add(patience),
        }
    }

    /// Returns the same limits with at least this much time from now.
    #[must_use]
    pub fn at_least(&self, patience: Duration) -> Self {
        let least = Instant::now().checked_add(patience);
        Self {
            canceled: self.canceled.clone(),
            deadline: self.deadline.and_then(|it| Some(it.max(least?))),
        }
    }

    /// Returns the limits of one expression.
    pub(super) fn for_call(&self, cost: u64) -> Limits<'_> {
        Limits {
            cost: Some(cost),
            canceled: self.canceled.as_deref(),
            deadline: self.deadline,
            memory: MEMORY,
            shared_memory: None,
        }
    }

    /// Returns the limits of one of several expressions that share their memory.
    pub(super) fn for_shared<'a>(&'a self, cost: u64, memory: &'a AtomicUsize) -> Limits<'a> {
        Limits {
            shared_memory: Some(memory),
            ..self.for_call(cost)
        }
    }

    /// Returns whether the evaluation is canceled.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        let canceled = self.canceled.as_ref();
        canceled.is_some_and(|canceled| canceled.load(Ordering::Relaxed))
    }

    /// Returns whether the evaluation is canceled, or its deadline has passed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_canceled() || self.deadline.is_some_and(|it| it <= Instant::now())
    }
}

/// Returns why an evaluation was stopped, if the error is not one of the API server: a limit of this
/// program, or a value that is unknown.
#[must_use]
pub fn stopped(error: &EvalError) -> Option<&'static str> {
    match error.kind() {
        EvalErrorKind::Canceled => Some(TAKES_TOO_LONG),
        EvalErrorKind::MemoryLimit => Some("stopped: the values need more than 64 MiB of memory"),
        EvalErrorKind::NestingLimit => Some("stopped: the variables are nested too deeply"),
        EvalErrorKind::Unknown(why) => Some(why),
        EvalErrorKind::NoSuchOverload(_)
        | EvalErrorKind::NoSuchKey(_)
        | EvalErrorKind::NoSuchAttribute(_)
        | EvalErrorKind::CostLimit
        | EvalErrorKind::OutOfRange(_)
        | EvalErrorKind::Conversion { .. }
        | EvalErrorKind::InvalidUtf8
        | EvalErrorKind::InvalidRegex(_)
        | EvalErrorKind::Message(_) => None,
    }
}
