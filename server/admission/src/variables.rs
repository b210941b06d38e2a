//! `variables`: each is evaluated when an expression first reads it, and then kept.
//!
//! So a variable that fails affects only its readers, and an unused variable costs nothing.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/composition.go, variableAccessor.

use super::compiled::{Compiled, Named};
use super::limits::EvaluationLimits;
use super::request_view::{RequestView, Roots, Visibility};
use cel::Value;
use cel::types::Type;
use cel::value::{EvalError, Opaque};
use policy::cost::PER_CALL;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the root.
const NAME: &str = "variables";

/// The state that the expressions of one filter of one request share.
pub(super) struct Scope {
    /// The variables of an expression, including `variables`.
    pub(super) roots: Roots,
    variables: Option<Variables>,
}

/// The variables of one filter of one request: its values are shared by its expressions.
#[derive(Clone)]
struct Variables(Arc<Inner>);

struct Inner {
    view: Arc<RequestView>,
    visibility: Visibility,
    programs: Named,
    limits: EvaluationLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order of the programs.
    values: Vec<Slot>,
    /// The cost since it was last taken.
    cost: u64,
}

#[derive(Clone, Default)]
enum Slot {
    #[default]
    New,
    Running,
    Done(Result<Value, EvalError>),
}

impl Scope {
    pub(super) fn new(
        view: &Arc<RequestView>,
        visibility: Visibility,
        programs: &Named,
        limits: &EvaluationLimits,
    ) -> Self {
        let variables = (!programs.is_empty()).then(|| {
            Variables(Arc::new(Inner {
                view: Arc::clone(view),
                visibility,
                programs: Arc::clone(programs),
                limits: limits.clone(),
                state: Mutex::new(State {
                    values: vec![Slot::New; programs.len()],
                    cost: 0,
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
        Self { roots, variables }
    }

    /// Returns the cost of the variables since the last call.
    pub(super) fn take_cost(&self) -> u64 {
        let variables = self.variables.as_ref();
        variables.map_or(0, |it| std::mem::take(&mut it.state().cost))
    }
}

impl Variables {
    /// Returns what a variable can read, including earlier variables.
    fn roots(&self) -> Roots {
        Roots {
            view: Arc::clone(&self.0.view),
            visibility: self.0.visibility,
            variables: Some(Value::opaque(self.clone())),
        }
    }

    fn value(&self, index: usize, name: &str, program: &Compiled) -> Result<Value, EvalError> {
        let slot = {
            let mut state = self.state();
            let slot = state.values.get_mut(index);
            slot.map_or(Slot::New, |slot| std::mem::replace(slot, Slot::Running))
        };
        let result = match slot {
            Slot::New => self.run(name, program),
            // Two variables of one name: the server would go round until its stack ends.
            Slot::Running => {
                let message = format!("composited variable \"{name}\" reads itself");
                return Err(EvalError::message(message));
            }
            Slot::Done(result) => result,
        };
        if let Some(slot) = self.state().values.get_mut(index) {
            *slot = Slot::Done(result.clone());
        }
        result
    }

    fn run(&self, name: &str, program: &Compiled) -> Result<Value, EvalError> {
        let program = program.as_ref().map_err(|reason| {
            EvalError::message(format!(
                "composited variable \"{name}\" fails to compile: {reason}"
            ))
        })?;
        let outcome = program.run(&self.roots(), &self.0.limits.of_call(PER_CALL));
        let mut state = self.state();
        state.cost = state.cost.saturating_add(outcome.cost);
        outcome.result.map_err(|error| {
            let message = format!("composited variable \"{name}\" fails to evaluate: {error}");
            EvalError::message(message)
        })
    }

    fn find(&self, name: &str) -> Option<(usize, &Compiled)> {
        let programs = self.0.programs.iter().enumerate().rev();
        let mut alike = programs.filter(|(_, (known, _))| &**known == name);
        alike.next().map(|(index, (_, program))| (index, program))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each field is replaced as a whole.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.programs.iter().map(|(name, _)| name);
        out.debug_set().entries(names).finish()
    }
}

impl Opaque for Variables {
    fn ty(&self) -> Type {
        Type::object("kubernetes.variables")
    }

    fn equals(&self, other: &dyn Opaque) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| Arc::ptr_eq(&self.0, &other.0))
    }

    fn display(&self) -> String {
        NAME.to_owned()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn go_type(&self) -> &'static str {
        "*lazy.MapValue"
    }

    fn renewed(&self) -> Option<Result<Value, EvalError>> {
        Some(Err(EvalError::no_such_overload()))
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        let (index, program) = self.find(name)?;
        Some(self.value(index, name, program))
    }

    // Upstream: kubernetes/apiserver, pkg/cel/lazy/lazy.go, `Find`: to look for a variable
    // computes it.
    fn has_field(&self, name: &str) -> Option<Result<bool, EvalError>> {
        Some(self.field(name)?.map(|_| true))
    }
}
