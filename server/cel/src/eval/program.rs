//! An expression that can run.

use super::code::{Code, StepKind};
use super::frame::{Frame, Val};
use super::limits::{Limits, Outcome};
use super::record::{Recorder, Recording, Silent};
use super::run::Run;
use super::{Activation, EvalError, Trace, plan};
use crate::check::Checked;
use crate::env::Env;
use crate::syntax::ExprId;
use crate::value::Value;
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
        if let StepKind::Known(value, units, _) = self.code.kind(self.code.root)
            && limits.cost.is_none_or(|limit| *units <= limit)
        {
            let (result, cost) = (Ok(value.clone()), *units);
            return Outcome { result, cost };
        }
        outcome(&Run::new(&self.code, variables, limits, Silent))
    }

    /// The value of the expression and of every part of it.
    #[must_use]
    pub fn run_traced(&self, variables: &dyn Activation, limits: &Limits<'_>) -> (Outcome, Trace) {
        let run = Run::new(&self.code, variables, limits, Recording::default());
        let outcome = outcome(&run);
        (outcome, run.recorder.into_trace())
    }
}

fn outcome<R: Recorder>(run: &Run<'_, R>) -> Outcome {
    let result = run.eval(run.code.root, &Frame::NONE);
    let cost = run.cost();
    // A small value is made anew: to read one as a whole right after its parts were written
    // stalls the processor.
    let small = match &result {
        Ok(value) => match **value {
            Value::Bool(value) => Some(Value::Bool(value)),
            Value::Int(number) => Some(Value::Int(number)),
            _ => None,
        },
        Err(_) => None,
    };
    let result = match small {
        Some(value) => Ok(value),
        None => result.map(Val::into_owned),
    };
    Outcome { result, cost }
}
