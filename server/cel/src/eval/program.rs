//! An expression that can run.

use super::code::Code;
use super::frame::{Frame, Val};
use super::limits::{Limits, Outcome};
use super::record::{Recorder, Recording, Silent};
use super::run::Run;
use super::{Activation, EvalError, Trace, plan};
use crate::check::Checked;
use crate::env::Env;
use crate::syntax::ExprId;
use std::fmt;

/// A compiled expression. It is compiled once, shared between threads, and run many times.
#[derive(Debug)]
pub struct Program {
    code: Code,
}

/// Why a checked expression cannot run: a constant in it has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    reason: EvalError,
    expr: Option<ExprId>,
}

impl ProgramError {
    pub(super) const fn new(reason: EvalError, expr: Option<ExprId>) -> Self {
        Self { reason, expr }
    }

    /// What is wrong, in the words of cel-go. Kubernetes puts
    /// `program instantiation failed: ` before it.
    #[must_use]
    pub const fn reason(&self) -> &EvalError {
        &self.reason
    }

    /// The part of the text that is wrong.
    #[must_use]
    pub const fn expr(&self) -> Option<ExprId> {
        self.expr
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(out)
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Compiles an expression that was checked in this environment.
    ///
    /// # Errors
    /// The expression has mistakes, or a constant in it has no value: a regular expression
    /// that is none, `int('x')`.
    pub fn new(checked: &Checked, env: &Env) -> Result<Self, ProgramError> {
        plan::plan(checked, env, false).map(|code| Self { code })
    }

    /// Compiles an expression whatever the checker holds against it. What has no meaning
    /// fails when the expression comes to it, if it does. Kubernetes never runs such an
    /// expression; the specification of CEL describes it.
    ///
    /// # Errors
    /// None but those of [`Program::new`] at places where nothing can fail later.
    pub fn unchecked(checked: &Checked, env: &Env) -> Result<Self, ProgramError> {
        plan::plan(checked, env, true).map(|code| Self { code })
    }

    /// The value of the expression.
    #[must_use]
    pub fn run(&self, variables: &dyn Activation, limits: &Limits<'_>) -> Outcome {
        self.run_with(variables, limits, Silent).0
    }

    /// The value of the expression and of every part of it.
    #[must_use]
    pub fn run_traced(&self, variables: &dyn Activation, limits: &Limits<'_>) -> (Outcome, Trace) {
        let (outcome, recording) = self.run_with(variables, limits, Recording::default());
        (outcome, recording.into_trace())
    }

    fn run_with<R: Recorder>(
        &self,
        variables: &dyn Activation,
        limits: &Limits<'_>,
        recorder: R,
    ) -> (Outcome, R) {
        let run = Run::new(&self.code, variables, limits, recorder);
        let result = run.eval(self.code.root, &Frame::NONE).map(Val::into_owned);
        let cost = run.cost();
        (Outcome { result, cost }, run.recorder)
    }
}
