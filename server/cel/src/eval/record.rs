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

    /// Keeps what was recorded so far apart from what comes.
    fn set_aside(&self);

    /// Puts both together again: what came last wins if `over` is true.
    fn join(&self, over: bool);
}

/// Nobody watches.
pub(super) struct Silent;

impl Recorder for Silent {
    const ON: bool = false;

    fn record(&self, _: ExprId, _: &Evaluated<'_>) {}

    fn set_aside(&self) {}

    fn join(&self, _: bool) {}
}

/// Keeps everything.
#[derive(Default)]
pub(super) struct Recording {
    trace: RefCell<Trace>,
    aside: RefCell<Vec<Trace>>,
}

impl Recording {
    pub(super) fn into_trace(self) -> Trace {
        while !self.aside.borrow().is_empty() {
            self.join(true);
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

    fn set_aside(&self) {
        self.aside.borrow_mut().push(self.trace.take());
    }

    fn join(&self, over: bool) {
        if let Some(mut before) = self.aside.borrow_mut().pop() {
            before.merge(self.trace.take(), over);
            self.trace.replace(before);
        }
    }
}
