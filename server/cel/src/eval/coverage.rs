//! Which parts of an expression ran, and with which outcomes.
//!
//! A test suite runs an expression many times. Its author wants to find what no run has covered: a
//! condition that was always true, a side of `||` that was never evaluated. A coverage covers all
//! runs together, with every iteration of every loop. It keeps no values, only whether there was
//! `true`, `false`, another value or a failure.

use super::frame::Evaluated;
use super::record::Watcher;
use crate::syntax::{Ast, ExprId};
use crate::value::{EvalError, Value};
use std::fmt;
use std::ops::{BitOr, BitOrAssign};
use std::sync::atomic::{AtomicU8, Ordering};

/// The results of the parts of one expression, over any number of evaluations. Threads may share
/// it.
///
/// Parentheses and the variables of macros have no entry: [`Ast::bare`] leads from parentheses to
/// the node that has one. A constant may or may not be recorded, since it has only one outcome. A
/// chain with `.?`, and a macro on an optional, are also recorded with the value inside, or with
/// its presence. The outcome of `c` determines which side of `c ? a : b` was evaluated: a side that
/// is a plain name is not always recorded.
pub struct Coverage {
    /// By node of the source.
    cells: Box<[AtomicU8]>,
}

/// The set of outcomes of a part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct OutcomeSet(u8);

impl OutcomeSet {
    const TRUE: Self = Self(1);
    const FALSE: Self = Self(2);
    const OTHER: Self = Self(4);
    const FAILURE: Self = Self(8);

    /// Returns whether it was evaluated at all.
    #[must_use]
    pub const fn evaluated(self) -> bool {
        self.0 != 0
    }

    /// Returns whether it was `true`.
    #[must_use]
    pub const fn true_once(self) -> bool {
        self.has(Self::TRUE)
    }

    /// Returns whether it was `false`.
    #[must_use]
    pub const fn false_once(self) -> bool {
        self.has(Self::FALSE)
    }

    /// Returns whether it had a value, of any type.
    #[must_use]
    pub const fn value_once(self) -> bool {
        self.has(Self(Self::TRUE.0 | Self::FALSE.0 | Self::OTHER.0))
    }

    /// Returns whether it failed, even if the failure was absorbed.
    #[must_use]
    pub const fn failed_once(self) -> bool {
        self.has(Self::FAILURE)
    }

    const fn has(self, one_of: Self) -> bool {
        self.0 & one_of.0 != 0
    }

    const fn from_test(result: &Result<bool, EvalError>) -> Self {
        match result {
            Ok(true) => Self::TRUE,
            Ok(false) => Self::FALSE,
            Err(_) => Self::FAILURE,
        }
    }

    fn from_result(result: &Evaluated<'_>) -> Self {
        match result.as_deref() {
            Ok(Value::Bool(true)) => Self::TRUE,
            Ok(Value::Bool(false)) => Self::FALSE,
            Ok(_) => Self::OTHER,
            Err(_) => Self::FAILURE,
        }
    }
}

impl BitOr for OutcomeSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for OutcomeSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl fmt::Debug for OutcomeSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (Self::TRUE, "true"),
            (Self::FALSE, "false"),
            (Self::OTHER, "other"),
            (Self::FAILURE, "failure"),
        ];
        let seen = all.iter().filter(|(kind, _)| self.has(*kind));
        let names: Vec<&str> = seen.map(|(_, name)| *name).collect();
        write!(out, "{{{}}}", names.join(", "))
    }
}

impl Coverage {
    /// Returns the coverage of an expression that has not run.
    #[must_use]
    pub fn new(ast: &Ast) -> Self {
        Self {
            cells: ast.ids().map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// Returns the outcomes of a node of the expression.
    #[must_use]
    pub fn outcomes(&self, expr: ExprId) -> OutcomeSet {
        let cell = self.cells.get(expr.index());
        OutcomeSet(cell.map_or(0, |cell| cell.load(Ordering::Relaxed)))
    }

    /// Adds the outcomes of another coverage of the same expression.
    pub fn merge(&self, other: &Self) {
        for (index, cell) in other.cells.iter().enumerate() {
            self.add(index, OutcomeSet(cell.load(Ordering::Relaxed)));
        }
    }

    fn add(&self, index: usize, seen: OutcomeSet) {
        // Most runs add no outcome, and then no other thread needs to fetch the cell again.
        if let Some(cell) = self.cells.get(index)
            && seen.0 & !cell.load(Ordering::Relaxed) != 0
        {
            cell.fetch_or(seen.0, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Coverage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.cells.iter().enumerate();
        let seen = cells.map(|(index, _)| (index, self.outcomes(ExprId::new(index))));
        out.debug_map()
            .entries(seen.filter(|(_, seen)| seen.evaluated()))
            .finish()
    }
}

impl Watcher for Coverage {
    fn record(&self, expr: ExprId, result: &Evaluated<'_>) {
        self.add(expr.index(), OutcomeSet::from_result(result));
    }

    fn record_test(&self, expr: ExprId, result: &Result<bool, EvalError>) {
        self.add(expr.index(), OutcomeSet::from_test(result));
    }
}
