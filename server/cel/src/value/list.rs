//! Lists.
//!
//! Most lists are sequences: equal when their elements are, one by one, and concatenated end to
//! end. Lists of an object can have a list type: they are sets, or some fields are the keys of
//! their elements. The list type is stored next to the elements, so a plain list has no
//! overhead.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredList,
//! unstructuredSetList and unstructuredMapList.

use super::{EvalError, Value};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A list. It reads like a slice of its elements; a clone shares them.
#[derive(Clone)]
pub struct List {
    shared: Arc<Shared>,
}

#[derive(Clone)]
struct Shared {
    elements: Vec<Value>,
    kind: Option<ListKind>,
    sum: Option<Arc<Sum>>,
}

/// The list type of a list in an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// They are ordered.
    Atomic,
    /// Each occurs once, unordered.
    Set(Repeats),
    /// They are maps, unordered, that these keys identify.
    Keyed(Arc<[Arc<str>]>, Repeats),
}

/// Whether a set or a list with keys equals a list that repeats elements and lacks others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It does, as in Kubernetes up to 1.36.
    Overlooked,
    /// It does not.
    Counted,
}

/// The effect of an addition on a list of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The keys that identify the elements of the sum, if they differ.
    pub keys: Option<Arc<[Arc<str>]>>,
    /// The elements that are lost, with the error that replaces them.
    pub lost: Option<(LostElements, Arc<str>)>,
}

/// The added elements that cannot be read from a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostElements {
    /// All.
    All,
    /// The lists and maps created by an expression.
    Made,
}

impl Sum {
    /// Returns the added elements as read from the sum.
    fn added(&self, elements: &List) -> List {
        let Some((lost, error)) = &self.lost else {
            return elements.clone();
        };
        let is_lost = |element: &Value| match element {
            _ if *lost == LostElements::All => true,
            Value::List(list) => list.kind().is_none(),
            Value::Map(map) => map.view().is_none(),
            _ => false,
        };
        let read = |element: &Value| {
            if is_lost(element) {
                Value::failed(EvalError::message(error.to_string()))
            } else {
                element.clone()
            }
        };
        List::new(elements.iter().map(read).collect())
    }
}

impl List {
    /// Returns a plain list.
    #[must_use]
    pub fn new(elements: Vec<Value>) -> Self {
        let shared = Shared {
            elements,
            kind: None,
            sum: None,
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Returns a list of an object.
    #[must_use]
    pub fn with_kind(elements: Vec<Value>, kind: ListKind) -> Self {
        Self::with_sum(elements, kind, None)
    }

    /// Returns a list of an object whose sums have another list type.
    #[must_use]
    pub fn with_sum(elements: Vec<Value>, kind: ListKind, sum: Option<Arc<Sum>>) -> Self {
        let shared = Shared {
            elements,
            kind: Some(kind),
            sum,
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Returns its list type. `None` for a list that an expression creates.
    #[must_use]
    pub fn kind(&self) -> Option<&ListKind> {
        self.shared.kind.as_ref()
    }

    /// Returns whether the elements cannot be compared with those of a set, since the server
    /// compares values that it has converted with literals.
    pub(super) fn is_unread(&self) -> bool {
        let lost = self.shared.sum.as_ref().and_then(|sum| sum.lost.as_ref());
        lost.is_some_and(|(lost, _)| *lost == LostElements::All)
    }

    /// Returns the elements, to change them. A list that is shared is copied first.
    #[must_use]
    pub fn elements_mut(&mut self) -> &mut Vec<Value> {
        &mut Arc::make_mut(&mut self.shared).elements
    }

    /// Returns the address of the elements: the same for lists that share them.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    /// Returns whether an element equals a value: by the element's view of it in a list of an
    /// object, by the value's view in any other.
    ///
    /// Upstream: cel-go, common/types/list.go, `baseList.Contains`; kubernetes/apiserver,
    /// pkg/cel/common/valuesunstructured.go, unstructuredList.Contains.
    ///
    /// # Errors
    /// None equals the value, and an element of an object cannot be compared with it.
    pub fn holds(&self, value: &Value) -> Result<bool, EvalError> {
        let is_of_object = self.kind().is_some();
        let mut failure = None;
        for element in self {
            let equal = if is_of_object {
                element.equals_by_own(value)
            } else {
                value.equals_by_own(element)
            };
            match equal {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) if error.is_fatal() => return Err(error),
                Err(error) if is_of_object => failure = failure.or(Some(error)),
                Err(_) => {}
            }
        }
        failure.map_or(Ok(false), Err)
    }

    /// Concatenates this list and another one. A set adds the elements that it lacks; a list with
    /// keys replaces elements with the same keys in place. The result has the same list type.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let sum = self.shared.sum.as_ref();
        match &self.shared.kind {
            None if self.is_empty() => other.clone(),
            _ if other.is_empty() && sum.is_none() => self.clone(),
            kind => {
                let added = sum.map(|sum| sum.added(other));
                let other = added.as_ref().unwrap_or(other);
                let mut kind = kind.clone();
                if let Some(ListKind::Keyed(keys, _)) = &mut kind
                    && let Some(new) = sum.and_then(|sum| sum.keys.as_ref())
                {
                    *keys = Arc::clone(new);
                }
                let elements = match &kind {
                    None | Some(ListKind::Atomic) => self.iter().chain(&**other).cloned().collect(),
                    Some(ListKind::Set(_)) => self.union(other),
                    Some(ListKind::Keyed(keys, _)) => self.merged(other, keys),
                };
                let shared = Shared {
                    elements,
                    kind,
                    sum: sum.cloned(),
                };
                Self {
                    shared: Arc::new(shared),
                }
            }
        }
    }

    fn union(&self, other: &Self) -> Vec<Value> {
        let mut elements = self.to_vec();
        let mut index = Index::new(self, &[]);
        for element in other {
            let mark = mark(element, &[]);
            let is_new = index
                .candidates(mark)
                .all(|at| elements.get(at) != Some(element));
            if is_new {
                index.add(mark, elements.len());
                elements.push(element.clone());
            }
        }
        elements
    }

    /// Returns the list merged with another one. New elements do not replace each other.
    fn merged(&self, other: &Self, keys: &[Arc<str>]) -> Vec<Value> {
        let mut elements = self.to_vec();
        let index = Index::new(self, keys);
        for element in other {
            let mut same = index.candidates(mark(element, keys));
            let same = same.find(|at| {
                let own = elements.get(*at);
                own.is_some_and(|own| have_same_keys(own, element, keys))
            });
            match same.and_then(|at| elements.get_mut(at)) {
                Some(place) => *place = element.clone(),
                None => elements.push(element.clone()),
            }
        }
        elements
    }
}

/// The indexes of the elements of a list, by what identifies them.
#[derive(Debug, Default)]
pub(super) struct Index {
    places: HashMap<u64, Vec<usize>, foldhash::fast::RandomState>,
}

impl Index {
    /// Returns the index of a list whose elements are identified by these keys, or of a set.
    pub(super) fn new(list: &List, keys: &[Arc<str>]) -> Self {
        let mut index = Self::default();
        for (at, element) in list.iter().enumerate() {
            index.add(mark(element, keys), at);
        }
        index
    }

    fn add(&mut self, mark: u64, at: usize) {
        self.places.entry(mark).or_default().push(at);
    }

    /// Returns the indices of the elements that may match a hash, the last one first.
    pub(super) fn candidates(&self, mark: u64) -> impl Iterator<Item = usize> + '_ {
        let places = self.places.get(&mark);
        places.into_iter().flatten().rev().copied()
    }
}

/// Returns a hash that is the same for equal elements, or for elements with equal keys.
pub(super) fn mark(element: &Value, keys: &[Arc<str>]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    if keys.is_empty() {
        write(element, &mut hasher);
    } else if let Some(fields) = element.as_map() {
        for key in keys {
            match fields.get_str(key) {
                Some(value) => write(value, &mut hasher),
                None => hasher.write_u8(0),
            }
        }
    }
    hasher.finish()
}

/// Hashes a value. Numbers are equal across their types. Other values except strings are not
/// hashed.
fn write(value: &Value, hasher: &mut impl Hasher) {
    let number = match value {
        Value::String(text) => return hasher.write(text.as_bytes()),
        Value::Bool(value) => return hasher.write_u8(u8::from(*value)),
        Value::Int(number) => *number as f64,
        Value::Uint(number) => *number as f64,
        Value::Double(number) => *number,
        _ => return,
    };
    // Both zeros are one.
    let number = if number == 0.0 { 0.0 } else { number };
    hasher.write_u64(number.to_bits());
}

/// Returns whether two elements of a list with keys have the same keys. A value that is not a map
/// has none and never matches.
pub(super) fn have_same_keys(a: &Value, b: &Value, keys: &[Arc<str>]) -> bool {
    match (a.as_map(), b.as_map()) {
        (Some(a), Some(b)) => keys.iter().all(|key| a.get_str(key) == b.get_str(key)),
        _ => false,
    }
}

impl Deref for List {
    type Target = [Value];

    fn deref(&self) -> &Self::Target {
        &self.shared.elements
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Self {
        Self::new(elements.into_iter().collect())
    }
}

impl fmt::Debug for List {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = out.debug_list();
        list.entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests;
