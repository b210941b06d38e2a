//! Lists as sets.
//!
//! Upstream: cel-go, ext/sets.go.

use crate::cost::calls;
use crate::library::{Context, Function, Library, overloads};
use crate::value::{EvalError, List, Value};

/// The sets library.
pub static LIBRARY: Library = Library {
    name: "sets",
    functions: &[CONTAINS, EQUIVALENT, INTERSECTS],
    macros: &[],
};

/// `sets.contains`
const CONTAINS: Function = Function {
    doc: "Returns true if the first list contains every element of the second. Order and duplicates are ignored.",
    example: "sets.contains([1, 2, 3], [3, 1])",
    overloads: overloads![
        global "list_sets_contains_list" since 29: "list(<T>), list(<T>)" -> "bool";
    ],
    implementation: Some(contains),
    cost: Some(compared_once),
    estimate: Some(calls::compares_sets),
    ..Function::named("sets.contains")
};

/// `sets.equivalent`
const EQUIVALENT: Function = Function {
    doc: "Returns true if each list contains every element of the other. Order and duplicates are ignored.",
    example: "sets.equivalent([1, 2], [2, 1, 1])",
    overloads: overloads![
        global "list_sets_equivalent_list" since 29: "list(<T>), list(<T>)" -> "bool";
    ],
    implementation: Some(equivalent),
    cost: Some(compared_twice),
    estimate: Some(calls::compares_sets_twice),
    ..Function::named("sets.equivalent")
};

/// `sets.intersects`
const INTERSECTS: Function = Function {
    doc: "Returns true if the lists have at least one element in common.",
    example: "sets.intersects([1, 2], [2, 3])",
    overloads: overloads![
        global "list_sets_intersects_list" since 29: "list(<T>), list(<T>)" -> "bool";
    ],
    implementation: Some(intersects),
    cost: Some(compared_once),
    estimate: Some(calls::compares_sets),
    ..Function::named("sets.intersects")
};

/// Returns whether every element of the second list is in the first.
fn has_all(list: &List, part: &List) -> bool {
    part.iter().all(|element| list.holds(element) == Ok(true))
}

fn contains(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(list), Value::List(part)] => Ok(Value::Bool(has_all(list, part))),
        _ => Err(EvalError::no_such_overload_of("sets.contains", args)),
    }
}

fn equivalent(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(a), Value::List(b)] => Ok(Value::Bool(has_all(a, b) && has_all(b, a))),
        _ => Err(EvalError::no_such_overload_of("sets.equivalent", args)),
    }
}

fn intersects(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(a), Value::List(b)] => {
            let mut elements = a.iter();
            Ok(Value::Bool(elements.any(|it| b.holds(it) == Ok(true))))
        }
        _ => Err(EvalError::no_such_overload_of("sets.intersects", args)),
    }
}

/// Costs the comparison of each element of one list with each of the other.
fn compared_once(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    compared(args, 1.0)
}

/// Costs the same comparison in both directions.
fn compared_twice(_: &str, args: &[Value], _: &Value) -> Option<u64> {
    compared(args, 2.0)
}

fn compared(args: &[Value], factor: f64) -> Option<u64> {
    let [a, b] = args else {
        return None;
    };
    let pairs = a.size().wrapping_mul(b.size());
    Some(1 + (pairs as f64 * factor) as u64)
}
