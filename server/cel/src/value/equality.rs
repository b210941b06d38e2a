//! When two values are equal.
//!
//! CEL compares anything with anything: values of different types are not equal, but
//! numbers are compared across their types.
//!
//! Upstream: cel-go, common/types/util.go, `Equal`; common/types/compare.go.

use super::list::{Index, have_same_keys, mark};
use super::{Key, List, ListKind, Map, Repeats, Value};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::List(_), Value::List(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::Optional(_), Value::Optional(_)) => Comparison::default().equal(self, other),
            _ => flat_equal(self, other),
        }
    }
}

/// Compares values without nested values, and values of different kinds.
fn flat_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
        (Value::Type(a), Value::Type(b)) => a.runtime_name() == b.runtime_name(),
        (Value::Opaque(a), Value::Opaque(b)) => a.equals(&**b),
        _ => a.compare_numbers(b) == Some(Ordering::Equal),
    }
}

/// A comparison of values with values inside.
///
/// A list can hold the same list many times, and that list another one many times. Expanded, it
/// could be larger than memory, so after some work, pairs that are known to be equal are kept and
/// not compared again.
#[derive(Default)]
struct Comparison {
    work: u32,
    /// The addresses of two lists or maps that are equal.
    equal: HashSet<(usize, usize), foldhash::fast::RandomState>,
}

/// The number of pairs that are compared before any is kept.
const FREE_WORK: u32 = 10_000;

impl Comparison {
    fn equal(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len()
                    && self.once((a.address(), b.address()), |comparison| {
                        comparison.lists_equal(a, b)
                    })
            }
            (Value::Map(a), Value::Map(b)) => {
                a.len() == b.len()
                    && self.once((a.address(), b.address()), |comparison| {
                        comparison.maps_equal(a, b)
                    })
            }
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => self.equal(a, b),
            (Value::Optional(a), Value::Optional(b)) => a.is_none() && b.is_none(),
            _ => flat_equal(a, b),
        }
    }

    /// Compares lists of one length. The first one determines how.
    ///
    /// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go,
    /// unstructuredSetList.Equal and unstructuredMapList.Equal. Up to Kubernetes 1.36 an
    /// element of the second list may be there more than once.
    fn lists_equal(&mut self, a: &List, b: &List) -> bool {
        match a.kind() {
            None | Some(ListKind::Atomic) => {
                let mut pairs = a.iter().zip(b.iter());
                pairs.all(|(a, b)| !self.differ(a, b))
            }
            Some(ListKind::Set(repeats)) => {
                (a.is_empty() || !a.is_unread())
                    && self.others_are_own(a, b, &[])
                    && (*repeats == Repeats::Overlooked || self.others_are_own(b, a, &[]))
            }
            Some(ListKind::Keyed(keys, repeats)) => {
                self.others_are_own(a, b, keys)
                    && (*repeats == Repeats::Overlooked || all_keys_are_there(a, b, keys))
            }
        }
    }

    /// Returns whether every element of the second list is in the first: unchanged, or as the last
    /// one with the same keys.
    fn others_are_own(&mut self, a: &List, b: &List, keys: &[Arc<str>]) -> bool {
        let index = Index::new(a, keys);
        b.iter().all(|other| {
            let candidates = index.candidates(mark(other, keys));
            let mut own = candidates.filter_map(|at| a.get(at));
            if keys.is_empty() {
                return own.any(|own| self.equal(own, other));
            }
            let own = own.find(|own| have_same_keys(own, other, keys));
            own.is_some_and(|own| self.equal(own, other))
        })
    }

    fn maps_equal(&mut self, a: &Map, b: &Map) -> bool {
        a.iter().all(|(key, value)| {
            let other = match key {
                Key::String(key) => b.get_str(key),
                _ => b.get(&key.value()),
            };
            other.is_some_and(|other| !self.differ(value, other))
        })
    }

    /// Returns whether two elements differ. Library values that cannot be compared with each other
    /// do not differ: in a list or a map, cel-go checks only for `false`.
    ///
    /// Upstream: cel-go, common/types/list.go and map.go, `Equal`.
    fn differ(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Opaque(a), b) => a.equals_value(b) == Some(false),
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => self.differ(a, b),
            _ => !self.equal(a, b),
        }
    }

    fn once(&mut self, places: (usize, usize), compare: impl FnOnce(&mut Self) -> bool) -> bool {
        self.work = self.work.saturating_add(1);
        if self.work <= FREE_WORK {
            return compare(self);
        }
        if self.equal.contains(&places) {
            return true;
        }
        let equal = compare(self);
        if equal {
            self.equal.insert(places);
        }
        equal
    }
}

/// Returns whether the keys of each element of the first list are in the second.
fn all_keys_are_there(a: &List, b: &List, keys: &[Arc<str>]) -> bool {
    let index = Index::new(b, keys);
    a.iter().all(|own| {
        let mut candidates = index.candidates(mark(own, keys));
        candidates.any(|at| {
            let other = b.get(at);
            other.is_some_and(|other| have_same_keys(own, other, keys))
        })
    })
}

impl Value {
    /// Returns whether it equals another value. `None` if its library cannot compare it with such a
    /// value, which makes `==` an error.
    #[must_use]
    pub fn equals(&self, other: &Self) -> Option<bool> {
        match self {
            Value::Opaque(opaque) => opaque.equals_value(other),
            _ => Some(self == other),
        }
    }

    /// Returns the order of two numbers of any type, exact even where a conversion would round.
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
