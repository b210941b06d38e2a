//! The common cases of operators and functions, without a call.
//!
//! What is not here, and every failure in words of its own, is answered by the
//! implementation of the function.

use super::EvalError;
use super::code::{Call, Operator};
use crate::value::Value;
use std::cmp::Ordering;

/// What a function of one argument gives, in the common cases.
#[inline]
pub(super) fn unary(operator: Operator, arg: &Value) -> Option<Result<Value, EvalError>> {
    Some(Ok(match (operator, arg) {
        (Operator::Not, Value::Bool(value)) => Value::Bool(!value),
        (Operator::NotStrictlyFalse, Value::Bool(value)) => Value::Bool(*value),
        (Operator::NotStrictlyFalse, _) => Value::Bool(true),
        (Operator::Negate, Value::Int(number)) => Value::Int(number.checked_neg()?),
        (Operator::Negate, Value::Double(number)) => Value::Double(-number),
        (Operator::Size, Value::List(_) | Value::Map(_) | Value::String(_) | Value::Bytes(_)) => {
            Value::Int(i64::try_from(arg.size()).unwrap_or(i64::MAX))
        }
        _ => return None,
    }))
}

/// What a function of two arguments gives, in the common cases.
#[inline]
pub(super) fn binary(
    operator: Operator,
    call: &Call,
    left: &Value,
    right: &Value,
) -> Option<Result<Value, EvalError>> {
    let value = match operator {
        Operator::Equals => match left.equals(right) {
            Some(equal) => equal,
            None => return Some(Err(EvalError::no_such_overload())),
        },
        Operator::NotEquals => left != right,
        Operator::Less => compare(left, right)?.is_lt(),
        Operator::LessEquals => compare(left, right)?.is_le(),
        Operator::Greater => compare(left, right)?.is_gt(),
        Operator::GreaterEquals => compare(left, right)?.is_ge(),
        Operator::In => contains(right, left)?,
        Operator::StartsWith => left.as_str()?.starts_with(right.as_str()?),
        Operator::EndsWith => left.as_str()?.ends_with(right.as_str()?),
        Operator::Contains => left.as_str()?.contains(right.as_str()?),
        Operator::Matches => call.regex.as_ref()?.is_match(left.as_str()?),
        Operator::Add
        | Operator::Subtract
        | Operator::Multiply
        | Operator::Divide
        | Operator::Modulo => return arithmetic(operator, left, right).map(Ok),
        Operator::Negate | Operator::Not | Operator::NotStrictlyFalse | Operator::Size => {
            return None;
        }
    };
    Some(Ok(Value::Bool(value)))
}

/// The order of two numbers of one type or of two strings. Others are left to the
/// implementation: which types can be compared depends on the version.
fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Uint(left), Value::Uint(right)) => Some(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn contains(range: &Value, value: &Value) -> Option<bool> {
    match (range, value) {
        (Value::List(elements), _) => Some(elements.contains(value)),
        (Value::Map(map), Value::String(key)) => Some(map.get_str(key).is_some()),
        _ => None,
    }
}

fn arithmetic(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(Value::Int(match operator {
            Operator::Add => left.checked_add(*right)?,
            Operator::Subtract => left.checked_sub(*right)?,
            Operator::Multiply => left.checked_mul(*right)?,
            Operator::Divide => left.checked_div(*right)?,
            Operator::Modulo => left.checked_rem(*right)?,
            _ => return None,
        })),
        (Value::Double(left), Value::Double(right)) => Some(Value::Double(match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide => left / right,
            _ => return None,
        })),
        _ => None,
    }
}

impl Operator {
    /// The operator or function of a name.
    pub(super) fn of(function: &str) -> Option<Self> {
        Some(match function {
            "_==_" => Self::Equals,
            "_!=_" => Self::NotEquals,
            "_<_" => Self::Less,
            "_<=_" => Self::LessEquals,
            "_>_" => Self::Greater,
            "_>=_" => Self::GreaterEquals,
            "_+_" => Self::Add,
            "_-_" => Self::Subtract,
            "_*_" => Self::Multiply,
            "_/_" => Self::Divide,
            "_%_" => Self::Modulo,
            "-_" => Self::Negate,
            "!_" => Self::Not,
            "@not_strictly_false" => Self::NotStrictlyFalse,
            "@in" => Self::In,
            "size" => Self::Size,
            "startsWith" => Self::StartsWith,
            "endsWith" => Self::EndsWith,
            "contains" => Self::Contains,
            "matches" => Self::Matches,
            _ => return None,
        })
    }
}
