//! When two values are equal.
//!
//! CEL compares anything with anything: values of different types are not equal, but
//! numbers are compared across their types.
//!
//! Upstream: cel-go, common/types/util.go, `Equal`; common/types/compare.go.

use super::list::{Index, have_same_keys, mark};
use super::{EvalError, Hidden, Key, List, ListKind, Map, Repeats, Value, native_type};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::mem::discriminant;
use std::sync::Arc;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::List(_), Value::List(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::Optional(_), Value::Optional(_)) => self.equals_by_own(other) == Ok(true),
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
    /// Whether numbers of different types differ, as they do for Go.
    is_strict: bool,
}

/// The number of pairs that are compared before any is kept.
const FREE_WORK: u32 = 10_000;

/// Whether two values are equal, or why they cannot be compared.
type Compared = Result<bool, EvalError>;

impl Comparison {
    fn equal(&mut self, a: &Value, b: &Value) -> Compared {
        match (a, b) {
            (Value::Null, _) | (_, Value::Null) => Ok(flat_equal(a, b)),
            _ => self.equal_by_own(a, b),
        }
    }

    /// Compares values as the first one does. A list or a map of an object compares itself only
    /// with its like.
    fn equal_by_own(&mut self, a: &Value, b: &Value) -> Compared {
        match (a, b) {
            (Value::List(a), Value::List(b)) if a.len() == b.len() => {
                self.once((a.address(), b.address()), |it| it.lists_equal(a, b))
            }
            (Value::Map(a), Value::Map(b)) if a.len() == b.len() => {
                self.once((a.address(), b.address()), |it| it.maps_equal(a, b))
            }
            (Value::List(_), Value::List(_)) | (Value::Map(_), Value::Map(_)) => Ok(false),
            (Value::List(list), _) if list.kind().is_some() => Err(incomparable(b)),
            (Value::Map(map), _) if map.view().is_some() => Err(incomparable(b)),
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => self.equal_by_own(a, b),
            (Value::Optional(a), Value::Optional(b)) => Ok(a.is_none() && b.is_none()),
            (Value::Opaque(opaque), _) => match a.failure() {
                Some(error) => Err(error.clone()),
                None => opaque.equals_value(b).ok_or_else(|| incomparable(b)),
            },
            _ if self.is_strict && discriminant(a) != discriminant(b) => Ok(false),
            _ => Ok(flat_equal(a, b)),
        }
    }

    /// Compares lists of one length. The first one determines how.
    ///
    /// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, Equal of
    /// unstructuredList, unstructuredSetList and unstructuredMapList. Up to Kubernetes 1.36 an
    /// element of the second list may be there more than once.
    fn lists_equal(&mut self, a: &List, b: &List) -> Compared {
        let pairs = a.iter().zip(b.iter());
        match a.kind() {
            None => all(pairs, |(a, b)| self.differ(a, b).map(|differ| !differ)),
            Some(ListKind::Atomic) => all(pairs, |(a, b)| self.equal_by_own(a, b)),
            Some(ListKind::Set(repeats)) => {
                if !a.is_unread() {
                    a.iter().try_for_each(|it| hashed(it, *repeats))?;
                }
                Ok(self.others_are_own(a, b, &[], *repeats)?
                    && (*repeats == Repeats::Overlooked
                        || self.others_are_own(b, a, &[], *repeats)?))
            }
            Some(ListKind::Keyed(keys, repeats)) => Ok(self
                .others_are_own(a, b, keys, *repeats)?
                && (*repeats == Repeats::Overlooked || all_keys_are_there(a, b, keys))),
        }
    }

    /// Returns whether every element of the second list is in the first: unchanged, or as the last
    /// one with the same keys.
    fn others_are_own(
        &mut self,
        a: &List,
        b: &List,
        keys: &[Arc<str>],
        repeats: Repeats,
    ) -> Compared {
        let index = Index::new(a, keys);
        all(b.iter(), |other| {
            let candidates = index.candidates(mark(other, keys));
            let mut own = candidates.filter_map(|at| a.get(at));
            if keys.is_empty() {
                hashed(other, repeats)?;
                return Ok(!a.is_unread() && own.any(|own| flat_equal(own, other)));
            }
            let own = own.find(|own| have_same_keys(own, other, keys));
            own.map_or(Ok(false), |own| self.equal_by_own(own, other))
        })
    }

    /// Compares maps of one size. The first one determines how.
    fn maps_equal(&mut self, a: &Map, b: &Map) -> Compared {
        let is_of_object = a.view().is_some();
        let entries = all(a.iter(), |(key, value)| {
            let other = match key {
                Key::String(key) => b.get_str(key),
                _ => b.get(&key.value()),
            };
            match other {
                None => Ok(false),
                Some(other) if is_of_object => self.equal_by_own(value, other),
                Some(other) => self.differ(value, other).map(|differ| !differ),
            }
        });
        Ok(entries? && all(a.hidden(), |hidden| hidden_equal(hidden, b))?)
    }

    /// Returns whether two elements differ. Values that cannot be compared with each other do not
    /// differ: in a list or a map that is not of an object, cel-go checks only for `false`.
    ///
    /// Upstream: cel-go, common/types/list.go and map.go, `Equal`.
    fn differ(&mut self, a: &Value, b: &Value) -> Compared {
        match self.equal(a, b) {
            Ok(equal) => Ok(!equal),
            Err(error) if error.is_fatal() => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn once(
        &mut self,
        places: (usize, usize),
        compare: impl FnOnce(&mut Self) -> Compared,
    ) -> Compared {
        self.work = self.work.saturating_add(1);
        if self.work <= FREE_WORK {
            return compare(self);
        }
        if self.equal.contains(&places) {
            return Ok(true);
        }
        let equal = compare(self)?;
        if equal {
            self.equal.insert(places);
        }
        Ok(equal)
    }
}

/// Returns whether all are equal. The first one that is not decides.
fn all<T>(items: impl Iterator<Item = T>, mut test: impl FnMut(T) -> Compared) -> Compared {
    for item in items {
        if !test(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the error of a comparison with a value of another kind.
#[cold]
fn incomparable(other: &Value) -> EvalError {
    let failure = other.failure().cloned();
    failure.unwrap_or_else(EvalError::no_such_overload)
}

/// Returns whether a map equals a view in a field that the view hides. A field that the schema does
/// not declare may be missing from the map.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.Equal.
fn hidden_equal(hidden: Hidden<'_>, other: &Map) -> Compared {
    match hidden {
        Hidden::Null(name) => Ok(other.get_str(name).is_none()),
        Hidden::Unknown(name, value) => {
            let other = other.view().ok_or_else(EvalError::no_such_overload)?;
            let other = other.source.get_str(name);
            Ok(other.is_none_or(|other| value.is_same_json(other)))
        }
    }
}

/// Checks that an element of a set can be hashed: up to Kubernetes 1.36 as Go does, later as a
/// scalar.
fn hashed(element: &Value, repeats: Repeats) -> Result<(), EvalError> {
    let go_type = match element {
        Value::List(list) if list.kind().is_none() => "[]ref.Val",
        Value::Map(map) if map.view().is_none() => "map[ref.Val]ref.Val",
        Value::List(_) | Value::Map(_) => native_type(element),
        Value::Bytes(_) if repeats == Repeats::Overlooked => "[]uint8",
        _ => return Ok(()),
    };
    Err(match repeats {
        Repeats::Overlooked => EvalError::unhashable_type(go_type),
        Repeats::Counted => {
            EvalError::message("listSet operations are only supported on lists of scalar values")
        }
    })
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
    /// Returns whether it equals another value, as `==` compares them.
    ///
    /// # Errors
    /// The values cannot be compared, which makes `==` an error.
    pub fn equals(&self, other: &Self) -> Result<bool, EvalError> {
        match (self, other) {
            (Value::Null, _) | (_, Value::Null) => Ok(flat_equal(self, other)),
            _ => self.equals_by_own(other),
        }
    }

    /// Returns whether it equals another value, without the exception of `==` for null.
    ///
    /// # Errors
    /// The values cannot be compared.
    pub(super) fn equals_by_own(&self, other: &Self) -> Result<bool, EvalError> {
        match self {
            Value::List(_) | Value::Map(_) | Value::Optional(_) | Value::Opaque(_) => {
                Comparison::default().equal_by_own(self, other)
            }
            _ => Ok(flat_equal(self, other)),
        }
    }

    /// Returns whether two values of objects are the same in JSON, where `1` is not `1.0`.
    #[must_use]
    pub fn is_same_json(&self, other: &Self) -> bool {
        let mut comparison = Comparison {
            is_strict: true,
            ..Comparison::default()
        };
        comparison.equal(self, other) == Ok(true)
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
