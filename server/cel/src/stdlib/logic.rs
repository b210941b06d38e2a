//! Logic.
//!
//! The evaluator runs these itself, since they absorb failures; these implementations are for
//! operands that are all values.

use crate::library::{Context, Function, overloads};
use crate::value::{EvalError, Value};

/// `_?_:_`
pub(super) const CONDITIONAL: Function = Function {
    doc: "Returns the first value if the condition is true, otherwise the second. The other value is not evaluated.",
    example: "(2 > 1 ? 'yes' : 'no') == 'yes'",
    overloads: overloads![
        global "conditional": "bool, <A>, <A>" -> "<A>";
    ],
    implementation: Some(conditional),
    ..Function::named("_?_:_")
};

/// `_&&_`
pub(super) const AND: Function = Function {
    doc: "Returns true if both operands are true. If one operand is false, the result is false, even if the other is an error.",
    example: "true && 2 > 1",
    overloads: overloads![
        global "logical_and": "bool, bool" -> "bool";
    ],
    implementation: Some(and),
    ..Function::named("_&&_")
};

/// `_||_`
pub(super) const OR: Function = Function {
    doc: "Returns true if either operand is true, even if the other is an error.",
    example: "false || 2 > 1",
    overloads: overloads![
        global "logical_or": "bool, bool" -> "bool";
    ],
    implementation: Some(or),
    ..Function::named("_||_")
};

/// `!_`
pub(super) const NOT: Function = Function {
    doc: "Negates a bool.",
    example: "!(1 > 2)",
    overloads: overloads![
        global "logical_not": "bool" -> "bool";
    ],
    implementation: Some(not),
    ..Function::named("!_")
};

/// `@not_strictly_false`
pub(super) const NOT_STRICTLY_FALSE: Function = Function {
    overloads: overloads![
        global "not_strictly_false": "bool" -> "bool";
    ],
    implementation: Some(not_strictly_false),
    ..Function::named("@not_strictly_false")
};

fn conditional(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Bool(condition), yes, no] => Ok(if *condition { yes } else { no }.clone()),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn and(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Bool(false), _] | [_, Value::Bool(false)] => Ok(Value::Bool(false)),
        [Value::Bool(true), Value::Bool(true)] => Ok(Value::Bool(true)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn or(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Bool(true), _] | [_, Value::Bool(true)] => Ok(Value::Bool(true)),
        [Value::Bool(false), Value::Bool(false)] => Ok(Value::Bool(false)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn not(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(!value)),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn not_strictly_false(_: &Context<'_>, args: &[Value]) -> Result<Value, EvalError> {
    Ok(Value::Bool(!matches!(args, [Value::Bool(false)])))
}
