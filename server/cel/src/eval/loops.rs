//! Comprehensions.
//!
//! The expansion of a macro runs as a native loop: without an accumulator that is looked up in
//! every iteration, and with elements that are read by reference. The cost is that of the
//! expanded form, and so is the handling of failures: `all` and `exists` continue after one,
//! since a later element can decide, and the others keep it to the end.
//!
//! Upstream: cel-go, interpreter/interpretable.go, `evalFold`; parser/macro.go for what each
//! macro expands to.

use super::code::{Fold, Loop, LoopKind, StepId};
use super::frame::{Accumulator, Frame, Lazy, NULL, Val};
use super::record::Recorder;
use super::run::{Run, finished};
use crate::value::{EvalError, Hidden, Key, MapBuilder, Value, go_type};
use std::cell::OnceCell;
use std::ops::ControlFlow;

/// The result of an iteration: continue, stop, or an error that nothing absorbs.
type IterationResult = Result<ControlFlow<()>, EvalError>;

/// Upstream: cel-go, common/cost.go, `ListCreateBaseCost`.
const LIST_COST: u64 = 10;

impl<R: Recorder> Run<'_, R> {
    #[inline(never)]
    pub(super) fn run_loop<'s>(
        &'s self,
        each: &'s Loop,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let range = self.eval(each.range, frame)?;
        let two = each.two_variables;
        self.recorder.enter_loop();
        let value = match &each.kind {
            LoopKind::Quantifier(all, test) => self.quantifier(&range, two, *all, *test, frame),
            LoopKind::ExistsOne(test) => self.exists_one(&range, two, *test, frame),
            LoopKind::List(filter, element) => {
                self.list_loop(&range, two, *filter, *element, frame)
            }
            LoopKind::Map(filter, value) => self.map_loop(&range, two, *filter, *value, frame),
            LoopKind::Entries(filter, entry) => {
                self.entries_loop(&range, two, *filter, *entry, frame)
            }
        };
        self.recorder.leave_loop();
        value
    }

    /// Evaluates `all` and `exists`.
    fn quantifier<'s>(
        &'s self,
        range: &Value,
        two: bool,
        all: bool,
        test: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        // The condition names the accumulator, negates it for `exists`, and tests whether it is
        // strictly false; the step names it once more.
        let condition = if all { 2 } else { 3 };
        let mut decided = false;
        let mut failure: Option<EvalError> = None;
        each(range, two, |first, second| {
            self.units(condition)?;
            if decided {
                return Ok(ControlFlow::Break(()));
            }
            self.units(1)?;
            self.recorder.next_turn();
            let turn = Frame::turn(frame, first, second);
            match self.test(test, &turn) {
                Ok(value) => decided = value != all,
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) if failure.is_none() => {
                    failure = Some(error);
                    self.recorder.hold_turn();
                }
                Err(_) => {}
            }
            self.turn()?;
            Ok(ControlFlow::Continue(()))
        })?;
        self.units(1)?;
        if failure.is_some() {
            self.recorder.choose_turn(!decided);
        }
        match failure {
            Some(error) if !decided => Err(error),
            _ => Ok(Value::Bool(decided != all)),
        }
    }

    fn exists_one<'s>(
        &'s self,
        range: &Value,
        two: bool,
        test: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let mut found: Result<u64, EvalError> = Ok(0);
        each(range, two, |first, second| {
            self.recorder.next_turn();
            let turn = Frame::turn(frame, first, second);
            match self.test(test, &turn) {
                Ok(true) => {
                    self.units(2)?;
                    found = found.clone().map(|count| count + 1);
                }
                Ok(false) => {}
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) => found = Err(error),
            }
            self.turn()?;
            Ok(ControlFlow::Continue(()))
        })?;
        self.units(2)?;
        found.map(|count| Value::Bool(count == 1))
    }

    /// Evaluates `map`, `filter` and `transformList`.
    fn list_loop<'s>(
        &'s self,
        range: &Value,
        two: bool,
        filter: Option<StepId>,
        element: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        // A list of one constant is a constant, and creating it costs nothing.
        let list_cost = if self.code.is_constant(element) {
            0
        } else {
            LIST_COST
        };
        let mut made: Result<Vec<Value>, EvalError> = Ok(match filter {
            Some(_) => Vec::new(),
            None => Vec::with_capacity(length(range).min(1024)),
        });
        self.each_kept(range, two, filter, frame, &mut made, |made, _, turn| {
            let value = self.eval(element, turn).map(Val::into_owned);
            finished(&value)?;
            self.charge(list_cost)?;
            self.units(1)?;
            self.context.allocate(size_of::<Value>())?;
            collect(made, value);
            Ok(())
        })?;
        self.units(1)?;
        made.map(Value::list)
    }

    /// Runs a loop that creates a list or a map: `add` is called for the elements that the filter
    /// keeps. `made` is the list or map, or the last failure of the filter.
    #[inline]
    fn each_kept<'s, M>(
        &'s self,
        range: &Value,
        two: bool,
        filter: Option<StepId>,
        frame: &'s Frame<'s>,
        made: &mut Result<M, EvalError>,
        mut add: impl FnMut(&mut Result<M, EvalError>, &Value, &Frame<'_>) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        each(range, two, |first, second| {
            self.recorder.next_turn();
            let turn = Frame::turn(frame, first, second);
            match filter.map_or(Ok(true), |filter| self.test(filter, &turn)) {
                Ok(true) => {
                    self.units(1)?;
                    add(made, first, &turn)?;
                }
                Ok(false) => {}
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) => *made = Err(error),
            }
            self.turn()?;
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Evaluates `transformMap`.
    fn map_loop<'s>(
        &'s self,
        range: &Value,
        two: bool,
        filter: Option<StepId>,
        value: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let mut made = Ok(MapBuilder::default());
        self.each_kept(range, two, filter, frame, &mut made, |made, first, turn| {
            // A call of three arguments stops at the first that fails.
            if made.is_err() {
                return Ok(());
            }
            self.units(1)?;
            let value = self.eval(value, turn).map(Val::into_owned);
            finished(&value)?;
            self.units(1)?;
            self.context.allocate(2 * size_of::<Value>())?;
            insert(made, first, value);
            Ok(())
        })?;
        self.units(1)?;
        made.map(|map| Value::Map(map.build()))
    }

    /// Evaluates `transformMapEntry`.
    fn entries_loop<'s>(
        &'s self,
        range: &Value,
        two: bool,
        filter: Option<StepId>,
        entry: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let mut made = Ok(MapBuilder::default());
        self.each_kept(range, two, filter, frame, &mut made, |made, _, turn| {
            let entry = self.eval(entry, turn).map(Val::into_owned);
            finished(&entry)?;
            self.units(1)?;
            self.context.allocate(2 * size_of::<Value>())?;
            insert_all(made, entry);
            Ok(())
        })?;
        self.units(1)?;
        made.map(|map| Value::Map(map.build()))
    }

    /// Evaluates a comprehension as written out.
    #[inline(never)]
    pub(super) fn fold<'s>(
        &'s self,
        fold: &'s Fold,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let range = self.eval(fold.range, frame)?;
        let lazy = Lazy {
            init: fold.init,
            frame,
            cell: OnceCell::new(),
        };
        let mut made: Option<Result<Value, EvalError>> = None;
        self.recorder.enter_loop();
        each(&range, fold.two_variables, |first, second| {
            self.recorder.next_turn();
            let next = {
                let turn = Frame {
                    parent: Some(frame),
                    first,
                    second,
                    accumulator: accumulator(made.as_ref(), &lazy),
                };
                match self.eval(fold.condition, &turn) {
                    Ok(value) if matches!(*value, Value::Bool(false)) => {
                        return Ok(ControlFlow::Break(()));
                    }
                    Err(error) if error.is_fatal() => return Err(error),
                    _ => {}
                }
                self.eval(fold.step, &turn).map(Val::into_owned)
            };
            finished(&next)?;
            made = Some(next);
            self.turn()?;
            Ok(ControlFlow::Continue(()))
        })?;
        self.recorder.leave_loop();
        let end = Frame {
            parent: Some(frame),
            first: &NULL,
            second: &NULL,
            accumulator: accumulator(made.as_ref(), &lazy),
        };
        self.eval(fold.result, &end).map(Val::into_owned)
    }
}

fn accumulator<'s>(
    made: Option<&'s Result<Value, EvalError>>,
    lazy: &'s Lazy<'s>,
) -> Accumulator<'s> {
    match made {
        None => Accumulator::Lazy(lazy),
        Some(Ok(value)) => Accumulator::Value(value),
        Some(Err(error)) => Accumulator::Failure(error),
    }
}

/// Calls `turn` with the variables of each turn.
#[inline]
fn each(
    range: &Value,
    two: bool,
    mut turn: impl FnMut(&Value, &Value) -> IterationResult,
) -> Result<(), EvalError> {
    match range {
        Value::List(elements) if !two => {
            for element in elements.iter() {
                if turn(element, &NULL)?.is_break() {
                    break;
                }
            }
        }
        Value::List(elements) => {
            for (index, element) in (0_i64..).zip(elements.iter()) {
                if turn(&Value::Int(index), element)?.is_break() {
                    break;
                }
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                if turn(&key.value(), value)?.is_break() {
                    return Ok(());
                }
            }
            for (key, value) in map.hidden().map(Hidden::entry) {
                if turn(&key, &value)?.is_break() {
                    break;
                }
            }
        }
        other if let Some(error) = other.unknown() => return Err(error),
        other => {
            let ty = go_type(other);
            return Err(EvalError::message(if two {
                format!("unsupported comprehension range type: {ty}")
            } else {
                format!("got '{ty}', expected iterable type")
            }));
        }
    }
    Ok(())
}

fn length(range: &Value) -> usize {
    match range {
        Value::List(elements) => elements.len(),
        Value::Map(map) => map.len(),
        _ => 0,
    }
}

/// Adds an element, unless there already is a failure.
fn collect(made: &mut Result<Vec<Value>, EvalError>, value: Result<Value, EvalError>) {
    match (made.as_mut(), value) {
        (Ok(list), Ok(value)) => list.push(value),
        (Ok(_), Err(error)) => *made = Err(error),
        (Err(_), _) => {}
    }
}

fn insert(made: &mut Result<MapBuilder, EvalError>, key: &Value, value: Result<Value, EvalError>) {
    let inserted = match (made.as_mut(), value) {
        (Ok(map), Ok(value)) => add_entry(map, Key::new(key), value),
        (Ok(_), Err(error)) => Err(error),
        (Err(_), _) => Ok(()),
    };
    if let Err(error) = inserted {
        *made = Err(error);
    }
}

fn insert_all(made: &mut Result<MapBuilder, EvalError>, entry: Result<Value, EvalError>) {
    let inserted = match (made.as_mut(), entry) {
        (Ok(map), Ok(Value::Map(entry))) => entry
            .iter()
            .try_for_each(|(key, value)| add_entry(map, Some(key.clone()), value.clone())),
        (Ok(_), Ok(_)) => Err(EvalError::no_such_overload()),
        (Ok(_), Err(error)) => Err(error),
        (Err(_), _) => Ok(()),
    };
    if let Err(error) = inserted {
        *made = Err(error);
    }
}

/// Upstream: cel-go, common/types/map.go, `mutableMap.Insert`.
fn add_entry(map: &mut MapBuilder, key: Option<Key>, value: Value) -> Result<(), EvalError> {
    let Some(key) = key else {
        return Err(EvalError::no_such_overload());
    };
    if map.contains(&key) {
        return Err(EvalError::message(format!(
            "insert failed: key {} already exists",
            key.value()
        )));
    }
    map.insert(key, value);
    Ok(())
}
