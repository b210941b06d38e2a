//! The limits and the outcome of an evaluation.

use crate::library::Context;
use crate::value::{EvalError, Value};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

/// The limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The cost units after which the evaluation ends. `None` means no limit.
    pub cost: Option<u64>,
    /// Ends the evaluation when it becomes true. Loops check it at every hundredth step.
    pub canceled: Option<&'a AtomicBool>,
    /// Ends the evaluation at this time. Loops check it as often.
    pub deadline: Option<Instant>,
    /// The bytes that the evaluation may allocate for lists, maps, strings and bytes that it
    /// builds. cel-go has no such limit: there the process runs out of memory.
    pub memory: usize,
    /// The bytes that remain for all evaluations that share them.
    pub shared_memory: Option<&'a AtomicUsize>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self {
            cost: None,
            canceled: None,
            deadline: None,
            memory: Context::MEMORY,
            shared_memory: None,
        }
    }
}

/// The outcome of an evaluation.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The value or the failure.
    pub result: Result<Value, EvalError>,
    /// The cost units used, even if it failed.
    pub cost: u64,
    /// The bytes that were allocated.
    pub memory: usize,
}
