//! The value of every sub-expression.
//!
//! Users want to know why an expression is false; the values of its parts show it. A trace has one
//! value for each part, although the body of a loop has one for every iteration: it keeps the
//! iteration that decided the result (the one that made `all` false or `exists` true, or the first
//! that failed if a failure is the result), and the last iteration otherwise.

use crate::syntax::ExprId;
use crate::value::{EvalError, Value};

/// The value of every sub-expression that was evaluated.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    cells: Vec<Option<Result<Value, EvalError>>>,
}

impl Trace {
    /// Returns the value of a sub-expression or its failure. `None` if it was not evaluated, for
    /// example because a `false` before it decided.
    #[must_use]
    pub fn get(&self, expr: ExprId) -> Option<&Result<Value, EvalError>> {
        self.cells.get(expr.index())?.as_ref()
    }

    /// Returns the sub-expressions that were evaluated, children first.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Result<Value, EvalError>)> {
        let with_id = |(index, cell)| Some((ExprId::new(index), Option::as_ref(cell)?));
        self.cells.iter().enumerate().filter_map(with_id)
    }

    pub(super) fn set(&mut self, expr: ExprId, result: Result<Value, EvalError>) {
        if self.cells.len() <= expr.index() {
            self.cells.resize(expr.index() + 1, None);
        }
        if let Some(cell) = self.cells.get_mut(expr.index()) {
            *cell = Some(result);
        }
    }

    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Adds the values of `other`. If both have a value, `other` wins.
    pub(super) fn merge(&mut self, other: Trace) {
        if self.cells.len() < other.cells.len() {
            self.cells.resize(other.cells.len(), None);
        }
        for (cell, new) in self.cells.iter_mut().zip(other.cells) {
            if new.is_some() {
                *cell = new;
            }
        }
    }
}
