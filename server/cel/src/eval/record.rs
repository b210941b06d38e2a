//! Watching an evaluation.

use super::Trace;
use super::frame::{Evaluated, Val};
use crate::syntax::ExprId;
use crate::value::{EvalError, Value};
use std::cell::RefCell;

/// Receives the value of every step.
///
/// A watcher that treats all iterations of a loop alike ignores where one begins or ends.
pub(super) trait Watcher {
    fn record(&self, expr: ExprId, result: &Evaluated<'_>);

    /// Records a step that is only tested for `true` or `false`.
    fn record_test(&self, expr: ExprId, result: &Result<bool, EvalError>);

    /// Begins a loop: values recorded so far are kept, whatever its iterations record.
    fn enter_loop(&self) {}

    /// Begins the next iteration: the values of the previous one are dropped.
    fn next_turn(&self) {}

    /// Holds the records of this iteration, in case it decides the result.
    fn hold_turn(&self) {}

    /// Restores the held iteration if `held` is true, otherwise drops it.
    fn choose_turn(&self, _held: bool) {}

    /// Ends a loop: the records of its last iteration are kept.
    fn leave_loop(&self) {}
}

/// A watcher, or none. The evaluator is compiled twice, with and without a watcher, so that an
/// evaluation without one has no overhead.
pub(super) trait Recorder: Watcher {
    const ON: bool;
}

/// Records nothing.
pub(super) struct Silent;

impl Recorder for Silent {
    const ON: bool = false;
}

impl Watcher for Silent {
    fn record(&self, _: ExprId, _: &Evaluated<'_>) {}

    fn record_test(&self, _: ExprId, _: &Result<bool, EvalError>) {}
}

impl Recorder for &dyn Watcher {
    const ON: bool = true;
}

impl Watcher for &dyn Watcher {
    fn record(&self, expr: ExprId, result: &Evaluated<'_>) {
        (**self).record(expr, result);
    }

    fn record_test(&self, expr: ExprId, result: &Result<bool, EvalError>) {
        (**self).record_test(expr, result);
    }

    fn enter_loop(&self) {
        (**self).enter_loop();
    }

    fn next_turn(&self) {
        (**self).next_turn();
    }

    fn hold_turn(&self) {
        (**self).hold_turn();
    }

    fn choose_turn(&self, held: bool) {
        (**self).choose_turn(held);
    }

    fn leave_loop(&self) {
        (**self).leave_loop();
    }
}

/// Keeps everything.
#[derive(Default)]
pub(super) struct Recording {
    trace: RefCell<Trace>,
    /// The records from before the running loops, and those of held iterations.
    aside: RefCell<Vec<Trace>>,
}

impl Recording {
    pub(super) fn into_trace(self) -> Trace {
        while !self.aside.borrow().is_empty() {
            self.leave_loop();
        }
        self.trace.into_inner()
    }
}

impl Watcher for Recording {
    fn record(&self, expr: ExprId, result: &Evaluated<'_>) {
        let result = match result {
            Ok(Val::Ref(value)) => Ok((*value).clone()),
            Ok(Val::Own(value)) => Ok(value.clone()),
            Err(error) => Err(error.clone()),
        };
        self.trace.borrow_mut().set(expr, result);
    }

    fn record_test(&self, expr: ExprId, result: &Result<bool, EvalError>) {
        let result = result.clone().map(Value::Bool);
        self.trace.borrow_mut().set(expr, result);
    }

    fn enter_loop(&self) {
        self.aside.borrow_mut().push(self.trace.take());
    }

    fn next_turn(&self) {
        self.trace.borrow_mut().clear();
    }

    fn hold_turn(&self) {
        self.aside.borrow_mut().push(self.trace.take());
    }

    fn choose_turn(&self, held: bool) {
        let turn = self.aside.borrow_mut().pop();
        if let Some(turn) = turn.filter(|_| held) {
            self.trace.replace(turn);
        }
    }

    fn leave_loop(&self) {
        if let Some(mut before) = self.aside.borrow_mut().pop() {
            before.merge(self.trace.take());
            self.trace.replace(before);
        }
    }
}
