//! Calls of functions and operators.
//!
//! Upstream: cel-go, interpreter/planner.go, `planCall`; common/decls/decls.go, `Bindings`;
//! cel/library.go, `decorateOptionalOr`; interpreter/decorators.go.

use super::super::code::{
    Call, Connective, ConstantKey, ConstantSet, CostRule, Dispatch, FieldOperands, Guarded,
    Operator, StepId, StepKind,
};
use super::super::operators::{integers, truth};
use super::{Planned, Planner};
use crate::check::Reference;
use crate::env::{DeclaredFunction, DeclaredOverload};
use crate::expand::{Node, NodeId, NodeKind};
use crate::library::Implementation;
use crate::value::{EvalError, EvalErrorKind, Value};
use std::sync::Arc;

/// The functions that are evaluated at compile time if their argument is constant.
///
/// Upstream: cel-go, common/overloads/overloads.go, `IsTypeConversionFunction`.
pub(in super::super) const CONVERSIONS: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// The functions with one implementation for all values: no type is checked before it runs.
///
/// Upstream: cel-go, common/stdlib/standard.go and ext/lists.go, the functions with a
/// singleton binding or without type guards.
pub(in super::super) const UNGUARDED: [&str; 25] = [
    "_==_",
    "_!=_",
    "_<_",
    "_<=_",
    "_>_",
    "_>=_",
    "_+_",
    "_-_",
    "_*_",
    "_/_",
    "_%_",
    "-_",
    "!_",
    "@in",
    "size",
    "type",
    "dyn",
    "contains",
    "endsWith",
    "startsWith",
    "matches",
    "@not_strictly_false",
    "flatten",
    "sort",
    "@sortByAssociatedKeys",
];

impl Planner<'_> {
    pub(super) fn call(
        &mut self,
        id: NodeId,
        node: &Node,
        target: Option<NodeId>,
        function: &str,
        args: &[NodeId],
    ) -> Planned {
        let args: Vec<NodeId> = target.into_iter().chain(args.iter().copied()).collect();
        match function {
            "_?_:_" => return self.conditional(id, node, &args),
            "_[_]" => return self.index(id, node, &args, false),
            "_?._" | "_[?_]" => return self.index(id, node, &args, true),
            _ => {}
        }
        let steps: Result<Vec<StepId>, _> = args.iter().map(|arg| self.plan(*arg)).collect();
        let steps = steps?;
        match (function, &*steps) {
            ("_&&_" | "_||_", &[left, right]) => {
                let connective = self.connective(function == "_||_", left, right);
                Ok(self.add(StepKind::Connective(Box::new(connective)), id, node))
            }
            ("or", &[left, right]) => {
                Ok(self.add(StepKind::OptionalOr(left, right, false), id, node))
            }
            ("orValue", &[left, right]) => {
                Ok(self.add(StepKind::OptionalOr(left, right, true), id, node))
            }
            _ => self.plain_call(id, node, steps),
        }
    }

    /// Joins two operands, and the chains that they are, to one chain.
    fn connective(&mut self, decides: bool, left: StepId, right: StepId) -> Connective {
        let mut chain = self.take_chain(decides, left);
        chain.extend(self.take_chain(decides, right));
        Connective {
            decides,
            left,
            right,
            chain,
        }
    }

    fn take_chain(&mut self, decides: bool, step: StepId) -> Vec<StepId> {
        match self.code.kind_mut(step) {
            Some(StepKind::Connective(part))
                if part.decides == decides && !part.chain.is_empty() =>
            {
                std::mem::take(&mut part.chain)
            }
            _ => vec![step],
        }
    }

    fn plain_call(&mut self, id: NodeId, node: &Node, args: Vec<StepId>) -> Planned {
        let (name, single) = match (self.checked.reference(id), &node.kind) {
            (Some(Reference::Function { name, overloads }), _) => (*name, overloads.single()),
            (_, NodeKind::Call { function, .. }) if self.lenient => (&**function, None),
            _ => return Err(self.error_at(id, EvalError::no_such_overload())),
        };
        let Some(function) = self.env.function(name) else {
            return Err(self.error_at(id, EvalError::no_such_overload()));
        };
        let only = single.and_then(|at| function.overloads.get(at));
        let overload = match function.name {
            "_==_" => "equals",
            "_!=_" => "not_equals",
            _ => only.map_or("", DeclaredOverload::id),
        };
        if overload == "in_list"
            && let Some(step) = self.constant_set(id, node, &args)
        {
            return Ok(step);
        }
        let call = self.new_call(id, function, only, overload, args)?;
        self.finish_call(id, node, call)
    }

    fn new_call(
        &mut self,
        id: NodeId,
        function: &DeclaredFunction,
        only: Option<&DeclaredOverload>,
        overload: &'static str,
        args: Vec<StepId>,
    ) -> Planned<Call> {
        let Some(dispatch) = dispatch(function, only, args.len(), self.env.release()) else {
            return Err(self.error_at(id, EvalError::no_such_call(function.name)));
        };
        // Upstream: a function that chooses among its overloads takes any number of
        // arguments, and one of those stops at the first that fails.
        let chooses = only.is_none() && function.overloads.len() > 1;
        let operator = Operator::from_function(function.name);
        let mut call = Call {
            function: function.name,
            overload,
            operator,
            is_predicate: operator.is_some_and(Operator::is_predicate),
            stops_at_failure: overload == "string_format"
                || chooses && matches!(dispatch, Dispatch::Guarded(_)),
            dispatch,
            hooks: function
                .declarations
                .iter()
                .filter_map(|it| it.cost)
                .collect(),
            rule: CostRule::from_overload(overload, self.env.release()),
            regex: None,
            field: self.field_operands(&args),
            args: args.into(),
        };
        self.compile_regex(id, &mut call, function)?;
        Ok(call)
    }

    /// Returns the operands if one is a name with plain fields and the other a constant.
    fn field_operands(&self, args: &[StepId]) -> Option<FieldOperands> {
        let &[left, right] = args else { return None };
        let is_reversed = self.code.is_constant(left);
        let (field, constant) = if is_reversed {
            (right, left)
        } else {
            (left, right)
        };
        let StepKind::Attribute(id) = *self.code.kind(field) else {
            return None;
        };
        let attribute = self.code.attribute(id)?;
        (attribute.is_stored() && attribute.is_plain())
            .then(|| self.constant_value(constant).cloned())?
            .map(|constant| FieldOperands {
                attribute: id,
                constant,
                is_reversed,
            })
    }

    /// Adds a call, or its result if it is constant.
    fn finish_call(&mut self, id: NodeId, node: &Node, call: Call) -> Planned {
        let known = self.operation_on_constants(&call);
        let folds = !self.env.rules().specification
            && CONVERSIONS.contains(&call.function)
            && matches!(*call.args, [only] if self.code.is_constant(only));
        let step = self.add(StepKind::Call(Box::new(call)), id, node);
        if let Some((value, units)) = known {
            return Ok(self.add(StepKind::Known(value, units, step), id, node));
        }
        if !folds {
            return Ok(step);
        }
        match self.value_now(step) {
            Ok(value) => Ok(self.constant(id, node, value)),
            Err(error) => Err(self.error_at(id, error)),
        }
    }

    /// Returns the value and the cost of an operation on two constants that costs one unit.
    fn operation_on_constants(&self, call: &Call) -> Option<(Value, u64)> {
        let &[left, right] = &*call.args else {
            return None;
        };
        let ((left, left_units), (right, right_units)) =
            (self.known_operand(left)?, self.known_operand(right)?);
        let (Value::Int(first), Value::Int(second)) = (left, right) else {
            return None;
        };
        let value = match integers(call.operator?, *first, *second) {
            Some(number) => Value::Int(number),
            None => Value::Bool(truth(call, left, right)?),
        };
        Some((value, left_units + right_units + 1))
    }

    fn known_operand(&self, step: StepId) -> Option<(&Value, u64)> {
        match self.code.kind(step) {
            StepKind::Constant(value) => Some((value, 0)),
            StepKind::Known(value, units, _) => Some((value, *units)),
            _ => None,
        }
    }

    /// Translates a regular expression that is a constant.
    fn compile_regex(
        &mut self,
        id: NodeId,
        call: &mut Call,
        function: &DeclaredFunction,
    ) -> Planned<()> {
        let mut declared = function.declarations.iter();
        let Some(place) = declared.find_map(|it| it.regex_argument) else {
            return Ok(());
        };
        let pattern = call.args.get(place).copied();
        let pattern = pattern.and_then(|pattern| self.constant_value(pattern));
        let Some(Value::String(pattern)) = pattern else {
            return Ok(());
        };
        let pattern: Box<str> = (**pattern).into();
        let regex = match crate::regex::Regex::new(&pattern) {
            Ok(regex) => Arc::new(regex),
            Err(error) => {
                return Err(self.error_at(id, EvalError::new(EvalErrorKind::InvalidRegex(error))));
            }
        };
        // Upstream: cel-go puts a call of any number of arguments in its place.
        call.stops_at_failure = true;
        call.regex = Some(Arc::clone(&regex));
        self.code.regexes.push((pattern, regex));
        Ok(())
    }

    /// Plans `value in [constants]`.
    fn constant_set(&mut self, id: NodeId, node: &Node, args: &[StepId]) -> Option<StepId> {
        let &[value, list] = args else {
            return None;
        };
        let elements = self.constant_value(list)?.as_list()?;
        if elements.is_empty() {
            return Some(self.constant(id, node, Value::Bool(false)));
        }
        let mut set = ConstantSet::default();
        for element in elements {
            set.add(element)?;
        }
        Some(self.add(StepKind::InSet(value, Box::new(set)), id, node))
    }
}

/// Returns the implementation of a call with this number of arguments.
fn dispatch(
    function: &DeclaredFunction,
    only: Option<&DeclaredOverload>,
    arguments: usize,
    release: u8,
) -> Option<Dispatch> {
    let shared = || {
        function
            .declarations
            .iter()
            .find_map(|it| it.implementation)
    };
    if UNGUARDED.contains(&function.name) {
        let own = only.and_then(DeclaredOverload::implementation);
        return own.or_else(shared).map(Dispatch::Direct);
    }
    let guarded = |overload: &DeclaredOverload| {
        let run: Implementation = overload.implementation()?;
        Some(Guarded {
            params: overload.params.clone().into(),
            run,
        })
    };
    if let Some(only) = only {
        return guarded(only).map(|it| Dispatch::Guarded([it].into()));
    }
    let takes = |overload: &&DeclaredOverload| {
        overload.params.len() == arguments && overload.exists(release)
    };
    let all: Box<[Guarded]> = function
        .overloads
        .iter()
        .filter(takes)
        .filter_map(guarded)
        .collect();
    (!all.is_empty()).then_some(Dispatch::Guarded(all))
}

impl ConstantSet {
    /// Adds a value, and numbers of other types that equal it. `None` if it is not a constant
    /// of a simple type.
    fn add(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::String(text) => {
                self.strings.insert(Arc::clone(text));
            }
            Value::Bool(value) => self.others.push(ConstantKey::Bool(*value)),
            Value::Int(number) => {
                self.others.push(ConstantKey::Int(*number));
                self.others.push(ConstantKey::Double(*number as f64));
                let unsigned = u64::try_from(*number).ok();
                self.others.extend(unsigned.map(ConstantKey::Uint));
            }
            Value::Uint(number) => {
                self.others.push(ConstantKey::Uint(*number));
                self.others.push(ConstantKey::Double(*number as f64));
                let signed = i64::try_from(*number).ok();
                self.others.extend(signed.map(ConstantKey::Int));
            }
            Value::Double(number) => {
                self.others.push(ConstantKey::Double(*number));
                // The limits are exact: 2^63 and 2^64 are doubles.
                let whole = number.fract() == 0.0;
                if whole
                    && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(number)
                {
                    self.others.push(ConstantKey::Int(*number as i64));
                }
                if whole && (0.0..18_446_744_073_709_551_616.0).contains(number) {
                    self.others.push(ConstantKey::Uint(*number as u64));
                }
            }
            _ => return None,
        }
        Some(())
    }
}
