//! The variables of a running expression.

use super::code::StepId;
use crate::value::{EvalError, Value};
use std::cell::OnceCell;
use std::ops::Deref;

/// A value that is read by reference, or one that was just created.
#[derive(Debug)]
pub(super) enum Val<'s> {
    Ref(&'s Value),
    Own(Value),
}

/// The result of a step.
pub(super) type Evaluated<'s> = Result<Val<'s>, EvalError>;

pub(super) static NULL: Value = Value::Null;

impl Val<'_> {
    pub(super) fn into_owned(self) -> Value {
        match self {
            Val::Ref(value) => value.clone(),
            Val::Own(value) => value,
        }
    }

    pub(super) const fn bool(value: bool) -> Self {
        Val::Own(Value::Bool(value))
    }
}

impl Deref for Val<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Val::Ref(value) => value,
            Val::Own(value) => value,
        }
    }
}

/// The variables of one turn of a comprehension, and those around it.
#[derive(Debug)]
pub(super) struct Frame<'s> {
    pub(super) parent: Option<&'s Frame<'s>>,
    pub(super) first: &'s Value,
    pub(super) second: &'s Value,
    pub(super) accumulator: Accumulator<'s>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Accumulator<'s> {
    Value(&'s Value),
    Failure(&'s EvalError),
    /// The first value, which is computed on first use.
    Lazy(&'s Lazy<'s>),
}

#[derive(Debug)]
pub(super) struct Lazy<'s> {
    pub(super) init: StepId,
    pub(super) frame: &'s Frame<'s>,
    pub(super) cell: OnceCell<Result<Value, EvalError>>,
}

impl Frame<'static> {
    /// No variable.
    pub(super) const NONE: Self = Self {
        parent: None,
        first: &Value::Null,
        second: &Value::Null,
        accumulator: Accumulator::Value(&Value::Null),
    };
}

impl<'s> Frame<'s> {
    /// Returns an iteration of a loop whose accumulator no step reads.
    pub(super) const fn turn(parent: &'s Frame<'s>, first: &'s Value, second: &'s Value) -> Self {
        Self {
            parent: Some(parent),
            first,
            second,
            accumulator: Accumulator::Value(&NULL),
        }
    }

    /// Returns the frame of the comprehension that is `up` levels further out.
    pub(super) fn up(&'s self, up: u32) -> &'s Frame<'s> {
        let mut frame = self;
        for _ in 0..up {
            frame = frame.parent.unwrap_or(frame);
        }
        frame
    }
}
