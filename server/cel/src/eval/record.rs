//! Watching an evaluation.

use super::Trace;
use super::frame::{Evaluated, Val};
use crate::syntax::ExprId;
use std::cell::RefCell;

/// Something that is told the value of every step. An evaluation is compiled for each kind,
/// so that one nobody watches pays nothing.
pub(super) trait Recorder {
    const ON: bool;

    fn record(&self, expr: ExprId, result: &Evaluated<'_>);

    /// A loop begins: what was recorded so far stays, whatever the turns do.
    fn enter_loop(&self);

    /// A turn of the loop begins: what the turn before recorded is gone.
    fn next_turn(&self);

    /// Holds what this turn recorded, in case it decides.
    fn hold_turn(&self);

    /// Goes back to the turn that is held if `held` is true, or lets go of it.
    fn choose_turn(&self, held: bool);

    /// The loop has ended: what its last turn recorded stays.
    fn leave_loop(&self);
}

/// Nobody watches.
pub(super) struct Silent;

impl Recorder for Silent {
    const ON: bool = false;

    fn record(&self, _: ExprId, _: &Evaluated<'_>) {}

    fn enter_loop(&self) {}

    fn next_turn(&self) {}

    fn hold_turn(&self) {}

    fn choose_turn(&self, _: bool) {}

    fn leave_loop(&self) {}
}

/// Keeps everything.
#[derive(Default)]
pub(super) struct Recording {
    trace: RefCell<Trace>,
    /// What was recorded before the loops that run, and turns that are held.
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

impl Recorder for Recording {
    const ON: bool = true;

    fn record(&self, expr: ExprId, result: &Evaluated<'_>) {
        let result = match result {
            Ok(Val::Ref(value)) => Ok((*value).clone()),
            Ok(Val::Own(value)) => Ok(value.clone()),
            Err(error) => Err(error.clone()),
        };
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
