//! The common cases of operators and functions, without a call.
//!
//! Other operators, and every failure with a specific message, are handled by the implementation of
//! the function.

use super::code::{Call, Operator};
use crate::value::Value;
use std::cmp::Ordering;

/// Returns the result of a function of one argument if it is an integer.
pub(super) fn unary(operator: Operator, arg: &Value) -> Option<i64> {
    match (operator, arg) {
        (Operator::Negate, Value::Int(number)) => number.checked_neg(),
        (Operator::Size, Value::List(_) | Value::Map(_) | Value::String(_) | Value::Bytes(_)) => {
            i64::try_from(arg.size()).ok()
        }
        _ => None,
    }
}

/// Returns the result of a function of two arguments if it is a bool.
#[inline]
pub(super) fn truth(call: &Call, left: &Value, right: &Value) -> Option<bool> {
    Some(match call.operator? {
        Operator::Equals => equal(left, right)?,
        Operator::NotEquals => !equal(left, right)?,
        Operator::Less => compare(left, right)?.is_lt(),
        Operator::LessEquals => compare(left, right)?.is_le(),
        Operator::Greater => compare(left, right)?.is_gt(),
        Operator::GreaterEquals => compare(left, right)?.is_ge(),
        Operator::In => contains(right, left)?,
        Operator::StartsWith => left.as_str()?.starts_with(right.as_str()?),
        Operator::EndsWith => left.as_str()?.ends_with(right.as_str()?),
        Operator::Contains => left.as_str()?.contains(right.as_str()?),
        Operator::Matches => call.regex.as_ref()?.is_match(left.as_str()?),
        _ => return None,
    })
}

/// Returns the result of a comparison of two integers.
#[inline]
pub(super) const fn integer_test(operator: Operator, left: i64, right: i64) -> Option<bool> {
    Some(match operator {
        Operator::Equals => left == right,
        Operator::NotEquals => left != right,
        Operator::Less => left < right,
        Operator::LessEquals => left <= right,
        Operator::Greater => left > right,
        Operator::GreaterEquals => left >= right,
        _ => return None,
    })
}

/// Values that cannot be compared are left to the implementation.
#[inline]
fn equal(left: &Value, right: &Value) -> Option<bool> {
    Some(match (left, right) {
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => left == right,
        _ => return left.equals(right).ok(),
    })
}

/// Returns the order of two numbers of one type or of two strings. `None` leaves others to the
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
        (Value::List(elements), _) => elements.holds(value).ok(),
        (Value::Map(map), Value::String(key)) => Some(map.get_str(key).is_some()),
        _ => None,
    }
}

/// Returns the result of an operator on two integers. Errors are left to the implementation.
#[inline]
pub(super) const fn integers(operator: Operator, left: i64, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Modulo => left.checked_rem(right),
        _ => None,
    }
}

impl Operator {
    /// Returns whether it yields `true` or `false`.
    pub(super) const fn is_predicate(self) -> bool {
        !matches!(
            self,
            Self::Add
                | Self::Subtract
                | Self::Multiply
                | Self::Divide
                | Self::Modulo
                | Self::Negate
                | Self::Size
        )
    }

    /// Returns the operator or function of a name.
    pub(super) fn from_function(function: &str) -> Option<Self> {
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
