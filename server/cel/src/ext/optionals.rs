//! Values that may be absent.
//!
//! The evaluator runs `or` and `orValue` itself, since they evaluate their argument only when
//! they need it.
//!
//! Upstream: cel-go, cel/library.go, `optionalLib`.

use crate::library::{Context, Function, Library, Macro, Since, overloads};
use crate::syntax::MacroKind;
use crate::value::{EvalError, Value};
use std::sync::Arc;

/// The version that brought the library.
const SINCE: Since = Since(28);

/// The library of optional values.
pub static LIBRARY: Library = Library {
    name: "optionals",
    functions: &[
        OF,
        OF_NON_ZERO_VALUE,
        NONE,
        VALUE,
        HAS_VALUE,
        OR,
        OR_VALUE,
        SELECT,
        OPTIONAL_INDEX,
        INDEX,
        LAST,
        FIRST,
        UNWRAP,
        UNWRAP_OPT,
    ],
    macros: &[
        Macro::new(MacroKind::OptMap, 1, SINCE),
        Macro::new(MacroKind::OptFlatMap, 1, SINCE),
    ],
};

/// `optional.of`
const OF: Function = Function {
    doc: "Returns an optional that contains the value.",
    example: "optional.of(1).value() == 1",
    overloads: overloads![
        global "optional_of" since 28: "<V>" -> "optional_type(<V>)";
    ],
    implementation: Some(optional_of),
    ..Function::named("optional.of")
};

/// `optional.ofNonZeroValue`
const OF_NON_ZERO_VALUE: Function = Function {
    doc: "Returns an optional that contains the value, or an empty optional if the value is zero, empty, false or null.",
    example: "!optional.ofNonZeroValue('').hasValue() && optional.ofNonZeroValue('a').hasValue()",
    overloads: overloads![
        global "optional_ofNonZeroValue" since 28: "<V>" -> "optional_type(<V>)";
    ],
    implementation: Some(of_non_zero_value),
    ..Function::named("optional.ofNonZeroValue")
};

/// `optional.none`
const NONE: Function = Function {
    doc: "Returns an empty optional.",
    example: "!optional.none().hasValue()",
    overloads: overloads![
        global "optional_none" since 28: "" -> "optional_type(<V>)";
    ],
    implementation: Some(none),
    ..Function::named("optional.none")
};

/// `value`
const VALUE: Function = Function {
    doc: "Returns the value of the optional. An empty optional is an error.",
    example: "optional.of('a').value() == 'a'",
    overloads: overloads![
        member "optional_value" since 28: "optional_type(<V>)" -> "<V>";
    ],
    implementation: Some(value),
    ..Function::named("value")
};

/// `hasValue`
const HAS_VALUE: Function = Function {
    doc: "Returns true if the optional contains a value.",
    example: "{'a': 1}[?'a'].hasValue()",
    overloads: overloads![
        member "optional_hasValue" since 28: "optional_type(<V>)" -> "bool";
    ],
    implementation: Some(has_value),
    ..Function::named("hasValue")
};

/// `or`
const OR: Function = Function {
    doc: "Returns the optional if it contains a value, otherwise the other optional.",
    example: "optional.none().or(optional.of(2)).value() == 2",
    overloads: overloads![
        member "optional_or_optional" since 28:
            "optional_type(<V>), optional_type(<V>)" -> "optional_type(<V>)";
    ],
    implementation: Some(or),
    ..Function::named("or")
};

/// `orValue`
const OR_VALUE: Function = Function {
    doc: "Returns the value of the optional, or the given default if the optional is empty.",
    example: "{'a': 1}[?'b'].orValue(0) == 0",
    overloads: overloads![
        member "optional_orValue_value" since 28: "optional_type(<V>), <V>" -> "<V>";
    ],
    implementation: Some(or_value),
    ..Function::named("orValue")
};

/// `_?._`
const SELECT: Function = Function {
    doc: "Returns the field as an optional, empty if the field is not set.",
    example: "{'a': 1}.?a.hasValue() && !{'a': 1}.?b.hasValue()",
    overloads: overloads![
        global "select_optional_field" since 28: "dyn, string" -> "optional_type(<V>)";
    ],
    implementation: Some(select),
    ..Function::named("_?._")
};

/// `_[?_]`
const OPTIONAL_INDEX: Function = Function {
    doc: "Returns the element at an index, or the value of a key, as an optional, empty if it does not exist.",
    example: "[1, 2][?5].orValue(0) == 0",
    overloads: overloads![
        global "list_optindex_optional_int" since 28: "list(<V>), int" -> "optional_type(<V>)";
        global "optional_list_optindex_optional_int" since 28:
            "optional_type(list(<V>)), int" -> "optional_type(<V>)";
        global "map_optindex_optional_value" since 28: "map(<K>, <V>), <K>" -> "optional_type(<V>)";
        global "optional_map_optindex_optional_value" since 28:
            "optional_type(map(<K>, <V>)), <K>" -> "optional_type(<V>)";
    ],
    implementation: Some(index),
    ..Function::named("_[?_]")
};

/// `_[_]`
const INDEX: Function = Function {
    doc: "Returns an element of the list or map in the optional as an optional, empty if the optional is empty or the element does not exist.",
    example: "optional.of([1, 2])[0].value() == 1",
    overloads: overloads![
        global "optional_list_index_int" since 28:
            "optional_type(list(<V>)), int" -> "optional_type(<V>)";
        global "optional_map_index_value" since 28:
            "optional_type(map(<K>, <V>)), <K>" -> "optional_type(<V>)";
    ],
    implementation: Some(index),
    ..Function::named("_[_]")
};

/// `last`
const LAST: Function = Function {
    doc: "Returns the last element as an optional, empty if the list is empty.",
    example: "[1, 2, 3].last().value() == 3",
    overloads: overloads![
        member "list_last" since 28: "list(<V>)" -> "optional_type(<V>)";
    ],
    implementation: Some(last),
    ..Function::named("last")
};

/// `first`
const FIRST: Function = Function {
    doc: "Returns the first element as an optional, empty if the list is empty.",
    example: "[1, 2, 3].first().value() == 1",
    overloads: overloads![
        member "list_first" since 28: "list(<V>)" -> "optional_type(<V>)";
    ],
    implementation: Some(first),
    ..Function::named("first")
};

/// `optional.unwrap`
const UNWRAP: Function = Function {
    doc: "Returns the values of the optionals in a list; empty ones are skipped.",
    example: "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    overloads: overloads![
        global "optional_unwrap" since 28: "list(optional_type(<V>))" -> "list(<V>)";
    ],
    implementation: Some(unwrap),
    ..Function::named("optional.unwrap")
};

/// `unwrapOpt`
const UNWRAP_OPT: Function = Function {
    doc: "Returns the values of the optionals in the list; empty ones are skipped.",
    example: "[optional.of(1), optional.none()].unwrapOpt() == [1]",
    overloads: overloads![
        member "optional_unwrapOpt" since 28: "list(optional_type(<V>))" -> "list(<V>)";
    ],
    implementation: Some(unwrap_opt),
    ..Function::named("unwrapOpt")
};

const DEREFERENCE: &str = "optional.none() dereference";

fn optional_of(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value] => Ok(Value::some(value.clone())),
        _ => Err(EvalError::no_such_overload_of("optional.of", args)),
    }
}

fn of_non_zero_value(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [value] if value.is_zero() => Ok(Value::Optional(None)),
        [value] => Ok(Value::some(value.clone())),
        _ => Err(EvalError::no_such_overload_of(
            "optional.ofNonZeroValue",
            args,
        )),
    }
}

fn none(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [] => Ok(Value::Optional(None)),
        _ => Err(EvalError::no_such_overload_of("optional.none", args)),
    }
}

fn value(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Optional(Some(value))] => value.unwrapped_value(),
        [Value::Optional(None)] => Err(EvalError::message(DEREFERENCE)),
        _ => Err(EvalError::no_such_overload_of("value", args)),
    }
}

fn has_value(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::no_such_overload_of("hasValue", args)),
    }
}

// A value that is not optional is passed on, as upstream does.
fn or(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Optional(None), other] => Ok(other.clone()),
        [value, _] => Ok(value.clone()),
        _ => Err(EvalError::no_such_overload_of("or", args)),
    }
}

fn or_value(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Optional(None), other] => Ok(other.clone()),
        [Value::Optional(Some(value)), _] => value.unwrapped_value(),
        [value, _] => Ok(value.clone()),
        _ => Err(EvalError::no_such_overload_of("orValue", args)),
    }
}

fn select(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [operand, Value::String(field)] = args else {
        return Err(EvalError::no_such_overload_of("_?._", args));
    };
    let operand = match operand {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => value,
        operand => operand,
    };
    let found = match operand {
        Value::Map(map) => map.get_str(field).cloned(),
        Value::Opaque(opaque) => match opaque.has_field(field).transpose()? {
            Some(true) => opaque.field(field).transpose()?,
            Some(false) => None,
            None => return Err(EvalError::message(format!("no such field '{field}'"))),
        },
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Value::Optional(found.map(Arc::new)))
}

fn index(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    let [operand, index] = args else {
        return Err(EvalError::no_such_overload_of("_[?_]", args));
    };
    let operand = match operand {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => value,
        operand => operand,
    };
    let found = match (operand, index) {
        (Value::List(elements), Value::Int(index)) => usize::try_from(*index)
            .ok()
            .and_then(|index| elements.get(index)),
        (Value::Map(map), key) => map.find(key)?,
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Value::Optional(found.cloned().map(Arc::new)))
}

fn last(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements)] => Ok(Value::Optional(elements.last().cloned().map(Arc::new))),
        _ => Err(EvalError::no_such_overload_of("last", args)),
    }
}

fn first(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::List(elements)] => Ok(Value::Optional(elements.first().cloned().map(Arc::new))),
        _ => Err(EvalError::no_such_overload_of("first", args)),
    }
}

fn unwrap(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    unwrapped("optional.unwrap", args)
}

fn unwrap_opt(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    unwrapped("unwrapOpt", args)
}

fn unwrapped(function: &str, args: &[Value]) -> Result<Value, EvalError> {
    let [Value::List(elements)] = args else {
        return Err(EvalError::no_such_overload_of(function, args));
    };
    if !matches!(elements.first(), None | Some(Value::Optional(_))) {
        return Err(EvalError::no_such_overload_of(function, args));
    }
    let mut values = Vec::new();
    for element in elements.iter() {
        match element {
            Value::Optional(None) => {}
            Value::Optional(Some(value)) => values.push(Value::clone(value)),
            other => {
                return Err(EvalError::message(format!("value {other} is not optional")));
            }
        }
    }
    Ok(Value::list(values))
}
