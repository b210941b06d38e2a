//! Calls of functions and operators.
//!
//! Upstream: cel-go, interpreter/interpretable.go, `evalUnary`, `evalBinary`, `evalVarArgs`;
//! common/decls/decls.go, `Bindings`; interpreter/runtimecost.go, `costCall`.

use super::code::{Call, ConstantKey, ConstantSet, CostRule, Dispatch, Operator, StepId};
use super::frame::{Evaluated, Frame, NULL, Val};
use super::operators::{integers, truth, unary};
use super::record::Recorder;
use super::run::{Run, finished};
use crate::changes::{AFFIXES_ARE_COUNTED, MATCHES_FUNCTION_HAS_COST};
use crate::library::PANICS;
use crate::types::Type;
use crate::value::{EvalError, Key, Value};

impl<R: Recorder> Run<'_, R> {
    /// Evaluates a call whose result can be anything.
    pub(super) fn call<'s>(
        &'s self,
        id: StepId,
        call: &'s Call,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        if let [left, right] = *call.args {
            return self.call_binary(id, call, left, right, frame);
        }
        let result = match *call.args {
            [only] => self.call_unary(call, only, frame),
            _ => self.call_any(call, frame),
        };
        match result {
            Ok(value) => Ok(Val::Own(value)),
            Err(error) => Err(self.label(id, error)),
        }
    }

    /// Evaluates a call that returns `true` or `false`.
    pub(super) fn predicate<'s>(
        &'s self,
        id: StepId,
        call: &'s Call,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        if !R::ON
            && let Some(operands) = &call.field
            && let Some(value) = self.test_field(call, operands, frame)
        {
            return Ok(value);
        }
        let (left, right) = match *call.args {
            [left, right] => (left, right),
            [only] => return self.predicate_unary(id, call, only, frame),
            _ => return Err(EvalError::no_such_overload()),
        };
        self.operands(call, left, right, frame, |left, right| {
            if let Some(value) = truth(call, left, right) {
                self.charge(call.rule.cost(left, right))?;
                return Ok(value);
            }
            self.slow_predicate(id, call, &[left, right])
        })
    }

    /// Applies `run` to two operands. Operands in an object are read by reference.
    #[inline]
    fn operands<'s, T>(
        &'s self,
        call: &'s Call,
        left: StepId,
        right: StepId,
        frame: &'s Frame<'s>,
        run: impl FnOnce(&Value, &Value) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let (left_slot, right_slot);
        let left = if let Some(value) = self.peek(left, frame) {
            value?
        } else {
            left_slot = self.eval(left, frame);
            match &left_slot {
                Ok(value) => &**value,
                Err(error) => return Err(self.left_failed(call, error, right, frame)),
            }
        };
        let right = if let Some(value) = self.peek(right, frame) {
            value?
        } else {
            right_slot = self.eval(right, frame);
            match &right_slot {
                Ok(value) => &**value,
                Err(error) => return Err(self.failed(call, &[left, &NULL], error)),
            }
        };
        run(left, right)
    }

    fn predicate_unary<'s>(
        &'s self,
        id: StepId,
        call: &'s Call,
        arg: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        let strict = call.operator != Some(Operator::NotStrictlyFalse);
        if strict && self.code.is_test(arg) {
            let value = self
                .test(arg, frame)
                .map_err(|error| self.failed(call, &[&NULL], &error))?;
            self.units(1)?;
            return Ok(!value);
        }
        let arg = self.eval(arg, frame);
        let value = match &arg {
            Ok(value) => &**value,
            Err(error) if strict || error.is_fatal() => {
                return Err(self.failed(call, &[&NULL], error));
            }
            Err(_) => &NULL,
        };
        match value {
            Value::Bool(value) => {
                self.units(1)?;
                Ok(*value != strict)
            }
            _ if !strict => {
                self.units(1)?;
                Ok(true)
            }
            other => self.slow_predicate(id, call, &[other]),
        }
    }

    #[inline(never)]
    fn slow_predicate(&self, id: StepId, call: &Call, args: &[&Value]) -> Result<bool, EvalError> {
        let args: Vec<Value> = args.iter().map(|arg| (*arg).clone()).collect();
        match self.run_call(call, &args) {
            Ok(Value::Bool(value)) => Ok(value),
            Ok(_) => Err(self.label(id, EvalError::no_such_overload())),
            Err(error) => Err(self.label(id, error)),
        }
    }

    #[inline(never)]
    fn call_unary<'s>(
        &'s self,
        call: &'s Call,
        arg: StepId,
        frame: &'s Frame<'s>,
    ) -> Result<Value, EvalError> {
        let arg = self.eval(arg, frame);
        let arg = match &arg {
            Ok(arg) => &**arg,
            Err(error) => return Err(self.failed(call, &[&NULL], error)),
        };
        if let Some(number) = call.operator.and_then(|operator| unary(operator, arg)) {
            self.units(1)?;
            return Ok(Value::Int(number));
        }
        self.run_call(call, std::slice::from_ref(arg))
    }

    #[inline]
    fn call_binary<'s>(
        &'s self,
        id: StepId,
        call: &'s Call,
        left: StepId,
        right: StepId,
        frame: &'s Frame<'s>,
    ) -> Evaluated<'s> {
        self.operands(call, left, right, frame, |left, right| {
            if let (Some(operator), Value::Int(left), Value::Int(right)) =
                (call.operator, left, right)
                && let Some(number) = integers(operator, *left, *right)
            {
                return match self.units(1) {
                    Ok(()) => Ok(Val::Own(Value::Int(number))),
                    Err(fatal) => Err(fatal),
                };
            }
            self.slow_call(id, call, left, right)
        })
    }

    #[inline(never)]
    fn slow_call<'s>(
        &'s self,
        id: StepId,
        call: &Call,
        left: &Value,
        right: &Value,
    ) -> Evaluated<'s> {
        match self.run_call(call, &[left.clone(), right.clone()]) {
            Ok(value) => Ok(Val::Own(value)),
            Err(error) => Err(self.label(id, error)),
        }
    }

    /// Handles a failure of the first argument: the second is still evaluated and counted.
    #[cold]
    #[inline(never)]
    fn left_failed<'s>(
        &'s self,
        call: &'s Call,
        error: &EvalError,
        right: StepId,
        frame: &'s Frame<'s>,
    ) -> EvalError {
        if error.is_fatal() || call.stops_at_failure {
            return error.clone();
        }
        let right = self.eval(right, frame);
        match right {
            Err(fatal) if fatal.is_fatal() => fatal,
            right => {
                let right = right.unwrap_or(Val::Ref(&NULL));
                self.failed(call, &[&NULL, &right], error)
            }
        }
    }

    /// Counts a call whose argument failed: a failure has the size of one.
    #[cold]
    #[inline(never)]
    fn failed(&self, call: &Call, args: &[&Value], error: &EvalError) -> EvalError {
        if error.is_fatal() {
            return error.clone();
        }
        let args: Vec<Value> = args.iter().map(|arg| (*arg).clone()).collect();
        match call.cost(&args, &NULL) {
            PANICS => error.clone().panics(),
            cost => self.charge(cost).err().unwrap_or_else(|| error.clone()),
        }
    }

    /// Evaluates a call of any number of arguments. The first failure ends it, without cost unless
    /// it was the last argument.
    #[inline(never)]
    fn call_any<'s>(&'s self, call: &'s Call, frame: &'s Frame<'s>) -> Result<Value, EvalError> {
        let mut args = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            match self.eval(*arg, frame) {
                Ok(arg) => args.push(arg.into_owned()),
                Err(error) if args.len() + 1 == call.args.len() => {
                    let mut seen: Vec<&Value> = args.iter().collect();
                    seen.push(&NULL);
                    return Err(self.failed(call, &seen, &error));
                }
                Err(error) => return Err(error),
            }
        }
        self.run_call(call, &args)
    }

    #[inline(never)]
    fn run_call(&self, call: &Call, args: &[Value]) -> Result<Value, EvalError> {
        if call.operator == Some(Operator::Add) {
            self.context.allocate(args.iter().map(bytes).sum())?;
        }
        let result = match (&call.dispatch, &call.regex) {
            (_, Some(regex)) if call.operator == Some(Operator::Matches) => {
                let text = args.first().and_then(Value::native_str);
                let matches = text.map(|text| Value::Bool(regex.is_match(text)));
                matches.ok_or_else(EvalError::no_such_overload)
            }
            (Dispatch::Direct(implementation), _) => implementation(&self.context, args),
            (Dispatch::Guarded(overloads), regex) => overloads
                .iter()
                // Upstream: a call with a translated expression runs without checking types.
                .find(|overload| regex.is_some() || takes_all(&overload.params, args))
                .map_or_else(
                    || Err(EvalError::no_such_overload_of(call.function, args)),
                    |overload| (overload.run)(&self.context, args),
                ),
        };
        let result = result.map_err(|error| {
            let unknown = args.iter().find_map(Value::unknown);
            unknown.unwrap_or(error)
        });
        finished(&result)?;
        match call.cost(args, result.as_ref().unwrap_or(&NULL)) {
            PANICS => return result.map_err(EvalError::panics),
            cost => self.charge(cost)?,
        }
        result
    }

    /// Evaluates `value in [constants]`, which costs no more than the value.
    pub(super) fn in_set<'s>(
        &'s self,
        value: StepId,
        set: &'s ConstantSet,
        frame: &'s Frame<'s>,
    ) -> Result<bool, EvalError> {
        let value = self.eval(value, frame)?;
        let key = match &*value {
            Value::String(text) => return Ok(set.strings.contains(&**text)),
            Value::Bool(value) => ConstantKey::Bool(*value),
            Value::Int(number) => ConstantKey::Int(*number),
            Value::Uint(number) => ConstantKey::Uint(*number),
            Value::Double(number) => ConstantKey::Double(*number),
            other if Key::new(other).is_none() => return Err(EvalError::unhashable(other)),
            _ => return Ok(false),
        };
        Ok(set.others.contains(&key))
    }
}

/// Returns the memory that a value occupies in a value that contains it.
fn bytes(value: &Value) -> usize {
    match value {
        Value::List(elements) => elements.len() * size_of::<Value>(),
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        _ => 0,
    }
}

fn takes_all(params: &[Type], args: &[Value]) -> bool {
    params.len() == args.len()
        && params
            .iter()
            .zip(args)
            .all(|(param, arg)| param.accepts(arg))
}

impl Call {
    /// Returns the cost of the call by the rule of its function, otherwise by the general
    /// rules.
    fn cost(&self, args: &[Value], result: &Value) -> u64 {
        let own = self.hooks.iter();
        let own = own.filter_map(|hook| hook(self.overload, args, result));
        if let Some(cost) = own.take(1).next() {
            return cost;
        }
        match args {
            [first] => self.rule.cost(first, &NULL),
            [first, second, ..] => self.rule.cost(first, second),
            [] => 1,
        }
    }
}

impl CostRule {
    pub(super) fn from_overload(overload: &str, release: u8) -> Self {
        match overload {
            "starts_with_string" | "ends_with_string" if AFFIXES_ARE_COUNTED.applies(release) => {
                Self::Second
            }
            "starts_with_string" | "ends_with_string" | "string_to_bytes" | "bytes_to_string"
            | "strings_quote" | "string_format" => Self::First,
            "in_list" => Self::Elements,
            "equals" => Self::Equality,
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes"
            | "not_equals" => Self::Smaller,
            "add_string" | "add_bytes" => Self::Both,
            "matches_string" => Self::Match,
            "matches" if MATCHES_FUNCTION_HAS_COST.applies(release) => Self::Match,
            "contains_string" => Self::Contains,
            _ => Self::One,
        }
    }

    #[inline]
    pub(super) fn cost(self, left: &Value, right: &Value) -> u64 {
        match self {
            Self::One => 1,
            // Kubernetes counts one for every value of its libraries, even next to an error.
            Self::Equality if matches!(left, Value::Opaque(_)) => 1,
            Self::Smaller | Self::Equality if left.is_scalar() || right.is_scalar() => {
                u64::from(left.size() > 0 && right.size() > 0)
            }
            _ => self.cost_by_size(left, right),
        }
    }

    #[inline(never)]
    fn cost_by_size(self, left: &Value, right: &Value) -> u64 {
        match self {
            Self::One => 1,
            Self::First => traversal(left.size()),
            Self::Second => traversal(right.size()),
            Self::Elements => right.size(),
            Self::Equality | Self::Smaller => smaller(left, right),
            Self::Both => traversal(left.size() + right.size()),
            Self::Match => {
                let pattern = (right.size() as f64 * 0.25).ceil() as u64;
                traversal(left.size() + 1).saturating_mul(pattern)
            }
            Self::Contains => traversal(left.size()).saturating_mul(traversal(right.size())),
        }
    }
}

fn smaller(left: &Value, right: &Value) -> u64 {
    if let (Value::String(left), Value::String(right)) = (left, right)
        && left.len().min(right.len()) <= 10
    {
        // Code points are not more than bytes, and up to ten cost one unit.
        return u64::from(!left.is_empty() && !right.is_empty());
    }
    traversal(left.size().min(right.size()))
}

/// Returns a tenth of a size, rounded up.
///
/// Upstream: cel-go, common/cost.go, `StringTraversalCostFactor`.
fn traversal(size: u64) -> u64 {
    match size {
        0 => 0,
        1..=10 => 1,
        _ => (size as f64 * 0.1).ceil() as u64,
    }
}

impl Value {
    /// Returns whether its size is one.
    const fn is_scalar(&self) -> bool {
        matches!(
            self,
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_)
        )
    }
}
