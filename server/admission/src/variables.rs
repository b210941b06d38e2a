//! `variables`: each is evaluated when an expression first reads it, and then kept.
//!
//! So a variable that fails affects only its readers, and an unused variable costs nothing.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/composition.go, variableAccessor.

use super::compiled::{Named, Variable};
use super::limits::{EvaluationLimits, MEMORY, stopped};
use super::request_view::{RequestView, Roots, Visibility};
use cel::Value;
use cel::types::Type;
use cel::value::{EvalError, EvalErrorKind, Opaque};
use policy::cost::PER_CALL;
use policy::nesting::Nesting;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The name of the root.
const NAME: &str = "variables";

/// Limit: the nested steps of a variable that run on the stack of the caller. Deeper variables run
/// on a separate stack of the required size.
const STEPS_ON_STACK: u32 = if cfg!(debug_assertions) { 60 } else { 200 };

/// Limit: the bytes of an error that the error of the variable above it repeats, from the end, where
/// the cause is. In a chain of thousands each would repeat all others.
const REPEATED: usize = 4 * 1024;

/// The maximum stack bytes of one step.
const STEP: usize = if cfg!(debug_assertions) {
    8 * 1024
} else {
    3 * 1024
};

/// The state that the expressions of one filter of one request share.
#[derive(Debug)]
pub(super) struct Scope {
    /// The variables of an expression, including `variables`.
    pub(super) roots: Roots,
    /// The bytes that remain for all expressions of a policy without variables.
    memory: AtomicUsize,
    variables: Option<Variables>,
}

/// The variables of one filter of one request: its values are shared by its expressions.
#[derive(Clone)]
struct Variables(Arc<Inner>);

struct Inner {
    view: Arc<RequestView>,
    visibility: Visibility,
    programs: Arc<Named>,
    limits: EvaluationLimits,
    /// The bytes that remain for all expressions and variables.
    memory: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order of the programs.
    values: Vec<Slot>,
    /// How many variables, from the first on, are evaluated.
    evaluated: usize,
    /// The cost since it was last taken.
    cost: u64,
    /// Whether an evaluation is on a separate stack.
    has_stack: bool,
    reads: Option<ReadLog>,
}

impl State {
    /// Returns how many nested steps the evaluation of a variable takes on the stack of the caller.
    /// If all variables before it are evaluated, it evaluates no other.
    fn steps_on_stack(&mut self, index: usize, nesting: Nesting) -> u32 {
        while let Some(Slot::Done(_)) = self.values.get(self.evaluated) {
            self.evaluated += 1;
        }
        if index <= self.evaluated {
            nesting.own_steps
        } else {
            nesting.steps
        }
    }
}

#[derive(Clone, Default)]
enum Slot {
    #[default]
    New,
    Running,
    Done(Result<Value, EvalError>),
}

/// The variables that are read, and their costs, for the cost of an expression whose variables are
/// partly evaluated.
#[derive(Default)]
struct ReadLog {
    /// The running evaluations, the innermost last.
    open: Vec<Reader>,
    /// In the order of the programs.
    variables: Vec<VariableReads>,
    /// The number of evaluations so far.
    count: u32,
}

/// An evaluation that reads variables.
#[derive(Default)]
struct Reader {
    number: u32,
    reads: Vec<usize>,
}

/// A variable that is read.
#[derive(Clone, Default)]
struct VariableReads {
    /// The cost without those that it reads.
    cost: u64,
    /// The variables that it reads.
    reads: Vec<usize>,
    /// The last evaluation that has read it.
    reader: u32,
    /// The last expression to whose cost it was added.
    counted: u32,
}

impl ReadLog {
    fn begin(&mut self) {
        self.count += 1;
        self.open.push(Reader {
            number: self.count,
            reads: Vec::new(),
        });
    }

    fn read(&mut self, index: usize) {
        let variable = self.variables.get_mut(index);
        if let Some((reader, variable)) = self.open.last_mut().zip(variable)
            && variable.reader != reader.number
        {
            variable.reader = reader.number;
            reader.reads.push(index);
        }
    }

    /// Ends the evaluation of a variable.
    fn end(&mut self, index: usize, cost: u64) {
        let reader = self.open.pop().unwrap_or_default();
        if let Some(variable) = self.variables.get_mut(index) {
            (variable.cost, variable.reads) = (cost, reader.reads);
        }
    }

    /// Ends the evaluation of an expression. Returns the cost of all variables that it has read.
    ///
    /// A chain is walked for each of its variables, so every step must be cheap.
    fn cost(&mut self) -> u64 {
        let Reader { number, mut reads } = self.open.pop().unwrap_or_default();
        let mut cost: u64 = 0;
        while let Some(index) = reads.pop() {
            if let Some(variable) = self.variables.get_mut(index)
                && variable.counted != number
            {
                variable.counted = number;
                cost = cost.saturating_add(variable.cost);
                reads.extend_from_slice(&variable.reads);
            }
        }
        cost
    }
}

impl Scope {
    pub(super) fn new(
        view: &Arc<RequestView>,
        visibility: Visibility,
        programs: &Arc<Named>,
        limits: &EvaluationLimits,
    ) -> Self {
        let count = programs.variables.len();
        let variables = (count > 0).then(|| {
            Variables(Arc::new(Inner {
                view: Arc::clone(view),
                visibility,
                programs: Arc::clone(programs),
                limits: limits.clone(),
                memory: AtomicUsize::new(MEMORY),
                state: Mutex::new(State {
                    values: vec![Slot::New; count],
                    ..State::default()
                }),
            }))
        });
        let roots = match &variables {
            Some(variables) => variables.roots(),
            None => Roots {
                view: Arc::clone(view),
                visibility,
                variables: None,
            },
        };
        Self {
            roots,
            memory: AtomicUsize::new(MEMORY),
            variables,
        }
    }

    /// Returns the bytes that remain to all expressions and variables.
    pub(super) fn memory(&self) -> &AtomicUsize {
        let variables = self.variables.as_ref();
        variables.map_or(&self.memory, |variables| &variables.0.memory)
    }

    /// Returns the cost of the variables since the last call.
    pub(super) fn take_cost(&self) -> u64 {
        let variables = self.variables.as_ref();
        variables.map_or(0, |it| std::mem::take(&mut it.state().cost))
    }

    /// Records which variables the next expression reads.
    pub(super) fn record_reads(&self) {
        if let Some(variables) = &self.variables {
            let count = variables.0.programs.variables.len();
            let mut state = variables.state();
            let reads = state.reads.get_or_insert_default();
            reads.open.clear();
            reads.variables.resize_with(count, Default::default);
            reads.begin();
        }
    }

    /// Returns the cost of all variables that the expression has read, evaluated before or not.
    pub(super) fn cost_of_reads(&self) -> u64 {
        let variables = self.variables.as_ref();
        variables.map_or(0, |it| it.state().reads.as_mut().map_or(0, ReadLog::cost))
    }
}

impl Variables {
    /// Returns the variables that a variable can read, including earlier ones.
    fn roots(&self) -> Roots {
        Roots {
            view: Arc::clone(&self.0.view),
            visibility: self.0.visibility,
            variables: Some(Value::opaque(self.clone())),
        }
    }

    fn value(&self, index: usize, variable: &Variable) -> Result<Value, EvalError> {
        let mut state = self.state();
        if let Some(reads) = &mut state.reads {
            reads.read(index);
        }
        match state.values.get_mut(index) {
            Some(Slot::Done(result)) => return result.clone(),
            // Two variables with one name: the server would recurse until its stack overflows.
            Some(Slot::Running) => {
                let name = &variable.name;
                let message = format!("composited variable \"{name}\" reads itself");
                return Err(EvalError::message(message));
            }
            Some(slot) => *slot = Slot::Running,
            None => {}
        }
        drop(state);
        let result = self.run(index, variable);
        if let Some(slot) = self.state().values.get_mut(index) {
            *slot = Slot::Done(result.clone());
        }
        result
    }

    fn run(&self, index: usize, variable: &Variable) -> Result<Value, EvalError> {
        let Variable {
            name,
            program,
            nesting,
        } = variable;
        let program = program.as_ref().map_err(|reason| {
            EvalError::message(format!(
                "composited variable \"{name}\" fails to compile: {reason}"
            ))
        })?;
        if nesting.is_exceeded() {
            return Err(EvalError::new(EvalErrorKind::NestingLimit));
        }
        if self.0.limits.is_over() {
            return Err(EvalError::new(EvalErrorKind::Canceled));
        }
        if let Some(reads) = &mut self.state().reads {
            reads.begin();
        }
        let limits = self.0.limits.for_shared(PER_CALL, &self.0.memory);
        let run = || program.run(&self.roots(), &limits);
        let outcome = self.on_stack(index, *nesting, run);
        let mut state = self.state();
        let cost = outcome.as_ref().map_or(0, |it| it.cost);
        state.cost = state.cost.saturating_add(cost);
        if let Some(reads) = &mut state.reads {
            reads.end(index, cost);
        }
        drop(state);
        outcome?.result.map_err(|error| {
            if stopped(&error).is_some() {
                return error;
            }
            failed(name, &error)
        })
    }

    /// Runs the evaluation of a variable where the stack suffices.
    ///
    /// # Errors
    /// There is no memory for a stack.
    fn on_stack<T: Send>(
        &self,
        index: usize,
        nesting: Nesting,
        run: impl FnOnce() -> T + Send,
    ) -> Result<T, EvalError> {
        let steps = self.state().steps_on_stack(index, nesting);
        if steps <= STEPS_ON_STACK || self.state().has_stack {
            return Ok(run());
        }
        self.state().has_stack = true;
        let size = STEP.saturating_mul(steps as usize);
        let result = thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(size);
            builder
                .spawn_scoped(scope, run)
                .map(thread::ScopedJoinHandle::join)
        });
        self.state().has_stack = false;
        match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Err(EvalError::new(EvalErrorKind::NestingLimit)),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each field is replaced as a whole.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.programs.variables.iter().map(|it| &it.name);
        out.debug_set().entries(names).finish()
    }
}

impl Opaque for Variables {
    fn ty(&self) -> Type {
        Type::object("kubernetes.variables")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| Arc::ptr_eq(&self.0, &other.0))
    }

    fn display(&self) -> String {
        NAME.to_owned()
    }

    fn go_type(&self) -> &'static str {
        "*lazy.MapValue"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(EvalError::no_such_overload()))
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        let (index, variable) = self.0.programs.find(name)?;
        Some(self.value(index, variable))
    }

    // Upstream: kubernetes/apiserver, pkg/cel/lazy/lazy.go, `Find`: to look for a variable
    // computes it.
    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        Some(self.field(name)?.map(|_| true))
    }
}

/// Returns the error of a variable whose evaluation fails with this error.
fn failed(name: &str, error: &EvalError) -> EvalError {
    let error = error.to_string();
    let start = error.floor_char_boundary(error.len().saturating_sub(REPEATED));
    let (omitted, error) = error.split_at(start);
    let mark = if omitted.is_empty() { "" } else { "…" };
    let message = format!("composited variable \"{name}\" fails to evaluate: {mark}{error}");
    EvalError::message(message)
}

#[cfg(test)]
mod tests;
