//! Kubernetes' functions of lists.
//!
//! They process all elements of a list: order, sum, minimum, maximum, index.
use super::argument::list;
use super::cost;
use cel::cost::calls;
use cel::library::{Context, Function, Library, overloads};
use cel::stdlib::comparison::{compare, is_ordered};
use cel::value::{Duration, EvalError, Value};
use std::cmp::Ordering;

/// Kubernetes' functions of lists.
pub static LISTS: Library = Library {
    name: "lists",
    macros: &[],
    functions: &[
        Function {
            doc: "Returns whether the elements are in ascending order.",
            example: "[1, 2, 2].isSorted()",
            overloads: overloads![
                member "list_int_is_sorted_bool" since 24: "list(int)" -> "bool";
                member "list_uint_is_sorted_bool" since 24: "list(uint)" -> "bool";
                member "list_double_is_sorted_bool" since 24: "list(double)" -> "bool";
                member "list_bool_is_sorted_bool" since 24: "list(bool)" -> "bool";
                member "list_duration_is_sorted_bool" since 24:
                    "list(google.protobuf.Duration)" -> "bool";
                member "list_timestamp_is_sorted_bool" since 24:
                    "list(google.protobuf.Timestamp)" -> "bool";
                member "list_string_is_sorted_bool" since 24: "list(string)" -> "bool";
                member "list_bytes_is_sorted_bool" since 24: "list(bytes)" -> "bool";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(is_sorted),
            cost: Some(cost::traverses),
            ..Function::named("isSorted")
        },
        Function {
            doc: "Returns the sum of the elements, 0 for an empty list.",
            example: "[1, 2, 3].sum() == 6",
            overloads: overloads![
                member "list_int_sum_int" since 24: "list(int)" -> "int", runs sum_int;
                member "list_uint_sum_uint" since 24: "list(uint)" -> "uint", runs sum_uint;
                member "list_double_sum_double" since 24:
                    "list(double)" -> "double", runs sum_double;
                member "list_duration_sum_duration" since 24:
                    "list(google.protobuf.Duration)"
                    -> "google.protobuf.Duration", runs sum_duration;
            ],
            estimate: Some(calls::scans_target),
            cost: Some(cost::traverses),
            ..Function::named("sum")
        },
        Function {
            doc: "Returns the largest element. Fails for an empty list.",
            example: "[2, 3, 1].max() == 3",
            overloads: overloads![
                member "list_int_max_int" since 24: "list(int)" -> "int";
                member "list_uint_max_uint" since 24: "list(uint)" -> "uint";
                member "list_double_max_double" since 24: "list(double)" -> "double";
                member "list_bool_max_bool" since 24: "list(bool)" -> "bool";
                member "list_duration_max_duration" since 24:
                    "list(google.protobuf.Duration)" -> "google.protobuf.Duration";
                member "list_timestamp_max_timestamp" since 24:
                    "list(google.protobuf.Timestamp)" -> "google.protobuf.Timestamp";
                member "list_string_max_string" since 24: "list(string)" -> "string";
                member "list_bytes_max_bytes" since 24: "list(bytes)" -> "bytes";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(max),
            cost: Some(cost::traverses),
            ..Function::named("max")
        },
        Function {
            doc: "Returns the smallest element. Fails for an empty list.",
            example: "[2, 3, 1].min() == 1",
            overloads: overloads![
                member "list_int_min_int" since 24: "list(int)" -> "int";
                member "list_uint_min_uint" since 24: "list(uint)" -> "uint";
                member "list_double_min_double" since 24: "list(double)" -> "double";
                member "list_bool_min_bool" since 24: "list(bool)" -> "bool";
                member "list_duration_min_duration" since 24:
                    "list(google.protobuf.Duration)" -> "google.protobuf.Duration";
                member "list_timestamp_min_timestamp" since 24:
                    "list(google.protobuf.Timestamp)" -> "google.protobuf.Timestamp";
                member "list_string_min_string" since 24: "list(string)" -> "string";
                member "list_bytes_min_bytes" since 24: "list(bytes)" -> "bytes";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(min),
            cost: Some(cost::traverses),
            ..Function::named("min")
        },
        Function {
            doc: "Returns the index of the first element that equals the value, or -1.",
            example: "['a', 'b', 'b'].indexOf('b') == 1",
            overloads: overloads![
                member "list_a_index_of_int" since 24: "list(<A>), <A>" -> "int";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(index_of),
            cost: Some(cost::traverses),
            ..Function::named("indexOf")
        },
        Function {
            doc: "Returns the index of the last element that equals the value, or -1.",
            example: "['a', 'b', 'b'].lastIndexOf('b') == 2",
            overloads: overloads![
                member "list_a_last_index_of_int" since 24: "list(<A>), <A>" -> "int";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(last_index_of),
            cost: Some(cost::traverses),
            ..Function::named("lastIndexOf")
        },
        Function {
            doc: "Returns whether a list contains the value. A receiver that is not a list is \
                  compared with the value.",
            example: "[1, 2, 3].includes(2) && 'a'.includes('a')",
            overloads: overloads![
                member "list_includes_dyn_dyn" since 37: "dyn, dyn" -> "bool";
            ],
            estimate: Some(calls::scans_target),
            implementation: Some(includes),
            cost: Some(cost::traverses),
            ..Function::named("includes")
        },
    ],
};

/// # Errors
/// The type of the value is not ordered.
fn check_order(value: &Value) -> Result<(), EvalError> {
    if is_ordered(value) {
        return Ok(());
    }
    Err(EvalError::no_such_overload())
}

/// Returns whether a list is sorted. Like the server, it stops at the first pair in the wrong
/// order.
fn is_sorted(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let mut before: Option<&Value> = None;
    for element in list(args, 0)? {
        check_order(element)?;
        if before.is_some_and(|before| compare("_>_", before, element) == Ok(Ordering::Greater)) {
            return Ok(Value::Bool(false));
        }
        before = Some(element);
    }
    Ok(Value::Bool(true))
}

fn min(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    preferred(args, Ordering::Greater, "min called on empty list")
}

fn max(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    preferred(args, Ordering::Less, "max called on empty list")
}

/// Returns the minimum or maximum: the element that no later one replaces by its order.
fn preferred(args: &[Value], replaced: Ordering, empty: &'static str) -> Result<Value, EvalError> {
    let elements = list(args, 0)?;
    elements.iter().try_for_each(check_order)?;
    let best = elements.iter().reduce(|best, next| {
        if compare("_<_", best, next) == Ok(replaced) {
            next
        } else {
            best
        }
    });
    best.cloned().ok_or_else(|| EvalError::message(empty))
}

fn sum_int(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let numbers = list(args, 0)?.iter().map(Value::as_int);
    let mut sum = 0_i64;
    for number in numbers {
        let number = number.ok_or_else(EvalError::no_such_overload)?;
        let next = sum.checked_add(number);
        sum = next.ok_or_else(|| EvalError::message("integer overflow"))?;
    }
    Ok(Value::Int(sum))
}

fn sum_uint(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let mut sum = 0_u64;
    for element in list(args, 0)? {
        let Value::Uint(number) = element else {
            return Err(EvalError::no_such_overload());
        };
        let next = sum.checked_add(*number);
        sum = next.ok_or_else(|| EvalError::message("unsigned integer overflow"))?;
    }
    Ok(Value::Uint(sum))
}

fn sum_double(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let mut sum = 0.0;
    for element in list(args, 0)? {
        let Value::Double(number) = element else {
            return Err(EvalError::no_such_overload());
        };
        sum += number;
    }
    Ok(Value::Double(sum))
}

fn sum_duration(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let mut nanos = 0_i64;
    for element in list(args, 0)? {
        let Value::Duration(duration) = element else {
            return Err(EvalError::no_such_overload());
        };
        let next = nanos.checked_add(duration.nanos);
        nanos = next.ok_or_else(|| EvalError::message("integer overflow"))?;
    }
    Ok(Value::Duration(Duration { nanos }))
}

fn index_of(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (elements, item) = elements_and_item(args)?;
    Ok(index_or_minus_one(
        elements.iter().position(|element| element == item),
    ))
}

fn last_index_of(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let (elements, item) = elements_and_item(args)?;
    Ok(index_or_minus_one(
        elements.iter().rposition(|element| element == item),
    ))
}

/// Returns whether the list has the element. A value that cannot be compared with it is not equal.
fn includes(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [target, item] = args else {
        return Err(EvalError::no_such_overload());
    };
    let includes = match target.as_list() {
        Some(elements) => elements.iter().any(|it| it.equals(item) == Ok(true)),
        None => target.equals(item) == Ok(true),
    };
    Ok(Value::Bool(includes))
}

fn elements_and_item(args: &[Value]) -> Result<(&[Value], &Value), EvalError> {
    let item = args.get(1).ok_or_else(EvalError::no_such_overload)?;
    Ok((list(args, 0)?, item))
}

fn index_or_minus_one(index: Option<usize>) -> Value {
    Value::Int(
        index
            .and_then(|index| i64::try_from(index).ok())
            .unwrap_or(-1),
    )
}
