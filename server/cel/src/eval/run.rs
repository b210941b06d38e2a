//! Running the steps.
//!
//! Values are read by reference as long as possible: the value of an attribute stays in the object
//! that the caller passed. The cost is counted where cel-go observes a step, and in the same order,
//! so that a budget ends an evaluation at the same point.
//!
//! Upstream: cel-go, interpreter/interpretable.go, the `Eval` methods;
//! interpreter/runtimecost.go, `Observe`.

use super::code::{Code, Connective, EntryStep, ListStep, PARENTS, StepId, StepKind, StructStep};
use super::frame::{Evaluated, Frame, Val};
use super::record::Recorder;
use super::{Activation, Limits, messages};
use crate::changes::ONLY_OPTIONALS_HAVE_DEFAULTS;
use crate::library::Context;
use crate::value::{EvalError, EvalErrorKind, Key, MapBuilder, Value};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The number of variables of an expression that are cached. Others are resolved each time.
const SLOTS: usize = 8;

/// The number of iterations between two checks for cancellation.
///
/// Limit: Kubernetes, apiserver, pkg/apis/cel/config.go, `CheckFrequency`.
const CHECK_FREQUENCY: u32 = 100;

/// Upstream: cel-go, common/cost.go.
const LIST_COST: u64 = 10;
const MAP_COST: u64 = 30;
const STRUCT_COST: u64 = 40;

/// A running evaluation.
pub(super) struct Run<'a, R> {
    pub(super) code: &'a Code,
    activation: &'a dyn Activation,
    slots: [Cell<Option<&'a Value>>; SLOTS],
    /// The values above the last field of several attributes.
    pub(super) parents: [Cell<Option<&'a Value>>; PARENTS],
    cost: Cell<u64>,
    limit: u64,
    turns: Cell<u32>,
    canceled: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
    pub(super) context: Context<'a>,
    pub(super) recorder: R,
}

impl<'a, R: Recorder> Run<'a, R> {
    pub(super) fn new(
        code: &'a Code,
        activation: &'a dyn Activation,
        limits: &Limits<'a>,
        recorder: R,
    ) -> Self {
        Self {
            code,
            activation,
            slots: [const { Cell::new(None) }; SLOTS],
            parents: [const { Cell::new(None) }; PARENTS],
            cost: Cell::new(0),
            limit: limits.cost.unwrap_or(u64::MAX),
            turns: Cell::new(0),
            canceled: limits.canceled,
            deadline: limits.deadline,
            context: Context::new(
                (limits.memory, limits.shared_memory),
                &code.regexes,
                code.release,
            ),
            recorder,
        }
    }

    pub(super) fn cost(&self) -> u64 {
        self.cost.get()
    }

    /// Counts the cost of one step.
    #[inline]
    pub(super) fn charge(&self, cost: u64) -> Result<(), EvalError> {
        let cost = self.cost.get().wrapping_add(cost);
        self.cost.set(cost);
        if cost > self.limit {
            return Err(EvalError::new(EvalErrorKind::CostLimit));
        }
        Ok(())
    }

    /// Counts several steps of one unit each. The budget ends them one by one.
    #[inline]
    pub(super) fn units(&self, units: u64) -> Result<(), EvalError> {
        let cost = self.cost.get().wrapping_add(units);
        if cost > self.limit {
            self.cost.set(self.limit.saturating_add(1));
            return Err(EvalError::new(EvalErrorKind::CostLimit));
        }
        self.cost.set(cost);
        Ok(())
    }

    /// Counts several steps if the budget suffices for all of them. Returns whether it does.
    #[inline]
    pub(super) fn has_units(&self, units: u64) -> bool {
        let cost = self.cost.get().wrapping_add(units);
        if cost <= self.limit {
            self.cost.set(cost);
        }
        cost <= self.limit
    }

    /// Goes back to a cost that was before.
    pub(super) fn set_cost(&self, cost: u64) {
        self.cost.set(cost);
    }

    /// Subtracts one unit. Below zero the count wraps around and exceeds any budget, as in cel-go.
    pub(super) fn give_back(&self) -> Result<(), EvalError> {
        self.cost.set(self.cost.get().wrapping_sub(1));
        self.charge(0)
    }

    /// Counts a turn of a loop.
    #[inline]
    pub(super) fn turn(&self) -> Result<(), EvalError> {
        let turns = self.turns.get().wrapping_add(1);
        self.turns.set(turns);
        if turns.is_multiple_of(CHECK_FREQUENCY) && self.is_stopped() {
            return Err(EvalError::new(EvalErrorKind::Canceled));
        }
        Ok(())
    }

    #[inline(never)]
    fn is_stopped(&self) -> bool {
        self.canceled.is_some_and(|it| it.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|it| it <= Instant::now())
    }

    pub(super) fn variable(&self, place: u32) -> Result<&'a Value, EvalError> {
        let slot = self.slots.get(place as usize);
        if let Some(value) = slot.and_then(Cell::get) {
            return Ok(value);
        }
        let name = self.code.variables.get(place as usize);
        let name = name.map_or("", |name| &**name);
        match self.activation.resolve(name) {
            Some(value) => {
                let value = value?;
                if let Some(slot) = slot {
                    slot.set(Some(value));
                }
                Ok(value)
            }
            None => Err(EvalError::new(EvalErrorKind::NoSuchAttribute(name.into()))),
        }
    }

    /// Returns the value of a step.
    pub(super) fn eval<'s>(&'s self, id: StepId, frame: &'s Frame<'s>) -> Evaluated<'s> {
        if R::ON {
            let result = self.eval_kind(id, frame);
            self.observe(id, &result);
            return result;
        }
        self.eval_kind(id, frame)
    }

    /// Evaluates a step. The result is written once, to its final location: moving it costs more
    /// than most steps.
    #[inline]
    fn eval_kind<'s>(&'s self, id: StepId, frame: &'s Frame<'s>) -> Evaluated<'s> {
        match self.code.kind(id) {
            StepKind::Constant(value) => Ok(Val::Ref(value)),
            StepKind::Known(value, units, step) => {
                if R::ON {
                    return self.eval(*step, frame);
                }
                match self.units(*units) {
                    Ok(()) => Ok(Val::Ref(value)),
                    Err(fatal) => Err(fatal),
                }
            }
            StepKind::Attribute(attribute) => self.attribute(*attribute, frame),
            StepKind::Call(call) if call.is_predicate => self.truth(id, frame),
            StepKind::Call(call) => self.call(id, call, frame),
            StepKind::Connective(_) | StepKind::Presence(_) | StepKind::InSet(..) => {
                self.truth(id, frame)
            }
            StepKind::Loop(each) => self.own(id, self.run_loop(each, frame)),
            StepKind::Fold(fold) => self.own(id, self.fold(fold, frame)),
            StepKind::List(list) => self.own(id, self.list(list, frame)),
            StepKind::Map(entries) => self.own(id, self.map(entries, frame)),
            StepKind::Struct(fields) => self.own(id, self.structure(fields, frame)),
            StepKind::OptionalOr(left, right, value) => {
                self.optional_or(*left, *right, *value, frame)
            }
            StepKind::Failure(error) => Err(error.clone()),
        }
    }

    #[inline]
    fn truth<'s>(&'s self, id: StepId, frame: &'s Frame<'s>) -> Evaluated<'s> {
        match self.test_kind(id, frame) {
            Ok(value) => Ok(Val::Own(Value::Bool(value))),
            Err(error) => Err(error),
        }
    }

    fn own<'s>(&'s self, id: StepId, result: Result<Value, EvalError>) -> Evaluated<'s> {
        match result {
            Ok(value) => Ok(Val::Own(value)),
            Err(error) => Err(self.label(id, error)),
        }
    }

    /// Adds the origin to a failure that has none.
    #[cold]
    #[inline(never)]
    pub(super) fn label(&self, id: StepId, error: EvalError) -> EvalError {
        match self.code.step(id) {
            Some(step) => error.at(step.node),
            None => error,
        }
    }

    #[inline(never)]
    fn observe(&self, id: StepId, result: &Evaluated<'_>) {
        if let Some(step) = self.code.step(id) {
            self.recorder.record(step.expr, result);
        }
    }

    #[inline(never)]
    fn observe_test(&self, id: StepId, result: &Result<bool, EvalError>) {
        if let Some(step) = self.code.step(id) {
            self.recorder.record_test(step.expr, result);
        }
    }

    /// Evaluates a step that is only tested for `true` or `false`.
    pub(super) fn test<'s>(&'s self, id: StepId, frame: &'s Frame<'s>) -> Result<bool, EvalError> {
        if R::ON {
            let result = self.test_kind(id, frame);
            self.observe_test(id, &result);
            return result;
        }
        self.test_kind(id, frame)
    }

    fn test_kind<'s>(&'s self, id: StepId, frame: &'s Frame<'s>) -> Result<bool, EvalError> {
        match self.code.kind(id) {
            StepKind::Connective(it) => self.connect(it, frame),
            StepKind::Call(call) if call.is_predicate => self.predicate(id, call, frame),
            StepKind::Presence(attribute) => match self.presence(*attribute, frame) {
                Ok(present) => Ok(present),
                Err(error) => Err(self.label(id, error)),
            },
            StepKind::InSet(value, set) => self.in_set(*value, set, frame),
            _ => {
                let result = self.eval_kind(id, frame);
                match &result {
                    Ok(value) => match **value {
                        Value::Bool(value) => Ok(value),
                        _ => Err(self.label(id, EvalError::no_such_overload())),
                    },
                    Err(error) => Err(error.clone()),
                }
            }
        }
    }

    /// Evaluates a chain of `&&` or `||`. An operand that decides absorbs all failures; otherwise
    /// the first failure is the result.
    fn connect<'s>(
        &'s self,
        connective: &'s Connective,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        let Connective {
            decides,
            left,
            right,
            chain,
        } = connective;
        let both = [*left, *right];
        // A recorder sees every part.
        let operands = if R::ON || chain.is_empty() {
            &both
        } else {
            chain.as_slice()
        };
        let mut failure = None;
        for operand in operands {
            match self.test(*operand, frame) {
                Ok(value) if value == *decides => return Ok(value),
                Ok(_) => {}
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
        failure.map_or(Ok(!decides), Err)
    }

    #[inline(never)]
    fn optional_or<'s>(
        &'s self,
        left: StepId,
        right: StepId,
        value: bool,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        if value && let Some(found) = self.peek_optional(left, frame) {
            return match found? {
                Some(found) => Ok(Val::Ref(found)),
                None => self.eval(right, frame),
            };
        }
        let left = self.eval(left, frame)?;
        match &*left {
            Value::Optional(None) => self.eval(right, frame),
            Value::Optional(Some(inner)) if value => inner.unwrapped_value().map(Val::Own),
            Value::Optional(_) => Ok(left),
            _ if ONLY_OPTIONALS_HAVE_DEFAULTS.applies(self.code.release) => {
                Err(EvalError::no_such_overload())
            }
            _ => Ok(left),
        }
    }

    #[inline(never)]
    fn list<'s>(&'s self, list: &'s ListStep, frame: &'s Frame<'s>) -> Result<Value, EvalError> {
        let result = self.elements(list, frame);
        finished(&result)?;
        self.charge(LIST_COST)?;
        result
    }

    fn elements<'s>(
        &'s self,
        list: &'s ListStep,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        self.context
            .allocate(size_of::<Value>() * list.elements.len())?;
        let mut values = Vec::with_capacity(list.elements.len());
        for (element, optional) in &list.elements {
            let value = self.eval(*element, frame)?.into_owned();
            match value {
                Value::Optional(None) if *optional => {}
                Value::Optional(Some(value)) if *optional => values.push(Value::clone(&value)),
                value if *optional => {
                    return Err(EvalError::message(format!(
                        "cannot initialize optional list element from non-optional value {}",
                        value
                    )));
                }
                value => values.push(value),
            }
        }
        Ok(Value::list(values))
    }

    #[inline(never)]
    fn map<'s>(
        &'s self,
        entries: &'s [EntryStep],
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let result = self.entries(entries, frame);
        finished(&result)?;
        self.charge(MAP_COST)?;
        result
    }

    fn entries<'s>(
        &'s self,
        entries: &'s [EntryStep],
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        self.context
            .allocate(2 * size_of::<Value>() * entries.len())?;
        let mut map = MapBuilder::with_capacity(entries.len());
        for entry in entries {
            let key_value = self.eval(entry.key, frame)?;
            let value = self.eval(entry.value, frame)?.into_owned();
            let Some(key) = Key::new(&key_value) else {
                let deletes = matches!(value, Value::Optional(None)) && entry.optional;
                return Err(if deletes && map.is_empty() {
                    EvalError::unhashable_in_nothing(&key_value)
                } else {
                    EvalError::unhashable(&key_value)
                });
            };
            match value {
                Value::Optional(None) if entry.optional => map.remove(&key),
                Value::Optional(Some(value)) if entry.optional => {
                    map.insert(key, Value::clone(&value));
                }
                value if entry.optional => {
                    return Err(EvalError::message(format!(
                        "cannot initialize optional entry '{}' from non-optional value {}",
                        *key_value, value
                    )));
                }
                value => {
                    map.insert(key, value);
                }
            }
        }
        Ok(Value::Map(map.build()))
    }

    #[inline(never)]
    fn structure<'s>(
        &'s self,
        made: &'s StructStep,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let result = self.fields(made, frame);
        finished(&result)?;
        self.charge(STRUCT_COST)?;
        result
    }

    fn fields<'s>(
        &'s self,
        made: &'s StructStep,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let mut fields = Vec::with_capacity(made.fields.len());
        for (name, value, optional) in &made.fields {
            let value = self.eval(*value, frame)?.into_owned();
            match value {
                Value::Optional(None) if *optional => fields.retain(|(known, _)| known != name),
                Value::Optional(Some(value)) if *optional => {
                    fields.push((name.clone(), value.unwrapped_value()?));
                }
                value if *optional => {
                    return Err(EvalError::message(format!(
                        "cannot initialize optional entry '{name}' from non-optional value {}",
                        value
                    )));
                }
                value => fields.push((name.clone(), value)),
            }
        }
        let message = messages::make(&made.type_name, &fields);
        message.unwrap_or_else(|| made.types.new_value(&made.type_name, fields))
    }
}

/// Checks whether a failure ends the evaluation, so that no more cost is counted.
pub(super) fn finished<T>(result: &Result<T, EvalError>) -> Result<(), EvalError> {
    match result {
        Err(error) if error.is_fatal() => Err(error.clone()),
        _ => Ok(()),
    }
}
