//! The implementations of the lists library.

use super::order::sorted_order;
use crate::changes::RANGES_HAVE_A_LIMIT;
use crate::library::Context;
use crate::stdlib::arithmetic::unsupported_first;
use crate::stdlib::comparison::{compare, is_ordered};
use crate::value::{EvalError, List, Value};
use std::cmp::Ordering;

pub(super) fn slice(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::List(elements), Value::Int(start), Value::Int(end)] = args else {
        return Err(EvalError::no_such_overload_of("slice", args));
    };
    let failed = |why: String| EvalError::message(format!("cannot slice({start}, {end}), {why}"));
    if *start < 0 || *end < 0 {
        return Err(failed("negative indexes not supported".to_owned()));
    }
    if start > end {
        let why = "start index must be less than or equal to end index";
        return Err(failed(why.to_owned()));
    }
    let part = usize::try_from(*start)
        .ok()
        .zip(usize::try_from(*end).ok())
        .and_then(|(start, end)| elements.get(start..end));
    match part {
        Some(part) => Ok(Value::list(part.to_vec())),
        None => Err(failed(format!("list is length {}", elements.len()))),
    }
}

pub(super) fn flatten(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (elements, depth) = match args {
        [Value::List(elements)] => (elements, 1),
        [Value::List(elements), Value::Int(depth)] => (elements, *depth),
        // The types are not checked before the call, so the message differs from those of other
        // functions.
        [other] => {
            return Err(EvalError::no_such_call(format!(
                "{}.flatten()",
                type_of(other)
            )));
        }
        [list, depth] => {
            let (list, depth) = (type_of(list), type_of(depth));
            return Err(EvalError::no_such_call(format!("{list}.flatten({depth})")));
        }
        _ => return Err(EvalError::no_such_overload_of("flatten", args)),
    };
    if depth < 0 {
        return Err(EvalError::message("level must be non-negative"));
    }
    let mut flat = Vec::with_capacity(elements.len());
    flatten_into(context, &mut flat, elements, depth)?;
    Ok(Value::list(flat))
}

fn flatten_into(
    context: &Context<'_>,
    flat: &mut Vec<Value>,
    elements: &[Value],
    depth: i64,
) -> Result<(), EvalError> {
    context.allocate(size_of_val(elements))?;
    for element in elements {
        match element {
            Value::List(nested) if depth > 0 => {
                flatten_into(context, flat, nested, depth - 1)?;
            }
            _ => flat.push(element.clone()),
        }
    }
    Ok(())
}

fn type_of(value: &Value) -> String {
    value.ty().runtime_name().to_owned()
}

pub(super) fn sort(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements)] => sorted(elements, elements),
        _ => Err(unsupported_first("sort", args)),
    }
}

pub(super) fn sort_by_keys(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements), Value::List(keys)] => sorted(elements, keys),
        _ => Err(unsupported_first("@sortByAssociatedKeys", args)),
    }
}

fn sorted(elements: &List, keys: &[Value]) -> Result<Value, EvalError> {
    if elements.len() != keys.len() {
        return Err(EvalError::message(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys \
             list, but got {} and {} elements respectively",
            elements.len(),
            keys.len()
        )));
    }
    let Some(first) = keys.first() else {
        return Ok(Value::List(elements.clone()));
    };
    if !is_ordered(first) {
        return Err(EvalError::message("list elements must be comparable"));
    }
    // A single element is not compared.
    let kind = std::mem::discriminant(first);
    if keys.iter().any(|key| std::mem::discriminant(key) != kind) {
        return Err(EvalError::message("list elements must have the same type"));
    }
    let less = |a: usize, b: usize| match (keys.get(a), keys.get(b)) {
        (Some(a), Some(b)) => matches!(compare("_<_", a, b), Ok(Ordering::Less)),
        _ => false,
    };
    let order = sorted_order(keys.len(), &less);
    let sorted = order.into_iter().filter_map(|at| elements.get(at).cloned());
    Ok(Value::list(sorted.collect()))
}

/// Limit: the elements of `lists.range`. cel-go, ext/lists.go, `defaultMaxRangeSize`.
const MAX_RANGE: i64 = 1_000_000;

pub(super) fn range(context: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::Int(end)] = args else {
        return Err(EvalError::no_such_overload_of("lists.range", args));
    };
    if RANGES_HAVE_A_LIMIT.applies(context.release()) && !(0..=MAX_RANGE).contains(end) {
        let reason = if *end < 0 {
            format!("must be non-negative, got {end}")
        } else {
            format!("{end} exceeds maximum allowed ({MAX_RANGE})")
        };
        return Err(EvalError::message(format!("lists.range: size {reason}")));
    }
    let length = usize::try_from(*end).unwrap_or(0);
    context.allocate(length.saturating_mul(size_of::<Value>()))?;
    Ok(Value::list((0..*end).map(Value::Int).collect()))
}

pub(super) fn reverse(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements)] => Ok(Value::list(elements.iter().rev().cloned().collect())),
        _ => Err(EvalError::no_such_overload_of("reverse", args)),
    }
}

pub(super) fn distinct(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::List(elements)] = args else {
        return Err(EvalError::no_such_overload_of("distinct", args));
    };
    let mut distinct: Vec<Value> = Vec::with_capacity(elements.len());
    for element in elements.iter() {
        if !distinct.contains(element) {
            distinct.push(element.clone());
        }
    }
    Ok(Value::list(distinct))
}
