//! An expression that can run.

use super::code::{Code, LoopKind, StepKind};
use super::frame::{Frame, Val};
use super::limits::{Limits, Outcome};
use super::record::{Recorder, Recording, Silent, Watcher};
use super::run::Run;
use super::{Activation, Coverage, Trace, instantiation, plan};
use crate::check::Checked;
use crate::env::Env;
use crate::syntax::ExprId;
use crate::value::{EvalError, Value};
use std::fmt;

/// A compiled expression. It is compiled once, shared between threads, and run many times.
#[derive(Debug)]
pub struct Program {
    code: Code,
    /// The value and the cost, if they are known without an evaluation.
    known: Option<(SmallValue, u64)>,
    /// Whether it only compares a field with a constant, which needs no preparation.
    is_field_test: bool,
    /// Whether the value is always `true` or `false`.
    is_test: bool,
}

/// A value that fits a register.
#[derive(Clone, Copy, Debug)]
enum SmallValue {
    Int(i64),
    Bool(bool),
}

impl SmallValue {
    #[inline]
    const fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Some(Self::Int(*number)),
            Value::Bool(value) => Some(Self::Bool(*value)),
            _ => None,
        }
    }

    #[inline]
    const fn value(self) -> Value {
        match self {
            Self::Int(number) => Value::Int(number),
            Self::Bool(value) => Value::Bool(value),
        }
    }
}

/// The reason why a checked expression cannot run: an invalid constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    reason: EvalError,
    expr: Option<ExprId>,
}

impl ProgramError {
    pub(super) const fn new(reason: EvalError, expr: Option<ExprId>) -> Self {
        Self { reason, expr }
    }

    /// Returns cel-go's message. Kubernetes adds the prefix `program instantiation failed: `.
    #[must_use]
    pub const fn reason(&self) -> &EvalError {
        &self.reason
    }

    /// Returns the invalid part of the expression.
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
    /// The expression has errors, or a constant in it has no value: an invalid regular
    /// expression, `int('x')`.
    pub fn new(checked: &Checked, env: &Env) -> Result<Self, ProgramError> {
        plan::plan(checked, env, false).map(Self::from_code)
    }

    /// Returns whether [`Program::new`] certainly succeeds, without creating a program. If it is
    /// false, the creation may succeed as well.
    #[must_use]
    pub fn always_exists(checked: &Checked, env: &Env) -> bool {
        instantiation::always_succeeds(checked, env)
    }

    /// Compiles an expression despite errors of the checker. An invalid part fails when it is
    /// evaluated. Kubernetes never runs such an expression; the specification of CEL describes it.
    ///
    /// # Errors
    /// Only those of [`Program::new`] that cannot be delayed until evaluation.
    pub fn unchecked(checked: &Checked, env: &Env) -> Result<Self, ProgramError> {
        plan::plan(checked, env, true).map(Self::from_code)
    }

    /// Returns whether the result of a loop may depend on the order of its elements. The order of a
    /// map's keys is random in Go.
    #[must_use]
    pub fn visits_in_order(&self) -> bool {
        self.code.steps.iter().any(|step| match &step.kind {
            StepKind::Fold(_) => true,
            StepKind::Loop(it) => matches!(it.kind, LoopKind::List(..) | LoopKind::Entries(..)),
            _ => false,
        })
    }

    /// Returns the value of the expression.
    #[must_use]
    #[inline]
    pub fn run(&self, variables: &dyn Activation, limits: &Limits<'_>) -> Outcome {
        // A known value needs no evaluation.
        if let Some((value, cost)) = self.known
            && limits.cost.is_none_or(|limit| cost <= limit)
        {
            return Outcome {
                result: Ok(value.value()),
                cost,
                memory: 0,
            };
        }
        self.evaluate(variables, limits)
    }

    fn from_code(code: Code) -> Self {
        let known = match code.kind(code.root) {
            StepKind::Known(value, cost, _) => {
                SmallValue::from_value(value).map(|value| (value, *cost))
            }
            _ => None,
        };
        let is_field_test = matches!(
            code.kind(code.root),
            StepKind::Call(call) if call.is_predicate && call.field.is_some()
        );
        Self {
            is_field_test,
            is_test: code.is_test(code.root),
            code,
            known,
        }
    }

    fn evaluate(&self, variables: &dyn Activation, limits: &Limits<'_>) -> Outcome {
        if self.is_field_test
            && let Some((value, cost)) = self.code.test_field(variables)
            && limits.cost.is_none_or(|limit| cost <= limit)
        {
            return Outcome {
                result: Ok(Value::Bool(value)),
                cost,
                memory: 0,
            };
        }
        let run = Run::new(&self.code, variables, limits, Silent);
        outcome(&run, limits, self.is_test)
    }

    /// Returns the value of the expression and of every part of it.
    #[must_use]
    pub fn run_traced(&self, variables: &dyn Activation, limits: &Limits<'_>) -> (Outcome, Trace) {
        let recording = Recording::default();
        let outcome = self.watched(variables, limits, &recording);
        (outcome, recording.into_trace())
    }

    /// Returns the value of the expression. The outcome of each part is added to `coverage`, which
    /// must be for the compiled tree.
    #[must_use]
    pub fn run_covered(
        &self,
        variables: &dyn Activation,
        limits: &Limits<'_>,
        coverage: &Coverage,
    ) -> Outcome {
        self.watched(variables, limits, coverage)
    }

    fn watched(
        &self,
        variables: &dyn Activation,
        limits: &Limits<'_>,
        watcher: &dyn Watcher,
    ) -> Outcome {
        let run = Run::new(&self.code, variables, limits, watcher);
        outcome(&run, limits, self.is_test)
    }
}

fn outcome<R: Recorder>(run: &Run<'_, R>, limits: &Limits<'_>, is_test: bool) -> Outcome {
    let root = run.code.root;
    if is_test {
        return Outcome {
            result: run.test(root, &Frame::NONE).map(Value::Bool),
            cost: run.cost(),
            memory: limits.memory - run.context.memory(),
        };
    }
    let result = run.eval(root, &Frame::NONE);
    let cost = run.cost();
    // A small value is created anew: reading it as a whole right after writing its parts stalls the
    // processor.
    let small = result
        .as_ref()
        .ok()
        .and_then(|value| SmallValue::from_value(value));
    let result = match small {
        Some(value) => Ok(value.value()),
        None => result.map(Val::into_owned),
    };
    Outcome {
        result,
        cost,
        memory: limits.memory - run.context.memory(),
    }
}
