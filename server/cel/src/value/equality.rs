//! When two values are equal.
//!
//! CEL compares anything with anything: values of different types are not equal, but
//! numbers are compared across their types.
//!
//! Upstream: cel-go, common/types/util.go, `Equal`; common/types/compare.go.

use super::{Map, Value};
use std::cmp::Ordering;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => maps_equal(a, b),
            (Value::Duration(a), Value::Duration(b)) => a == b,
            (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a.runtime_name() == b.runtime_name(),
            (Value::Optional(a), Value::Optional(b)) => a == b,
            (Value::Opaque(a), Value::Opaque(b)) => a.equals(&**b),
            _ => self.compare_numbers(other) == Some(Ordering::Equal),
        }
    }
}

fn maps_equal(a: &Map, b: &Map) -> bool {
    let has = |(key, value): (&super::Key, &Value)| match key {
        super::Key::String(key) => b.get_str(key) == Some(value),
        _ => b.get(&key.value()) == Some(value),
    };
    a.len() == b.len() && a.iter().all(has)
}

impl Value {
    /// Whether it equals another value. `None` if it is of a library that does not compare it
    /// with such a value, which makes `==` an error.
    #[must_use]
    pub fn equals(&self, other: &Self) -> Option<bool> {
        match self {
            Value::Opaque(opaque) => opaque.equals_value(other),
            _ => Some(self == other),
        }
    }

    /// The order of two numbers of any type, exact also where a conversion would round.
    /// `None` if one is not a number or is not comparable.
    #[must_use]
    pub fn compare_numbers(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Uint(a), Value::Uint(b)) => Some(a.cmp(b)),
            (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
            (Value::Int(a), Value::Uint(b)) => Some(int_with_uint(*a, *b)),
            (Value::Uint(a), Value::Int(b)) => Some(int_with_uint(*b, *a).reverse()),
            (Value::Int(a), Value::Double(b)) => int_with_double(*a, *b),
            (Value::Double(a), Value::Int(b)) => int_with_double(*b, *a).map(Ordering::reverse),
            (Value::Uint(a), Value::Double(b)) => uint_with_double(*a, *b),
            (Value::Double(a), Value::Uint(b)) => uint_with_double(*b, *a).map(Ordering::reverse),
            _ => None,
        }
    }
}

fn int_with_uint(a: i64, b: u64) -> Ordering {
    u64::try_from(a).map_or(Ordering::Less, |a| a.cmp(&b))
}

// Upstream: cel-go, common/types/compare.go, `compareDoubleInt`: a double outside of the
// range of integers is less or greater, one inside is compared as a double.
fn int_with_double(a: i64, b: f64) -> Option<Ordering> {
    if b < i64::MIN as f64 {
        Some(Ordering::Greater)
    } else if b > i64::MAX as f64 {
        Some(Ordering::Less)
    } else {
        (a as f64).partial_cmp(&b)
    }
}

fn uint_with_double(a: u64, b: f64) -> Option<Ordering> {
    if b < 0.0 {
        Some(Ordering::Greater)
    } else if b > u64::MAX as f64 {
        Some(Ordering::Less)
    } else {
        (a as f64).partial_cmp(&b)
    }
}
