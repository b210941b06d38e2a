//! Lists and maps: index, `in`, size.

use super::arithmetic::unsupported_first;
use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};

/// `_[_]`
pub(super) const INDEX: Function = Function {
    doc: "Returns the element of a list at an index, counted from 0, or the value of a map for a key. An index out of range or a missing key is an error.",
    example: "[1, 2, 3][1] == 2 && {'a': 1}['a'] == 1",
    overloads: overloads![
        global "index_list": "list(<A>), int" -> "<A>";
        global "index_map": "map(<A>, <B>), <A>" -> "<B>";
    ],
    implementation: Some(index),
    ..Function::named("_[_]")
};

/// `@in`
pub(super) const IN: Function = Function {
    doc: "Returns true if the list contains an element equal to the value, or the map contains the key.",
    example: "2 in [1, 2, 3] && 'a' in {'a': 1}",
    overloads: overloads![
        global "in_list": "<A>, list(<A>)" -> "bool";
        global "in_map": "<A>, map(<A>, <B>)" -> "bool";
    ],
    implementation: Some(contains),
    ..Function::named("@in")
};

/// `size`
pub(super) const SIZE: Function = Function {
    doc: "Returns the number of elements of a list, entries of a map, code points of a string, or bytes.",
    example: "size([1, 2]) == 2 && 'été'.size() == 3",
    overloads: overloads![
        global "size_bytes": "bytes" -> "int";
        member "bytes_size": "bytes" -> "int";
        global "size_list": "list(<A>)" -> "int";
        member "list_size": "list(<A>)" -> "int";
        global "size_map": "map(<A>, <B>)" -> "int";
        member "map_size": "map(<A>, <B>)" -> "int";
        global "size_string": "string" -> "int";
        member "string_size": "string" -> "int";
    ],
    implementation: Some(size),
    ..Function::named("size")
};

fn index(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements), index] => element(elements, index),
        [Value::Map(map), key] => match map.find(key)? {
            Some(value) => Ok(value.clone()),
            None => Err(EvalError::no_such_key(&key.to_string())),
        },
        _ => Err(unsupported_first("_[_]", args)),
    }
}

fn element(elements: &[Value], index: &Value) -> Result<Value, EvalError> {
    let at = match index {
        Value::Int(index) => Some(i128::from(*index)),
        Value::Uint(index) => Some(i128::from(*index)),
        Value::Double(index) if index.fract() == 0.0 => Some(*index as i128),
        _ => None,
    };
    let Some(at) = at else {
        let ty = index.ty();
        let message = format!("unsupported index type '{}' in list", ty.runtime_name());
        return Err(EvalError::message(message));
    };
    let found = usize::try_from(at).ok().and_then(|at| elements.get(at));
    found.cloned().ok_or_else(|| {
        let size = elements.len();
        EvalError::message(format!("index '{at}' out of range in list size '{size}'"))
    })
}

/// Returns `a in b`.
///
/// # Errors
/// `b` is neither a list nor a map, or cannot contain such a value.
pub fn contains(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value, Value::List(elements)] => elements.holds(value).map(Value::Bool),
        [key, Value::Map(map)] => Ok(Value::Bool(map.find(key)?.is_some())),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn size(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value @ (Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_))] => {
            Ok(Value::Int(i64::try_from(value.size()).unwrap_or(i64::MAX)))
        }
        _ => Err(unsupported_first("size", args)),
    }
}
